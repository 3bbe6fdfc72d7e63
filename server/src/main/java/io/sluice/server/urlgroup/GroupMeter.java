package io.sluice.server.urlgroup;

/** Counts the deliveries of groups for whoever collects the figures of this process. */
@FunctionalInterface
public interface GroupMeter {
  void count(String tenant, String group, boolean delivered, long durationMs);
}
