package io.sluice.cli;

/** What belongs together in the help of {@code sluice}, in this order. */
public enum Group {
  RUN("Run"),
  JOBS("Jobs"),
  PLACES("Queues and targets"),
  WATCH("Watch"),
  ACCESS("Tenants and keys"),
  CARE("Look after a server"),
  SHELL("Shell");

  private final String title;

  Group(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
