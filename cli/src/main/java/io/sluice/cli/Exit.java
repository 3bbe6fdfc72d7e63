package io.sluice.cli;

/** The codes that a command can end with, for scripts. */
public enum Exit {
  OK(0, "done"),
  FAILED(1, "it failed, the server refused, or the job that was waited for did not complete"),
  MISUSED(2, "the command line is wrong, or nobody said yes: nothing was done"),
  UNREACHABLE(3, "no server answers at the address"),
  NOT_FOUND(4, "the server does not have it"),
  DENIED(5, "the key is missing, unknown, or may not do this"),
  BUSY(6, "not now: full, too many requests, or stopping; try again later");

  private final int code;
  private final String about;

  Exit(int code, String about) {
    this.code = code;
    this.about = about;
  }

  public int code() {
    return code;
  }

  String about() {
    return about;
  }
}
