package io.sluice.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page with commands and what they print, in blocks of {@code console}. */
final class Transcript {
  private static final String FENCE = "```";
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  /** The ids of the page, by those of this run. */
  private final Map<String, String> ids = new LinkedHashMap<>();

  /** The page again, with what the commands print now: {@code run} gets a command and gives its output. */
  String played(String page, UnaryOperator<String> run) {
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    for (String line : page.lines().toList()) {
      if (line.startsWith(FENCE)) {
        inside = line.equals(FENCE + "console");
      }
      if (!inside || line.startsWith(FENCE)) {
        lines.add(line);
      } else if (line.startsWith("$ ")) {
        lines.add(line);
        run.apply(real(line.substring(2))).lines().map(this::shown).forEach(lines::add);
      }
    }
    return String.join("\n", lines) + "\n";
  }

  /** A command of the page with the ids of this run. */
  private String real(String command) {
    String real = command;
    for (Map.Entry<String, String> id : ids.entrySet()) {
      real = real.replace(id.getValue(), id.getKey());
    }
    return real;
  }

  /** A line of this run with the ids of the page, which are numbered as they come. */
  private String shown(String line) {
    return ID.matcher(line)
        .replaceAll(found -> ids.computeIfAbsent(
            found.group(), id -> "01920000-0000-7000-8000-%012d".formatted(ids.size() + 1)));
  }

  /** The page without what differs from run to run. */
  static String masked(String page) {
    String masked = page.replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC", "TIME")
        .replaceAll("\\b(\\d+[smhd] ago|now)\\b", "AGO")
        .replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:PORT")
        .replaceAll("(?m)^(\\S{36} is) (PENDING|RUNNING|COMPLETED)$", "$1 STATE")
        .replaceAll("\\b\\d+m?s\\b", "SPAN");
    Matcher gaps = Pattern.compile(" {2,}").matcher(masked);
    return gaps.replaceAll("  ");
  }
}
