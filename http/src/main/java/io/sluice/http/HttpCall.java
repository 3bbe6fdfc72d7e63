package io.sluice.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.Lane;
import io.sluice.SluiceException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a job that is an HTTP request: either {@code url}, or {@code path} below the base URL
 * of the group that the job names. A body that is a JSON string is sent as its text, any other as JSON;
 * {@code bodyBase64} is sent as its bytes.
 *
 * @param method POST where it is null
 * @param followRedirects null leaves it to the group
 * @param callbackUrl is sent the result, as a job of its own, once this one is done
 * @param failureCallbackUrl is told when this job has failed for good
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HttpCall(
    @Nullable String url,
    @Nullable String path,
    @Nullable String method,
    Map<String, String> headers,
    @Nullable JsonValue body,
    @Nullable String bodyBase64,
    @Nullable Boolean followRedirects,
    @Nullable String callbackUrl,
    @Nullable String failureCallbackUrl) {
  /** The type of jobs with such a payload. */
  public static final String TYPE = "http";

  /** The host behind whoever may stand before it, without its port. */
  private static final Pattern AUTHORITY =
      Pattern.compile("[^:/?#]+://(?:[^/?#@]*@)?(\\[[^\\]/?#]*]|[^:/?#]+)");

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  @SuppressWarnings("ConstantValue") // A codec leaves out what the JSON does.
  public HttpCall {
    headers =
        headers == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /** A POST to a URL, without a body yet. */
  public static HttpCall to(String url) {
    return new HttpCall(url, null, null, Map.of(), null, null, null, null, null);
  }

  /** A POST to a path of the job's group, without a body yet. */
  public static HttpCall toPath(String path) {
    return new HttpCall(null, path, null, Map.of(), null, null, null, null, null);
  }

  public HttpCall withMethod(String value) {
    return new HttpCall(
        url,
        path,
        value,
        headers,
        body,
        bodyBase64,
        followRedirects,
        callbackUrl,
        failureCallbackUrl);
  }

  public HttpCall withHeaders(Map<String, String> value) {
    return new HttpCall(
        url,
        path,
        method,
        value,
        body,
        bodyBase64,
        followRedirects,
        callbackUrl,
        failureCallbackUrl);
  }

  public HttpCall withBody(JsonValue value) {
    return new HttpCall(
        url,
        path,
        method,
        headers,
        value,
        bodyBase64,
        followRedirects,
        callbackUrl,
        failureCallbackUrl);
  }

  public HttpCall withBytes(byte[] value) {
    String base64 = Base64.getEncoder().encodeToString(value);
    return new HttpCall(
        url, path, method, headers, body, base64, followRedirects, callbackUrl, failureCallbackUrl);
  }

  public HttpCall withRedirects(boolean value) {
    return new HttpCall(
        url, path, method, headers, body, bodyBase64, value, callbackUrl, failureCallbackUrl);
  }

  public HttpCall withCallbacks(@Nullable String success, @Nullable String failure) {
    return new HttpCall(
        url, path, method, headers, body, bodyBase64, followRedirects, success, failure);
  }

  /** The bucket of the host in a URL, for the lane of a job that is in no group; else nothing. */
  public static String bucketOf(@Nullable String url) {
    Matcher authority = AUTHORITY.matcher(url == null ? "" : url);
    return authority.lookingAt() ? Lane.bucketOf(authority.group(1)) : "";
  }

  /**
   * Refuses a call that could never be made, before it is enqueued. It is checked again when it is.
   *
   * @throws SluiceException INVALID_MESSAGE, naming the field and what would be right
   */
  public void check(AddressGuard guard) {
    checkParts(guard);
    if (url != null && path != null) {
      throw SluiceException.invalid("path", "goes with a urlGroup; a url has its own");
    }
    try {
      target(guard, null);
    } catch (RefusedTarget e) {
      throw e.ofField("url");
    }
  }

  /** The same for a call of a group. */
  public void check(AddressGuard guard, Group group) {
    checkParts(guard);
    TargetUrl.check("baseUrl of urlGroup", group.baseUrl(), guard);
    try {
      target(guard, group);
    } catch (RefusedTarget e) {
      throw e.ofField("path");
    }
  }

  /** Where the request goes. */
  TargetUrl target(AddressGuard guard, @Nullable Group group) throws RefusedTarget {
    if (group != null) {
      if (url != null) {
        throw RefusedTarget.invalid(
            "must be given instead of a url, because the job has a urlGroup");
      }
      return group.url(path == null ? "" : path, guard);
    }
    if (url == null || path != null) {
      throw RefusedTarget.invalid(
          "must be given instead of a path, because the job has no urlGroup");
    }
    return TargetUrl.parse(url, guard);
  }

  private void checkParts(AddressGuard guard) {
    verb();
    HeaderRules.check("headers", headers);
    bytes();
    if (callbackUrl != null) {
      TargetUrl.check("callbackUrl", callbackUrl, guard);
    }
    if (failureCallbackUrl != null) {
      TargetUrl.check("failureCallbackUrl", failureCallbackUrl, guard);
    }
  }

  /** The method, in capitals. */
  String verb() {
    String verb = method == null ? "POST" : method.toUpperCase(Locale.ROOT);
    if (!METHODS.contains(verb)) {
      throw SluiceException.invalid(
          "method", "must be GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS");
    }
    return verb;
  }

  /** The bytes that are sent; none where the call has no body. */
  byte[] bytes() {
    if (bodyBase64 == null) {
      return body == null ? new byte[0] : body.content().getBytes(StandardCharsets.UTF_8);
    }
    if (body != null) {
      throw SluiceException.invalid("bodyBase64", "must not be given with a body");
    }
    try {
      return Base64.getDecoder().decode(bodyBase64);
    } catch (IllegalArgumentException e) {
      throw SluiceException.invalid("bodyBase64", "must be base64: " + e.getMessage());
    }
  }

  /** What the body is, unless a header says it. */
  Optional<String> contentType() {
    if (bodyBase64 != null) {
      return Optional.of("application/octet-stream");
    }
    if (body == null) {
      return Optional.empty();
    }
    return Optional.of(body.isText() ? "text/plain; charset=utf-8" : "application/json");
  }

  /** Where it goes, and nothing that may be a secret. */
  @Override
  public String toString() {
    String place = url == null ? String.valueOf(path) : url;
    return "HttpCall[" + method + " " + place.replaceFirst("[?#].*", "") + "]";
  }
}
