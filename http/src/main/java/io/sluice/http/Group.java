package io.sluice.http;

import io.sluice.ErrorClass;
import io.sluice.Names;
import io.sluice.RetryPolicy;
import io.sluice.SluiceException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What many requests share: where they go, how they prove who calls, and how a failure is taken.
 *
 * @param retry in force where a job has no policy of its own
 * @param statuses statuses that mean another class of failure here than they usually do
 * @param ipAllowlist where it is not empty, no request of the group goes to an address outside of it
 */
public record Group(
    String name,
    String baseUrl,
    Map<String, String> defaultHeaders,
    Auth auth,
    @Nullable Signing signing,
    @Nullable RetryPolicy retry,
    Map<Integer, ErrorClass> statuses,
    List<Cidr> ipAllowlist,
    boolean followRedirects) {

  public Group {
    Names.check("name", name);
    defaultHeaders = Collections.unmodifiableMap(new LinkedHashMap<>(defaultHeaders));
    statuses = Map.copyOf(statuses);
    ipAllowlist = List.copyOf(ipAllowlist);
  }

  /** A group with nothing but a place. */
  public static Group of(String name, String baseUrl) {
    return new Group(
        name, baseUrl, Map.of(), new Auth.None(), null, null, Map.of(), List.of(), false);
  }

  public Group withHeaders(Map<String, String> value) {
    return new Group(
        name, baseUrl, value, auth, signing, retry, statuses, ipAllowlist, followRedirects);
  }

  public Group withAuth(Auth value) {
    return new Group(
        name,
        baseUrl,
        defaultHeaders,
        value,
        signing,
        retry,
        statuses,
        ipAllowlist,
        followRedirects);
  }

  public Group withSigning(@Nullable Signing value) {
    return new Group(
        name, baseUrl, defaultHeaders, auth, value, retry, statuses, ipAllowlist, followRedirects);
  }

  public Group withRetry(@Nullable RetryPolicy value, Map<Integer, ErrorClass> classes) {
    return new Group(
        name, baseUrl, defaultHeaders, auth, signing, value, classes, ipAllowlist, followRedirects);
  }

  public Group withIpAllowlist(List<Cidr> value) {
    return new Group(
        name, baseUrl, defaultHeaders, auth, signing, retry, statuses, value, followRedirects);
  }

  public Group withRedirects(boolean value) {
    return new Group(
        name, baseUrl, defaultHeaders, auth, signing, retry, statuses, ipAllowlist, value);
  }

  /**
   * Refuses a group that no request could be made with.
   *
   * @throws SluiceException INVALID_MESSAGE, naming the field and what would be right
   */
  public void check(AddressGuard guard) {
    TargetUrl.check("baseUrl", baseUrl, guard);
    if (baseUrl.indexOf('?') >= 0 || baseUrl.indexOf('#') >= 0) {
      throw SluiceException.invalid("baseUrl", "must not have a query or fragment");
    }
    HeaderRules.check("defaultHeaders", defaultHeaders);
    auth.check(guard);
  }

  /**
   * Refuses a path that does not stay below the base URL.
   *
   * @throws SluiceException INVALID_MESSAGE, naming the field and what would be right
   */
  public void checkPath(String field, String path, AddressGuard guard) {
    try {
      url(path, guard);
    } catch (RefusedTarget e) {
      throw e.ofField(field);
    }
  }

  /** The URL of a path below the base: never anywhere else. */
  TargetUrl url(String path, AddressGuard guard) throws RefusedTarget {
    checkPath(path);
    TargetUrl base = TargetUrl.parse(baseUrl, guard);
    String stem = baseUrl.endsWith("/") && path.startsWith("/")
        ? baseUrl.substring(0, baseUrl.length() - 1)
        : baseUrl;
    TargetUrl url = TargetUrl.parse(stem + path, guard);
    if (!url.origin().equals(base.origin())) {
      throw RefusedTarget.outOfBounds("must stay below the group's base URL");
    }
    return url;
  }

  private static void checkPath(String path) throws RefusedTarget {
    boolean rooted = path.isEmpty() || path.startsWith("/") || path.startsWith("?");
    if (!rooted || path.startsWith("//") || path.indexOf('#') >= 0 || climbs(path)) {
      throw RefusedTarget.invalid(
          "must begin with one / and stay below the group's base URL, without .. and #");
    }
  }

  /** True where a receiver may read a step upwards, however it is spelled. */
  private static boolean climbs(String path) {
    String way = path.toLowerCase(Locale.ROOT).replace("%2e", ".").split("\\?", 2)[0];
    return Arrays.stream(way.split("/|%2f|%5c|\\\\"))
        .map(step -> step.split(";|%3b", 2)[0])
        .anyMatch(step -> step.equals(".."));
  }

  ErrorClass classOf(int status) {
    return statuses.getOrDefault(status, ErrorClass.ofStatus(status));
  }

  /** Its name and place: the headers may hold secrets. */
  @Override
  public String toString() {
    return "Group[" + name + ", " + baseUrl + ", " + auth + "]";
  }
}
