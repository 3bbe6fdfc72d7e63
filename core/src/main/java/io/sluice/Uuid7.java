package io.sluice;

import java.time.InstantSource;
import java.util.Comparator;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Makes ids of version 7: time first, then a counter, so that ids made in one process sort in the
 * order in which they were made, also within a millisecond and when the clock steps back.
 */
public final class Uuid7 {
  /**
   * The order of ids as they are written: unsigned, byte by byte. {@link UUID#compareTo} compares
   * signed halves and would put an id made later before an earlier one.
   */
  public static final Comparator<UUID> ORDER = Uuid7::compare;

  private static final int COUNTER_BITS = 12;
  private static final long COUNTER_END = 1L << COUNTER_BITS;

  private final InstantSource clock;
  private final RandomGenerator random;
  private long lastMillis;
  private long counter;

  public Uuid7(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /** Makes ids from quick numbers of its own, seeded from slow and good ones. */
  public static Uuid7 seeded(InstantSource clock, RandomGenerator seeds) {
    byte[] seed = new byte[32];
    seeds.nextBytes(seed);
    return new Uuid7(clock, RandomGeneratorFactory.of("L128X256MixRandom").create(seed));
  }

  private static int compare(UUID a, UUID b) {
    int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
  }

  public UUID next() {
    long high;
    long low;
    synchronized (this) {
      advance(clock.millis());
      high = lastMillis << 16 | 0x7000 | counter;
      low = random.nextLong();
    }
    return new UUID(high, (low & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L);
  }

  private void advance(long millis) {
    if (millis > lastMillis) {
      lastMillis = millis;
      counter = 0;
    } else if (++counter == COUNTER_END) {
      lastMillis++;
      counter = 0;
    }
  }
}
