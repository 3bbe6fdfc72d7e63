package io.sluice.server.listener;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.OptionalLong;

/** The limit of files and sockets that this process may have open. */
public final class Descriptors {
  private Descriptors() {}

  /** Nothing where the operating system does not say. */
  public static OptionalLong limit() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            && unix.getMaxFileDescriptorCount() > 0
        ? OptionalLong.of(unix.getMaxFileDescriptorCount())
        : OptionalLong.empty();
  }
}
