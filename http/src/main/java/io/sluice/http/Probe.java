package io.sluice.http;

import io.sluice.AttemptFailure;
import io.sluice.ErrorClass;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Looks at a place of a group, as its jobs would call it: with its headers and auth, through the same
 * guard, to the same addresses. Redirects are not followed.
 */
public final class Probe {
  /**
   * A request without a body.
   *
   * @param endpoint a path below a group's base URL, or a whole URL; another origin than the base
   *     URL's gets neither the group's headers nor its auth
   */
  public record ProbeRequest(String method, String endpoint) {}

  private final GuardedClient client;
  private final Tokens tokens;
  private final String userAgent;

  /**
   * @param version what receivers are told that they talk to
   */
  public Probe(GuardedClient client, Tokens tokens, String version) {
    this.client = client;
    this.tokens = tokens;
    this.userAgent = "Sluice/" + version;
  }

  /** Gets what is there, as {@link #call}. */
  public Answer get(String tenant, Group group, String endpoint, Duration within)
      throws AttemptFailure, InterruptedException {
    return call(tenant, group, new ProbeRequest("GET", endpoint), within);
  }

  /**
   * Asks for what is there, whatever its status.
   *
   * @param within the time for all of it
   * @throws AttemptFailure when there is no answer
   */
  public Answer call(String tenant, Group group, ProbeRequest request, Duration within)
      throws AttemptFailure, InterruptedException {
    TargetUrl url = place(group, request.endpoint);
    try (Cutoff cutoff = client.cutoff(within)) {
      if (!isHome(group, url)) {
        Party party = new Party(tenant, group.name(), new Auth.None(), group.ipAllowlist());
        return client.send(Outgoing.bare(request.method, party, url, own(Map.of())), cutoff);
      }
      Group ready = tokens.ready(tenant, group, cutoff.left());
      Answer answer = client.send(request(tenant, ready, request, url), cutoff);
      Optional<Group> other = answer.status() == 401
          ? tokens.instead(tenant, group, ready, cutoff.left())
          : Optional.empty();
      return other.isEmpty()
          ? answer
          : client.send(request(tenant, other.get(), request, url), cutoff);
    }
  }

  private TargetUrl place(Group group, String endpoint) throws AttemptFailure {
    try {
      return endpoint.startsWith("/")
          ? group.url(endpoint, client.guard())
          : TargetUrl.parse(endpoint, client.guard());
    } catch (RefusedTarget e) {
      throw new AttemptFailure(
          ErrorClass.REJECTED, e.code(), "no request is made: the URL " + e.reason());
    }
  }

  private boolean isHome(Group group, TargetUrl url) throws AttemptFailure {
    return place(group, "/").origin().equals(url.origin());
  }

  private Outgoing request(String tenant, Group group, ProbeRequest request, TargetUrl url) {
    Map<String, String> headers = own(group.defaultHeaders());
    headers.putAll(group.auth().headers(new byte[0]));
    return Outgoing.bare(request.method, Party.of(tenant, group), url, headers);
  }

  private Map<String, String> own(Map<String, String> given) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(given);
    headers.putIfAbsent("accept-encoding", "identity");
    headers.putIfAbsent("user-agent", userAgent);
    return headers;
  }
}
