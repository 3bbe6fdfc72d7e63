package io.sluice.crashtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Where processes wait for each other, so that they go on at the same moment: a file that all of them
 * have in their memory, with two words for each. They come together at leisure, and then once more
 * without letting go of the processor, so that nobody has to wake up.
 */
final class Meeting {
  private static final VarHandle WORDS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(100);

  private final ByteBuffer words;
  private final int parties;

  private Meeting(ByteBuffer words, int parties) {
    this.words = words;
    this.parties = parties;
  }

  static Meeting at(Path file, int parties) {
    try (FileChannel channel = FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long size = 2L * parties * Long.BYTES;
      return new Meeting(channel.map(FileChannel.MapMode.READ_WRITE, 0, size), parties);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until all have come to this round, which is 1 or more; false when they have not within the limit. */
  boolean join(int party, long round, Duration limit) {
    long end = Clock.now() + limit.toNanos();
    return meet(0, party, round, end, true) && meet(parties, party, round, end, false);
  }

  private boolean meet(int first, int party, long round, long end, boolean leisurely) {
    WORDS.setVolatile(words, (first + party) * Long.BYTES, round);
    for (int other = first; other < first + parties; other++) {
      while ((long) WORDS.getVolatile(words, other * Long.BYTES) < round) {
        if (Clock.now() - end > 0) {
          return false;
        }
        if (leisurely) {
          LockSupport.parkNanos(PAUSE);
        } else {
          Thread.onSpinWait();
        }
      }
    }
    return true;
  }
}
