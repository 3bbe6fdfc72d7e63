package io.sluice.server.access;

/** Tells who a credential belongs to. */
public interface Credentials {
  /**
   * The caller with this bearer token, who called from this address. Throws UNAUTHORIZED, with the same
   * words whatever is wrong with the token, and RATE_LIMITED for an address that failed too often.
   */
  Caller authenticate(String token, String address);
}
