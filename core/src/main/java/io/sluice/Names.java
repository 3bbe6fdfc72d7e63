package io.sluice;

import java.util.regex.Pattern;

/** What names may look like. */
public final class Names {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");
  private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}");

  private Names() {}

  /** Refuses what is not the name of a tenant, a queue or the like. */
  public static String check(String field, String name) {
    if (!isName(name)) {
      throw SluiceException.invalid(
          field,
          "must be 1 to 64 of a-z 0-9 . _ - and begin with a letter or digit, was '"
              + shown(name)
              + "'");
    }
    return name;
  }

  /** True for what may be the name of a tenant, a queue or the like. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /** Refuses what is not the name of a job type. */
  public static String checkType(String type) {
    if (!TYPE.matcher(type).matches()) {
      throw SluiceException.invalid(
          "type",
          "must be 1 to 128 of A-Z a-z 0-9 . _ : / - and begin with a letter or digit, was '"
              + shown(type)
              + "'");
    }
    return type;
  }

  /** The answer to whoever names a queue that was not made. */
  public static SluiceException unknownQueue(String tenant, String queue) {
    return new SluiceException(
        ErrorCode.NOT_FOUND,
        "tenant '%s' has no queue '%s'; make it with queues().save(QueueSettings.of(\"%s\", \"%s\"))"
            .formatted(tenant, queue, tenant, queue));
  }

  private static String shown(String name) {
    String start = name.length() > 80 ? name.substring(0, 80) + "…" : name;
    return start.replaceAll("\\p{Cntrl}", "?");
  }
}
