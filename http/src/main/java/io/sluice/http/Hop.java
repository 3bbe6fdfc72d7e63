package io.sluice.http;

/**
 * One place on the way of a request, which is longer than one where redirects are followed.
 *
 * @param foreign true from the first place on that has another origin than the one asked for
 * @param bodyDropped true once a redirect has turned the request into a GET
 */
record Hop(TargetUrl url, String method, Bytes body, boolean foreign, boolean bodyDropped) {
  static Hop first(TargetUrl url, String method, Bytes body) {
    return new Hop(url, method, body, false, false);
  }

  static boolean isRedirect(Answer answer) {
    return switch (answer.status()) {
      case 301, 302, 303, 307, 308 -> answer.header("location").isPresent();
      default -> false;
    };
  }

  /** The place that an answer sends the request on to. */
  Hop next(Answer answer, AddressGuard guard) throws RefusedTarget {
    TargetUrl place = url.follow(answer.header("location").orElse(""), guard);
    if (url.isSecure() && !place.isSecure()) {
      throw RefusedTarget.outOfBounds("would leave https for http");
    }
    boolean away = foreign || !place.origin().equals(url.origin());
    boolean becomesGet = switch (answer.status()) {
      case 303 -> !method.equals("HEAD");
      case 301, 302 -> method.equals("POST");
      default -> false;
    };
    return becomesGet
        ? new Hop(place, "GET", Bytes.NONE, away, true)
        : new Hop(place, method, body, away, bodyDropped);
  }
}
