package io.sluice;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a job carries beside its payload, for people and for tracing. */
public record Metadata(
    @Nullable String correlationId,
    @Nullable String source,
    @Nullable String userId,
    @Nullable String companyId,
    @Nullable String traceparent,
    Map<String, Object> custom) {

  public static final Metadata NONE = new Metadata(null, null, null, null, null, Map.of());

  public Metadata {
    custom = Collections.unmodifiableMap(new LinkedHashMap<>(custom));
  }

  public Metadata withCorrelationId(String id) {
    return new Metadata(id, source, userId, companyId, traceparent, custom);
  }

  public Metadata withSource(String name) {
    return new Metadata(correlationId, name, userId, companyId, traceparent, custom);
  }

  public Metadata withUserId(String id) {
    return new Metadata(correlationId, source, id, companyId, traceparent, custom);
  }

  public Metadata withCompanyId(String id) {
    return new Metadata(correlationId, source, userId, id, traceparent, custom);
  }

  public Metadata withTraceparent(String parent) {
    return new Metadata(correlationId, source, userId, companyId, parent, custom);
  }

  public Metadata with(String key, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(custom);
    more.put(key, value);
    return new Metadata(correlationId, source, userId, companyId, traceparent, more);
  }
}
