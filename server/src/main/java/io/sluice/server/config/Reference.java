package io.sluice.server.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The config file with every setting in it, each explained and each as it is by default. */
public final class Reference {
  private static final int WIDTH = 100;
  private static final String HEAD = """
      # Every setting of 'sluice server', as it is where nobody says otherwise. Take what you need out of
      # the comments and start with --config FILE.
      #
      # Each is also a flag (--database-url) and a variable (SLUICE_DATABASE_URL). Flags go before variables,
      # variables before this file, the file before the profile, the profile before the defaults.
      # Secrets belong into variables, or into a file that only the server can read.
      #
      # 'sluice config reference' prints this file, 'sluice config show' what is in force and why.
      """;

  private Reference() {}

  public static String yaml() {
    StringBuilder text = new StringBuilder(HEAD);
    for (Key.Section section : Key.Section.values()) {
      text.append("\n# ---- ").append(section.title).append(" ----\n");
      Arrays.stream(Key.values())
          .filter(key -> key.section == section && key != Key.CONFIG)
          .forEach(key -> setting(text, key));
    }
    return text.toString();
  }

  private static void setting(StringBuilder text, Key key) {
    text.append('\n');
    comment(text, capital(key.about) + ".");
    comment(text, key.more);
    comment(text, "Takes " + kind(key) + "; " + unless(key) + "; " + variables(key) + ".");
    comment(text, profiles(key));
    text.append('#').append(key.id()).append(": ");
    text.append(key.standard == null ? example(key) : key.standard).append('\n');
  }

  private static String variables(Key key) {
    return key.variable()
        + key.fileVariable().map(name -> ", or a file named by " + name).orElse("");
  }

  private static void comment(StringBuilder text, String words) {
    StringBuilder line = new StringBuilder("#");
    for (String word : words.isEmpty() ? new String[0] : words.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        text.append(line).append('\n');
        line = new StringBuilder("#");
      }
      line.append(' ').append(word);
    }
    if (line.length() > 1) {
      text.append(line).append('\n');
    }
  }

  private static String capital(String words) {
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  private static String unless(Key key) {
    return key.otherwise().isEmpty() ? "no default" : "default: " + key.otherwise();
  }

  private static String kind(Key key) {
    String one = switch (key.takes) {
      case "" -> "true or false";
      case "N", "PORT" -> "a number";
      case "TIME" -> "a duration (500ms, 30s, 5m)";
      case "SHARE" -> "a share from 0 to 1";
      case "FILE" -> "the path of a file";
      case "FOLDER" -> "the path of a folder";
      case "URL" -> "a URL";
      case "CIDR" -> "a range of addresses (10.0.0.0/8)";
      case "ROLE" -> words(Role.values());
      case "STORE" -> words(Store.values());
      case "PROFILE" -> words(Profile.values());
      default -> "a text";
    };
    return key.isList() ? one + ", or a list" : one;
  }

  private static String words(Enum<?>[] values) {
    return Arrays.stream(values)
        .map(value -> value.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .collect(Collectors.joining(", ", "one of ", ""));
  }

  private static String profiles(Key key) {
    String told = Arrays.stream(Profile.values())
        .flatMap(profile -> profile.value(key).map(v -> profile.word() + " " + v).stream())
        .collect(Collectors.joining(", "));
    return told.isEmpty() ? "" : "Profiles: " + told + ".";
  }

  /** What could stand there, where nothing does. */
  private static String example(Key key) {
    return switch (key) {
      case TLS_CERT -> "/etc/sluice/cert.pem";
      case TLS_KEY -> "/etc/sluice/key.pem";
      case DATABASE_URL -> "jdbc:postgresql://127.0.0.1:5432/sluice";
      case DATABASE_USER -> "sluice";
      case REDIS_URL -> "redis://127.0.0.1:6379";
      case PROFILE -> "production";
      case QUEUE_SIZE -> "10000";
      case ALLOW_TARGET -> "[10.20.0.0/16]";
      case JWT_ISSUER -> "https://issuer.example.com";
      case JWT_AUDIENCE -> "sluice";
      case JWT_ALGORITHMS -> "[RS256]";
      case JWT_JWKS_URL -> "https://issuer.example.com/jwks.json";
      default -> "...";
    };
  }
}
