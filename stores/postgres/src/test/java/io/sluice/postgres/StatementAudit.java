package io.sluice.postgres;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads statements and says which of their writes go round the claim row. Three rules: a write to
 * {@code running} names the id, the turn and the worker; a row that enters {@code running} left {@code ready} in
 * the same statement; and whatever else is written about a job comes from a row that the same
 * statement took away, or from a claim that it matched and locked.
 */
final class StatementAudit {
  /** One write that breaks a rule: the statement and part it is in, and the rule. */
  record Complaint(String where, String rule) {}

  static final String BY_CLAIM = "a write to running matches id, turn and worker";
  static final String FROM_READY = "what enters running left ready in the same statement";
  static final String FED = "the rows come from what the statement took away or matched by claim";

  private static final Set<String> STATES = Set.of("running", "ready", "later", "done");
  private static final Set<String> NOTES = Set.of("job_error", "job_log", "job_progress");
  private static final String RELATION = "(?:only\\s+)?(?:\"?\\w+\"?\\.)?\"?(\\w+)\"?";
  private static final Pattern WRITE = Pattern.compile(
      "\\b(delete\\s+from|update|insert\\s+into|copy|truncate(?:\\s+table)?|merge\\s+into)\\s+"
          + RELATION
          + "(?:\\s+(?:as\\s+)?(?!using\\b|where\\b|set\\b|select\\b|from\\b|values\\b)(\\w+))?");
  private static final Pattern PART =
      Pattern.compile("^(\\w+)\\s+as\\s*(?:not\\s+materialized|materialized)?\\s*\\(");
  private static final Pattern SOURCE = Pattern.compile("\\bfrom\\s+" + RELATION + "(?=[\\s)]|$)");
  private static final Pattern FUNCTION = Pattern.compile(
      "create\\s+(?:or\\s+replace\\s+)?(?:function|procedure)\\s+\\S*?(\\w+)\"?\\s*\\(");

  private final List<Complaint> complaints = new ArrayList<>();

  private StatementAudit() {}

  /** The complaints about one statement. */
  static List<Complaint> of(String name, String statement) {
    StatementAudit audit = new StatementAudit();
    audit.statement(name, Nesting.plain(statement));
    return audit.complaints;
  }

  /** The complaints about a migration: its own statements, and those within its functions. */
  static List<Complaint> ofMigration(String file, String text) {
    StatementAudit audit = new StatementAudit();
    for (String statement : Nesting.split(Nesting.plain(text), ';')) {
      Matcher function = FUNCTION.matcher(statement);
      if (function.find()) {
        String body = statement.substring(Math.max(0, statement.indexOf("$$")));
        for (String inner : body.replace("$$", " ").split(";", -1)) {
          audit.statement(function.group(1), inner.strip());
        }
      } else {
        audit.statement(file, statement);
      }
    }
    return audit.complaints;
  }

  private void statement(String name, String statement) {
    Map<String, String> parts = parts(statement);
    Set<String> fed = new HashSet<>();
    Set<String> fromReady = new HashSet<>();
    boolean grew = true;
    while (grew) {
      grew = false;
      for (Map.Entry<String, String> part : parts.entrySet()) {
        grew |= feeds(part.getValue(), fed, STATES) && fed.add(part.getKey());
        grew |= feeds(part.getValue(), fromReady, Set.of("ready")) && fromReady.add(part.getKey());
      }
    }
    parts.forEach((part, text) -> {
      String where = part.isEmpty() ? name : name + "/" + part;
      Matcher write = WRITE.matcher(text);
      while (write.find()) {
        check(where, write, text.substring(write.start()), parts, fed, fromReady);
      }
    });
  }

  private void check(
      String where,
      Matcher write,
      String text,
      Map<String, String> parts,
      Set<String> fed,
      Set<String> fromReady) {
    String verb = write.group(1);
    String table = write.group(2).replaceFirst("_\\d+$", "");
    boolean adds = verb.startsWith("insert") || verb.startsWith("copy") || verb.startsWith("merge");
    if (table.equals("running")) {
      if (adds && !drawsFrom(text, fromReady)) {
        complaints.add(new Complaint(where, FROM_READY));
      } else if (!adds && !namesClaim(text, write.group(3))) {
        complaints.add(new Complaint(where, BY_CLAIM));
      }
    } else if (adds && (STATES.contains(table) || NOTES.contains(table))) {
      Set<String> sources = new HashSet<>(fed);
      parts.forEach((part, body) -> {
        if (takes(body, Set.of(table)) || (NOTES.contains(table) && locksClaim(body))) {
          sources.add(part);
        }
      });
      if (!drawsFrom(text, sources)) {
        complaints.add(new Complaint(where, FED));
      }
    }
  }

