package io.sluice;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** The codec used unless another one is given: Jackson, for records, beans, maps and lists. */
public final class JacksonCodec implements Codec {
  private final JsonMapper mapper;
  private final Map<Class<?>, ObjectReader> readers = new ConcurrentHashMap<>();

  public JacksonCodec() {
    this(JsonMapper.builder(bounded()).build());
  }

  public JacksonCodec(JsonMapper mapper) {
    this.mapper = mapper;
  }

  private static JsonFactory bounded() {
    return JsonFactory.builder()
        .streamReadConstraints(StreamReadConstraints.builder()
            .maxNestingDepth(Defaults.MAX_JSON_DEPTH)
            .build())
        .streamWriteConstraints(StreamWriteConstraints.builder()
            .maxNestingDepth(Defaults.MAX_JSON_DEPTH)
            .build())
        .build();
  }

  @Override
  public String encode(Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JacksonException e) {
      throw new SluiceException(
          ErrorCode.INVALID_MESSAGE,
          "payload cannot be written as JSON: " + e.getOriginalMessage(),
          e);
    }
  }

  @Override
  public <T> T decode(String json, Class<T> type) {
    try {
      return readers.computeIfAbsent(type, mapper::readerFor).readValue(json);
    } catch (JacksonException e) {
      throw new SluiceException(
          ErrorCode.INVALID_MESSAGE,
          "payload does not fit " + type.getName() + ": " + e.getOriginalMessage(),
          e);
    }
  }
}
