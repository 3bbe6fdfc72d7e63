package io.sluice.server.rest;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Checks that a body is UTF-8 and nothing else, which the JSON parser would take as well. */
final class Utf8 {
  private static final int SLICE = 4 << 10;
  private static final int FIRST = 4;

  private Utf8() {}

  static void check(byte[] body) {
    // By a NUL among its first bytes the parser knows UTF-16 and UTF-32.
    for (int i = 0; i < Math.min(FIRST, body.length); i++) {
      if (body[i] == 0) {
        throw refused();
      }
    }
    boolean marked = body.length >= 3
        && body[0] == (byte) 0xef
        && body[1] == (byte) 0xbb
        && body[2] == (byte) 0xbf;
    if (marked || !isValid(body)) {
      throw refused();
    }
  }

  private static boolean isValid(byte[] body) {
    CharsetDecoder decoder = StandardCharsets.UTF_8
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(body);
    CharBuffer out = CharBuffer.allocate(Math.min(SLICE, body.length + 1));
    CoderResult result = decoder.decode(in, out, true);
    while (result.isOverflow()) {
      out.clear();
      result = decoder.decode(in, out, true);
    }
    return result.isUnderflow();
  }

  private static SluiceException refused() {
    return new SluiceException(
        ErrorCode.MALFORMED, "the body must be UTF-8, without a byte order mark");
  }
}
