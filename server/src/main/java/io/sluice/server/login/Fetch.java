package io.sluice.server.login;

import java.io.IOException;
import java.net.URI;

/**
 * Gets what is at an address. Whoever gives one sees to it that it dials no address that it should not,
 * ends within seconds, and reads no more than a megabyte.
 */
@FunctionalInterface
public interface Fetch {
  byte[] get(URI address) throws IOException;
}
