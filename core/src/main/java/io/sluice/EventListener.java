package io.sluice;

/**
 * Is told what happens. Calls come one after the other from a thread of their own: a slow listener
 * misses events and a throwing one is logged, neither slows the engine.
 */
@FunctionalInterface
public interface EventListener {
  void on(Event event);
}
