package io.sluice.engine;

import io.sluice.Lane;

/** What holds lanes back for a while, beside the limits that the store itself keeps. */
interface Valve {
  /** Holds nothing back. */
  Valve OPEN = lane -> Integer.MAX_VALUE;

  /** How many more jobs of a lane may be claimed now: none of one that is held back. */
  int room(Lane lane);

  /** Notes that a claim of so many jobs of a lane was made, and how many it gave. */
  default void claimed(Lane lane, int asked, int got) {}
}
