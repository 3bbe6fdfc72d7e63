package io.sluice.server.fuzz;

import java.util.List;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Values that programs trip over. None of them is a duration of 1 s to 60 s, for which a claim would wait. */
final class OddValues {
  private static final JsonMapper MAPPER = new JsonMapper();

  /** Values in a body, as JSON. */
  private static final List<String> IN_JSON = List.of(
      "null",
      "true",
      "false",
      "0",
      "-1",
      "1.5",
      "-0.0",
      "1e400",
      "1e-400",
      "1e2147483647",
      "9223372036854775807",
      "9223372036854775808",
      "-9223372036854775809",
      "2147483648",
      "9007199254740993.5",
      "\"\"",
      "\" \"",
      "\"\\t\"",
      "\"\\u0000\"",
      "\"a\\u0000b\"",
      "\"\\ud800\"",
      "\"\\udc00x\"",
      "\"\\ud83d\\ude00\"",
      "\"\\u202e\\u200b\\ufeff\"",
      "\"e\\u0301\"",
      "\"\\u0130\"",
      "[]",
      "{}",
      "[null]",
      "[[[]]]",
      "[{}]",
      "{\"a\":null}",
      "{\"\":1}",
      "\"NaN\"",
      "\"5\"",
      "\"true\"",
      "\"null\"",
      "\"-1s\"",
      "\"0s\"",
      "\"1y\"",
      "\"P1Y\"",
      "\"PT-1S\"",
      "\"1e9h\"",
      "\"99999999999999999999s\"",
      "\"4000d\"",
      "\"0000-01-01T00:00:00Z\"",
      "\"+10000-01-01T00:00:00Z\"",
      "\"-999999999-01-01T00:00:00Z\"",
      "\"2026-02-30T00:00:00Z\"",
      "\"2026-01-01T25:00:00Z\"",
      "\"2026-01-01\"",
      "\"2026-01-01T00:00:00+18:00\"",
      "\"http://\"",
      "\"http://127.0.0.1:99999/\"",
      "\"ftp://127.0.0.1/\"",
      "\"//\"",
      "\"..\"",
      "\"/../..\"",
      "\"%00\"",
      "\"*\"",
      "\"key:*\"",
      "\"\\\\\"",
      "\"' or 1=1; --\"",
      "\"${jndi:x}\"",
      "\"{{ results.x }}\"",
      "\"{{ results.\"",
      "\"sluice:x\"",
      "\"default\"",
      "\"http\"",
      "\"a\\r\\nb: c\"",
      "\"0192f0c1-2b7e-7000-8000-000000000000\"",
      "\"0192F0C1-2B7E-7000-8000-00000000000\"");

  /** Values in a path or query, before they are escaped. */
  private static final List<String> IN_TEXT = List.of(
      " ",
      "\u0000",
      "a\u0000",
      "\ud83d\ude00",
      "\u202e",
      "-1",
      "0",
      "251",
      "1.5",
      "1e3",
      "99999999999",
      "true",
      "TRUE",
      "yes",
      "null",
      "..",
      ".",
      "a/b",
      "a%2Fb",
      "*",
      "key:*",
      "key:",
      "queue:",
      ":",
      "type:\u0000",
      "' or 1=1; --",
      "0192f0c1-2b7e-7000-8000-000000000000",
      "0192f0c1-2b7e-7000-8000",
      "urn:uuid:0192f0c1-2b7e-7000-8000-000000000000",
      "0000-01-01T00:00:00Z",
      "+10000-01-01T00:00:00Z",
      "-999999999-01-01",
      "2026-02-30",
      "DEAD,DEAD",
      "DEAD,",
      ",",
      "dead",
      "UNKNOWN",
      "eyJhIjoxfQ",
      "a,b",
      "\\",
      "%",
      "\t",
      "\n");

  /** Pieces of a request line that are not well escaped, or of another path. */
  private static final List<String> RAW = List.of(
      "%zz",
      "%",
      "%0",
      "%c3%28",
      "%00",
      "%2e%2e",
      "%2E%2E%2F",
      "..",
      "a;b=c",
      "a%20b",
      "%6d",
      "a+b",
      "%ff",
      "%ud800",
      "a%0d%0ab",
      "%F0%9F%98%80",
      "~",
      "a'b",
      "",
      "%C0%80");

  private OddValues() {}

  static JsonNode json(RandomGenerator random) {
    return switch (random.nextInt(40)) {
      case 0 -> MAPPER.getNodeFactory().stringNode("x".repeat(300));
      case 1 -> MAPPER.getNodeFactory().stringNode("é".repeat(9_000));
      case 2 -> MAPPER.readTree("[".repeat(250) + "]".repeat(250));
      case 3 -> MAPPER.readTree("{\"a\":".repeat(150) + "1" + "}".repeat(150));
      default -> MAPPER.readTree(pick(IN_JSON, random));
    };
  }

  static String text(RandomGenerator random) {
    return switch (random.nextInt(30)) {
      case 0 -> "x".repeat(300);
      case 1 -> "x".repeat(9_000);
      default -> pick(IN_TEXT, random);
    };
  }

  static String raw(RandomGenerator random) {
    return pick(RAW, random);
  }

  /** Whole bodies that are no JSON, or none that any operation takes. */
  static String body(String good, RandomGenerator random) {
    return switch (random.nextInt(16)) {
      case 0 -> "";
      case 1 -> "null";
      case 2 -> "[]";
      case 3 -> "\"text\"";
      case 4 -> good + "x";
      case 5 -> good + good;
      case 6 -> good.isEmpty() ? "{" : good.substring(0, good.length() / 2);
      case 7 -> "{\"a\":1,\"a\":2}";
      case 8 -> "[".repeat(5_000);
      case 9 -> "{\"a\":NaN}";
      case 10 -> "\ufeff" + good;
      case 11 -> "{\"a\":1e999999999999}";
      case 12 -> "{\"payload\":" + "9".repeat(5_000) + "}";
      case 13 -> "{\"type\":\"a\",\"payload\":\"" + "x".repeat(1_100_000) + "\"}";
      case 14 -> "{'a':1} // no";
      default -> "a=b&c=d";
    };
  }

  private static String pick(List<String> from, RandomGenerator random) {
    return from.get(random.nextInt(from.size()));
  }
}
