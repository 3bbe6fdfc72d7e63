package io.sluice.server.job;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.sluice.Metadata;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a job carries beside its payload, as callers write and read it. */
record MetadataBody(
    @Nullable String correlationId,
    @Nullable String source,
    @Nullable String userId,
    @Nullable String companyId,
    @Nullable String traceparent,
    @JsonSetter(contentNulls = Nulls.SET) @Nullable Map<String, Object> custom) {
  static final MetadataBody NONE = new MetadataBody(null, null, null, null, null, null);

  static MetadataBody of(Metadata metadata) {
    return new MetadataBody(
        metadata.correlationId(),
        metadata.source(),
        metadata.userId(),
        metadata.companyId(),
        metadata.traceparent(),
        metadata.custom());
  }

  Metadata metadata() {
    return new Metadata(
        correlationId, source, userId, companyId, traceparent, custom == null ? Map.of() : custom);
  }

  /** The same, under the trace that the call came with where the job names none. */
  MetadataBody tracedBy(@Nullable String parent) {
    return traceparent != null || parent == null
        ? this
        : new MetadataBody(correlationId, source, userId, companyId, parent, custom);
  }
}
