package io.sluice.store;

/** So many jobs may try whether the trouble of a breaker is over, in the half-open period of this version. */
public record ProbeGrant(long version, int probes) {
  public static final ProbeGrant NONE = new ProbeGrant(0, 0);
}
