package io.sluice.server.job;

import io.sluice.Codec;
import io.sluice.JacksonCodec;
import io.sluice.JobRecord;
import io.sluice.RetryPolicy;
import io.sluice.SluiceException;
import io.sluice.http.AddressGuard;
import io.sluice.http.Group;
import io.sluice.http.Groups;
import io.sluice.http.HttpCall;
import io.sluice.http.JsonValue;
import io.sluice.http.SecretNames;
import io.sluice.server.delivery.CallSecrets;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.RawJson;
import io.sluice.server.secret.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs that are HTTP requests: from what a producer sends to the payload, and back. */
public final class HttpJobs {
  private final Groups groups;
  private final AddressGuard guard;
  private final CallSecrets secrets;
  private final Json json;
  private final Codec codec = new JacksonCodec();

  /**
   * @param guard says where requests may go, so that what would never be sent is not even taken
   * @param secrets keeps the credentials in calls sealed
   */
  public HttpJobs(Groups groups, AddressGuard guard, CallSecrets secrets, Json json) {
    this.groups = groups;
    this.guard = guard;
    this.secrets = secrets;
    this.json = json;
  }

  static boolean isHttp(JobRecord job) {
    return job.type().equals(HttpCall.TYPE);
  }

  /** The payload of a job for a group, or for none; notes what is wrong with it. */
  String payload(Checks checks, String tenant, @Nullable String group, JobBody body) {
    size(checks, body);
    HttpCall call = call(body);
    if (group != null) {
      Optional<Group> found = groups.find(tenant, group);
      checks.require(
          found.isPresent(),
          "urlGroup",
          "must be a URL group of the tenant; there is no '" + group + "'");
      found.ifPresent(known -> take(checks, () -> call.check(guard, known)));
    } else if (body.url() != null) {
      take(checks, () -> call.check(guard));
    }
    return json.text(secrets.seal(tenant, call));
  }

  private static void take(Checks checks, Runnable check) {
    checks.take("", () -> {
      check.run();
      return true;
    });
  }

  private static HttpCall call(JobBody body) {
    RawJson content = body.body();
    return new HttpCall(
        body.url(),
        body.path(),
        body.method() == null ? "POST" : body.method().toUpperCase(Locale.ROOT),
        body.headers() == null ? Map.of() : body.headers(),
        content == null ? null : JsonValue.of(content.text()),
        body.bodyBase64(),
        null,
        body.callbackUrl(),
        body.failureCallbackUrl());
  }

  private void size(Checks checks, JobBody body) {
    RawJson content = body.body();
    if (content != null) {
      boolean text = content.text().startsWith("\"");
      JobReader.checkSize(
          "body",
          text
              ? json.tree(content.text()).asString().getBytes(StandardCharsets.UTF_8).length
              : content.bytes());
    }
    String base64 = body.bodyBase64();
    if (base64 != null && base64.length() > 1 << 20) {
      try {
        JobReader.checkSize("bodyBase64", Base64.getDecoder().decode(base64).length);
      } catch (IllegalArgumentException e) {
        checks.require(false, "bodyBase64", "must be base64");
      }
    }
  }

  /** What an HTTP job asks for, as it is shown. */
  record View(
      @Nullable String url,
      @Nullable String path,
      @Nullable String method,
      @Nullable Map<String, String> headers,
      @Nullable RawJson body,
      @Nullable String bodyBase64,
      @Nullable String callbackUrl,
      @Nullable String failureCallbackUrl,
      @Nullable RawJson payload) {
    private static View ofPayload(String payload) {
      return new View(null, null, null, null, null, null, null, null, new RawJson(payload));
    }
  }

  /** What a job asks for, with the values of headers and parameters that are credentials hidden. */
  View view(JobRecord job) {
    return view(job, CallSecrets::masked);
  }

  /** What a job asks for, nothing hidden: for whoever is to do it. */
  View whole(JobRecord job) {
    return view(job, call -> secrets.open(job.tenant(), call));
  }

  private View view(JobRecord job, UnaryOperator<HttpCall> shown) {
    if (!isHttp(job)) {
      return View.ofPayload(job.payload());
    }
    return call(job)
        .map(shown)
        .map(HttpJobs::view)
        // It came by another way than this API and cannot be delivered, but it can be shown.
        .orElseGet(() -> View.ofPayload(redacted(job.payload())));
  }

  private Optional<HttpCall> call(JobRecord job) {
    try {
      return Optional.of(codec.decode(job.payload(), HttpCall.class));
    } catch (SluiceException e) {
      return Optional.empty();
    }
  }

  private static View view(HttpCall call) {
    JsonValue body = call.body();
    return new View(
        call.url(),
        call.path(),
        Objects.requireNonNullElse(call.method(), "POST"),
        call.headers(),
        body == null ? null : new RawJson(body.json()),
        call.bodyBase64(),
        call.callbackUrl(),
        call.failureCallbackUrl(),
        null);
  }

  /** The payload of a job as far as it is shown, for searching. */
  String shown(JobRecord job) {
    if (!isHttp(job)) {
      return job.payload();
    }
    HttpCall call = call(job).orElse(null);
    if (call == null) {
      return redacted(job.payload());
    }
    HttpCall masked = CallSecrets.masked(call);
    return masked.equals(call) ? job.payload() : json.text(masked);
  }

  /** The result of a job; that of an HTTP job without what its receiver meant for the caller alone. */
  @Nullable
  RawJson result(JobRecord job) {
    String result = job.status().result();
    return result == null ? null : new RawJson(isHttp(job) ? redacted(result) : result);
  }

  /** The policy of the group that the job is for, if it has one. */
  Optional<RetryPolicy> retry(JobRecord job) {
    return job.lane().hasGroup()
        ? groups.find(job.tenant(), job.lane().groupName()).map(Group::retry)
        : Optional.empty();
  }

  /** JSON in which the values of headers that carry credentials are hidden, and nothing else changed. */
  private String redacted(String text) {
    JsonNode tree = json.tree(text);
    if (!(tree.path("headers") instanceof ObjectNode headers)) {
      return text;
    }
    List<String> secrets = headers
        .propertyStream()
        .map(Map.Entry::getKey)
        .filter(SecretNames::contains)
        .toList();
    secrets.forEach(name -> headers.put(name, Secret.HIDDEN));
    return secrets.isEmpty() ? text : tree.toString();
  }
}
