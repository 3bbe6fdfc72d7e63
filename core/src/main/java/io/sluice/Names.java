package io.sluice;

/** What names may look like. */
public final class Names {
  private static final int LONGEST_NAME = 64;
  private static final int LONGEST_TYPE = 128;
  private static final int LONGEST_TITLE = 128;

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
    return text.length() <= LONGEST_NAME && isOf(text, false, "._-");
  }

  /** Refuses what is not the name of a job type. */
  public static String checkType(String type) {
    if (type.length() > LONGEST_TYPE || !isOf(type, true, "._:/-")) {
      throw SluiceException.invalid(
          "type",
          "must be 1 to 128 of A-Z a-z 0-9 . _ : / - and begin with a letter or digit, was '"
              + shown(type)
              + "'");
    }
    return type;
  }

  /** Refuses what is not the name of a step, by which others of its batch know it and its result. */
  public static String checkStep(String field, String name) {
    boolean wrong = name.isEmpty() || name.length() > LONGEST_NAME;
    if (wrong || !name.chars().allMatch(c -> isStepPart((char) c))) {
      throw SluiceException.invalid(
          field, "must be 1 to 64 of A-Z a-z 0-9 . _ -, was '" + shown(name) + "'");
    }
    return name;
  }

  private static boolean isStepPart(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "._-".indexOf(c) >= 0;
  }

  /** Refuses what is not the name of a batch: a line that people read. */
  public static String checkTitle(String field, String title) {
    if (title.isBlank()
        || title.length() > LONGEST_TITLE
        || title.chars().anyMatch(Character::isISOControl)) {
      throw SluiceException.invalid(
          field, "must be 1 to 128 characters that can be read, was '" + shown(title) + "'");
    }
    return title;
  }

  /** True for one or more digits and letters, and these marks after the first. Every job is asked often. */
  private static boolean isOf(String text, boolean capitals, String marks) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain =
          (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (capitals && c >= 'A' && c <= 'Z');
      if (!plain && (i == 0 || marks.indexOf(c) < 0)) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** The answer to whoever names a queue that was not made. */
  public static SluiceException unknownQueue(String tenant, String queue) {
    return new SluiceException(
        ErrorCode.NOT_FOUND,
        "tenant '%s' has no queue '%s': create the queue first".formatted(tenant, queue));
  }

  private static String shown(String name) {
    String start = name.length() > 80 ? name.substring(0, 80) + "…" : name;
    return start.replaceAll("\\p{Cntrl}", "?");
  }
}
