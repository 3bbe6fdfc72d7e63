package io.sluice.server.limit;

import java.util.function.UnaryOperator;

/** Keeps the limits of one kind of scope, with the things that they are on where there are such things. */
@FunctionalInterface
public interface Keeper {
  /**
   * Makes of a limit what {@code change} makes of it, with nobody changing it in between; NOT_FOUND where
   * the tenant has no thing of this name.
   */
  void change(String tenant, String name, UnaryOperator<Terms> change);
}
