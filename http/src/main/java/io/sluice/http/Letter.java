package io.sluice.http;

import io.sluice.Defaults;
import io.sluice.Job;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A request as a job and its group want it, to be made out for each place it has to go to. */
final class Letter {
  private static final Pattern TRACEPARENT =
      Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[\\x21-\\x7e]{0,200})?");

  private final Job<HttpCall> job;
  private final @Nullable Group group;
  private final Party party;
  private final String userAgent;
  private final long second;

  /**
   * @param second the time of this attempt, which is signed
   */
  Letter(Job<HttpCall> job, @Nullable Group group, String userAgent, long second) {
    this.job = job;
    this.group = group;
    this.party = group == null ? Party.of(job.tenant()) : Party.of(job.tenant(), group);
    this.userAgent = userAgent;
    this.second = second;
  }

  /** Refuses what an enqueue would have refused: not every job comes in through a checked door. */
  void check() {
    HeaderRules.check("headers", job.payload().headers());
    if (group != null) {
      HeaderRules.check("defaultHeaders", group.defaultHeaders());
      group.auth().check();
    }
  }

  boolean followsRedirects() {
    Boolean own = job.payload().followRedirects();
    return own != null ? own : group != null && group.followRedirects();
  }

  /** Makes the request out for a place. */
  Outgoing to(Hop hop) {
    return new Outgoing(
        party, hop.method(), hop.url(), headers(hop), hop.body(), Defaults.MAX_ANSWER);
  }

  private Map<String, String> headers(Hop hop) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    if (group != null) {
      headers.putAll(group.defaultHeaders());
    }
    headers.putAll(job.payload().headers());
    if (hop.foreign()) {
      headers.keySet().removeIf(name -> !HeaderRules.isAboutContent(name));
    }
    if (hop.bodyDropped()) {
      headers.keySet().removeIf(name -> name.regionMatches(true, 0, "content-", 0, 8));
    } else {
      job.payload().contentType().ifPresent(type -> headers.putIfAbsent("content-type", type));
    }
    headers.putIfAbsent("accept-encoding", "identity");
    headers.putIfAbsent("user-agent", userAgent);
    headers.put("sluice-job-id", job.id().toString());
    headers.put("sluice-attempt", Integer.toString(job.attempt()));
    headers.put("sluice-queue", job.queue());
    String trace = job.metadata().traceparent();
    if (trace != null && TRACEPARENT.matcher(trace).matches()) {
      headers.putIfAbsent("traceparent", trace);
    }
    if (group != null && !hop.foreign()) {
      headers.putAll(group.auth().headers(hop.body().raw()));
      Signing signing = group.signing();
      if (signing != null) {
        headers.putAll(signing.headers(
            job.id().toString(), second, hop.url(), hop.method(), hop.body().raw()));
      }
    }
    return headers;
  }

  /** What was secret in the request. */
  List<String> secrets() {
    List<String> secrets = new ArrayList<>();
    collect(job.payload().headers(), secrets);
    collect(job.payload().url(), secrets);
    collect(job.payload().path(), secrets);
    if (group != null) {
      collect(group.defaultHeaders(), secrets);
      secrets.addAll(group.auth().secrets());
    }
    return secrets;
  }

  private static void collect(Map<String, String> headers, List<String> secrets) {
    headers.forEach((name, value) -> {
      if (HeaderRules.isCredential(name)) {
        secrets.add(value);
        // The credential itself, where a word such as Bearer stands before it.
        secrets.add(value.substring(value.indexOf(' ') + 1));
        if (name.equalsIgnoreCase("cookie")) {
          Arrays.stream(value.split(";"))
              .map(cookie -> cookie.substring(cookie.indexOf('=') + 1).strip())
              .forEach(secrets::add);
        }
      }
    });
  }

  private static void collect(@Nullable String url, List<String> secrets) {
    if (url != null) {
      UrlQuery.change(url, (name, value) -> {
        if (SecretNames.contains(name)) {
          secrets.add(value);
          secrets.add(UrlQuery.decoded(value));
        }
        return value;
      });
    }
  }
}
