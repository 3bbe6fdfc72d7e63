package io.sluice.http;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What knows the addresses of a name: the machine's own resolver, or that of a test. */
@FunctionalInterface
interface Resolver {
  InetAddress[] resolve(String host) throws UnknownHostException;
}
