package io.sluice.server.backup;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a backup says of itself.
 *
 * @param format the version of the form of the file
 * @param sluice the version of the program that wrote it
 * @param migrations for each part of the schema the versions that it had
 * @param masterKeys the names of the master keys without which its secrets do not open
 * @param keyFiles the names of key files in it, which make the whole file a secret
 */
public record Manifest(
    int format,
    String sluice,
    Instant createdAt,
    Map<String, Set<Integer>> migrations,
    Contents contents,
    List<String> masterKeys,
    List<String> keyFiles) {
  /** The form that this program writes, and the newest that it reads. */
  public static final int FORMAT = 1;

  /** The tables in it and where each sequence stood. */
  public record Contents(List<Table> tables, Map<String, Long> sequences) {}

  /** One table: the names of its columns, how many rows, and the SHA-256 of their text. */
  public record Table(String name, List<String> columns, long rows, String sha256) {}

  public long rows() {
    return contents.tables.stream().mapToLong(Table::rows).sum();
  }

  /** What is in it, as its owner would count it. */
  public String summary() {
    return String.join(
        ", ",
        counted("job", "ready", "later", "running", "done"),
        counted("queue", "queue"),
        counted("tenant", "tenant"),
        counted("URL group", "url_group"),
        counted("API key", "api_key"));
  }

  private String counted(String word, String... tables) {
    long rows = contents.tables.stream()
        .filter(table -> List.of(tables).contains(table.name))
        .mapToLong(Table::rows)
        .sum();
    return rows + " " + word + (rows == 1 ? "" : "s");
  }
}
