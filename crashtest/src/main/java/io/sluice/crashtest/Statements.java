package io.sluice.crashtest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which SQL an answer on a PostgreSQL connection belongs to. Follows the client's messages (parse, bind,
 * execute, sync, simple query) and pairs them with the server's.
 */
final class Statements {
  private static final String SYNC = "";

  private final Map<String, String> prepared = new HashMap<>();
  private final Map<String, String> portals = new HashMap<>();
  private final Deque<String> pending = new ArrayDeque<>();
  private final List<String> transaction = new ArrayList<>();
  /** What was asked for since the last sync. */
  private final List<String> asked = new ArrayList<>();

  private boolean simple;
  private boolean idle = true;

  synchronized void sent(byte type, byte[] body) {
    switch (type) {
      case 'P' -> prepared.put(text(body, 0), text(body, text(body, 0).length() + 1));
      case 'B' -> {
        String portal = text(body, 0);
        String statement = text(body, portal.length() + 1);
        portals.put(portal, prepared.getOrDefault(statement, "?"));
      }
      case 'E' -> {
        String statement = portals.getOrDefault(text(body, 0), "?");
        pending.add(statement);
        asked.add(statement);
      }
      case 'Q' -> {
        simple = true;
        pending.add(text(body, 0));
        pending.add(SYNC);
      }
      case 'S' -> {
        pending.add(SYNC);
        asked.clear();
      }
      default -> {
        // Says nothing of what runs.
      }
    }
  }

  /** True when the client waits for no answer. */
  synchronized boolean areAnswered() {
    return pending.isEmpty();
  }

  /**
   * The statements of the transaction that the next sync commits, as far as they are known by now; none
   * when it commits nothing.
   */
  synchronized List<String> committed() {
    boolean ends = asked.stream().anyMatch(text -> isWord(text, "COMMIT"));
    // A transaction's begin is sent ahead of its first statement, and may not be answered yet.
    boolean alone = idle && pending.stream().noneMatch(text -> isWord(text, "BEGIN"));
    if (!ends && !alone) {
      return List.of();
    }
    List<String> all = new ArrayList<>(transaction);
    all.addAll(asked);
    return all;
  }

  private static boolean isWord(String text, String word) {
    return text.toUpperCase(Locale.ROOT).startsWith(word);
  }

  /**
   * Takes note of a message of the server. When it says that a statement was carried out, the answer
   * are the statements of its transaction so far, that one last; otherwise none.
   */
  synchronized List<String> answered(byte type, byte[] body) {
    switch (type) {
      case 'C' -> {
        String statement = simple ? pending.peek() : pending.poll();
        transaction.add(statement == null ? "?" : statement);
        return List.copyOf(transaction);
      }
      case 'I', 's' -> pending.poll();
      case 'Z' -> ready(body.length > 0 && body[0] == 'I');
      default -> {
        // Rows, parameters, notices and the like.
      }
    }
    return List.of();
  }

  private void ready(boolean isIdle) {
    simple = false;
    idle = isIdle;
    String passed = pending.poll();
    while (passed != null && !passed.equals(SYNC)) {
      passed = pending.poll();
    }
    if (isIdle) {
      transaction.clear();
    }
  }

  private static String text(byte[] body, int from) {
    int end = from;
    while (end < body.length && body[end] != 0) {
      end++;
    }
    return new String(body, from, end - from, StandardCharsets.ISO_8859_1);
  }
}
