package io.sluice;

/** Where an engine stands in its life. An engine that has stopped is not started again. */
public enum EngineState {
  STOPPED,
  RUNNING,
  SHUTTING_DOWN
}