  /** The parts of a statement by name; the last, which is the statement proper, has none. */
  private static Map<String, String> parts(String statement) {
    Map<String, String> parts = new LinkedHashMap<>();
    String rest = statement.replaceFirst("^with\\s+(recursive\\s+)?", "");
    boolean more = !rest.equals(statement);
    while (more) {
      Matcher part = PART.matcher(rest);
      if (!part.find()) {
        throw new IllegalArgumentException("cannot read: " + rest);
      }
      int end = Nesting.close(rest, part.end() - 1);
      parts.put(part.group(1), rest.substring(part.end(), end).strip());
      rest = rest.substring(end + 1).strip();
      more = rest.startsWith(",");
      rest = more ? rest.substring(1).strip() : rest;
    }
    parts.put("", rest);
    return parts;
  }

  /** True when each row of this part is one that a state table lost, or stems from such a part. */
  private static boolean feeds(String text, Set<String> fed, Set<String> tables) {
    return takes(text, tables) || (text.startsWith("select") && drawsFrom(text, fed));
  }

  private static boolean takes(String text, Set<String> tables) {
    Matcher write = WRITE.matcher(text);
    return write.lookingAt()
        && write.group(1).startsWith("delete")
        && tables.contains(write.group(2).replaceFirst("_\\d+$", ""))
        && Nesting.word(text, "returning") >= 0;
  }

  private static boolean locksClaim(String text) {
    Matcher source = SOURCE.matcher(text);
    return text.matches("(?s)select .*\\bfor (no key )?update$")
        && source.find()
        && source.group(1).equals("running")
        && namesClaim(text.replaceFirst("\\s+for (no key )?update$", ""), "r");
  }

  /** True when every branch of the select takes its rows from one of these parts. */
  private static boolean drawsFrom(String text, Set<String> sources) {
    if (text.matches("(?s).*\\b(right|full)\\s+(outer\\s+)?join\\b.*")) {
      return false;
    }
    int select = Nesting.word(text, "select");
    if (select < 0) {
      return false;
    }
    for (String branch : Nesting.flat(text.substring(select)).split("\\bunion all\\b", -1)) {
      Matcher source = SOURCE.matcher(branch);
      if (!source.find() || !sources.contains(source.group(1))) {
        return false;
      }
    }
    return true;
  }

  /** True when the condition is a conjunction in which the id, the turn and the worker are compared. */
  private static boolean namesClaim(String text, @Nullable String alias) {
    int where = Nesting.word(text, "where");
    if (where < 0) {
      return false;
    }
    int returning = Nesting.word(text, "returning");
    String condition = text.substring(where + 5, returning < 0 ? text.length() : returning);
    Set<String> compared = new HashSet<>();
    Pattern several = Pattern.compile(
        "^\\(\\((%1$s\\.\\w+(?:, %1$s\\.\\w+)+)\\) in \\( select (.+?) from .* \\)\\) is true$"
            .formatted(alias));
    for (String term : condition.split("\\band\\b", -1)) {
      Matcher equal =
          Pattern.compile("^(?:(\\w+)\\.)?(id|turn|worker) = (\\S+)$").matcher(term.strip());
      if (equal.find()
          && (equal.group(1) == null || equal.group(1).equals(alias))
          && !equal.group(3).matches("(" + alias + "\\.)?(id|turn|worker)")) {
        compared.add(equal.group(2));
      } else {
        compared.addAll(comparedTogether(several.matcher(term.strip()), alias));
      }
    }
    return compared.containsAll(Set.of("id", "turn", "worker"));
  }

  /** The columns of the claim that a list of rows is compared with, each with the column of its own name. */
  private static Set<String> comparedTogether(Matcher several, @Nullable String alias) {
    if (!several.matches()) {
      return Set.of();
    }
    String columns = several.group(1).replace(alias + ".", "");
    String given = several.group(2);
    boolean alike = given.matches("(\\w+)\\.\\w+(, \\1\\.\\w+)*")
        && !given.startsWith(alias + ".")
        && given.replaceAll("\\w+\\.", "").equals(columns);
    return alike ? Set.of(columns.split(", ", -1)) : Set.of();
  }
}
