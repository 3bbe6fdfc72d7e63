package io.sluice.engine;

import io.sluice.Lane;
import io.sluice.Scope;
import io.sluice.store.LaneHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ready jobs of one lane and priority, as far as the engine knows of them. */
final class Place {
  private static final int FEW = 8;
  private static final int MANY = 16;

  final int laneId;
  final Lane lane;
  final int priority;
  /** What a limit that holds this place back can be on, but for its limit key. */
  final List<Scope> scopes;
  /** Where it stands in line, while it does. */
  Turns.@Nullable Queue queue;
  /** True while it is out of the line because it may not run. */
  boolean parked;
  /** The places that are held by what holds this one, while it is. */
  HeldPlaces.@Nullable Group heldWith;
  /** The number of its last turn: who has the lowest was served longest ago. */
  long turn;
  /** The units that are dealt to it in the round under way. */
  int dealt;
  /** The units that its turns brought it since it was last settled what came of them. */
  int charged;
  /** Since when its priority had waited before them. */
  long waitedSince;

  private int wants = FEW;

  Place(LaneHead head) {
    this(head, Scope.of(head.lane()));
  }

  /** A place whose scopes are at hand: lanes of very many limit keys share them. */
  Place(LaneHead head, List<Scope> scopes) {
    this.laneId = head.laneId();
    this.lane = head.lane();
    this.priority = head.priority();
    this.scopes = scopes;
  }

  /** How many units to ask for while others want some too: a little more than it gave last time. */
  int wants() {
    return wants;
  }

  /** Notes what it gave of so many units. What gave all of them may have many more. */
  void gave(int units, int asked) {
    wants = units < asked ? 2 * units + FEW : Math.max(wants, MANY * units);
  }
}
