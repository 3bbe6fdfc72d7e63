package io.sluice.server.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A set of defaults for a kind of use. It is in force only when it is named. */
enum Profile {
  DEVELOPMENT(
      Map.of(Key.SLOTS, "2", Key.ATTEMPTS, "2", Key.RETRY_DELAY, "500ms", Key.QUEUE_SIZE, "100")),
  PRODUCTION(Map.of(
      Key.SLOTS, "20",
      Key.ATTEMPTS, "5",
      Key.RETRY_DELAY, "2s",
      Key.QUEUE_SIZE, "10000",
      Key.TIMEOUT, "60s")),
  HIGH_VOLUME(
      Map.of(Key.SLOTS, "50", Key.ATTEMPTS, "3", Key.RETRY_DELAY, "1s", Key.QUEUE_SIZE, "50000"));

  @SuppressWarnings("ImmutableEnumChecker") // what Map.of makes does not change
  private final Map<Key, String> values;

  Profile(Map<Key, String> values) {
    this.values = values;
  }

  /** The name that it is called by. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What it says of a setting, if anything. */
  Optional<String> value(Key key) {
    return Optional.ofNullable(values.get(key));
  }

  List<Given> given() {
    return values.entrySet().stream()
        .map(e ->
            new Given(e.getKey(), List.of(e.getValue()), Given.Source.PROFILE, "profile " + word()))
        .toList();
  }
}
