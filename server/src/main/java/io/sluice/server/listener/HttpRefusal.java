package io.sluice.server.listener;

/** A request that is refused for its form, before any route sees it; its connection is closed after the answer. */
public final class HttpRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String detail;

  HttpRefusal(int status, String detail) {
    // A stranger's mistake, as often as he likes: no stack trace.
    super(detail, null, false, false);
    this.status = status;
    this.detail = detail;
  }

  static HttpRefusal malformed(String detail) {
    return new HttpRefusal(400, detail);
  }

  public int status() {
    return status;
  }

  /** What is wrong and what would be right. */
  public String detail() {
    return detail;
  }
}
