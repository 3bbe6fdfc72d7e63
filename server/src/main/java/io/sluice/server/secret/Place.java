package io.sluice.server.secret;

import java.nio.charset.StandardCharsets;

/**
 * Where a sealed text is kept. It opens there and nowhere else, so that a row put in the place of
 * another one in the database is noticed.
 */
public record Place(String tenant, String table, String column, String row) {
  /** The place as bytes; the lengths keep two places apart that differ in where a part ends. */
  byte[] associated() {
    StringBuilder text = new StringBuilder("sluice");
    for (String part : new String[] {tenant, table, column, row}) {
      text.append('|').append(part.length()).append(':').append(part);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
