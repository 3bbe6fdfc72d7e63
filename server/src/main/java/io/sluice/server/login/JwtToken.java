package io.sluice.server.login;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.util.Base64URL;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A signed token taken apart, with nothing believed yet. Strict: three parts in the one right
 * encoding, JSON without a name twice, and no header that would have us fetch, unpack or trust
 * something that the token itself brings.
 */
record JwtToken(JWSHeader header, JsonNode claims, String signed, Base64URL signature) {
  private static final int LONGEST = 8 << 10;
  private static final Pattern FORM =
      Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");
  private static final Set<String> REFUSED =
      Set.of("jku", "jwk", "x5u", "x5c", "crit", "b64", "zip", "cty", "enc");
  private static final Set<String> TYPES =
      Set.of("jwt", "at+jwt", "application/jwt", "application/at+jwt");

  private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(20).build())
          .build())
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .build();

  /** Says why a token is not to be believed: for the log, never for the caller. */
  static final class Doubt extends Exception {
    private static final long serialVersionUID = 1L;

    Doubt(String why) {
      super(why);
    }

    Doubt(String why, Throwable cause) {
      super(why, cause);
    }
  }

  byte[] signedBytes() {
    return signed.getBytes(StandardCharsets.US_ASCII);
  }

  static boolean looksLike(String token) {
    return token.indexOf('.') >= 0;
  }

  static JwtToken parse(String token) throws Doubt {
    if (token.length() > LONGEST || !FORM.matcher(token).matches()) {
      throw new Doubt("it is not of three parts, or too long");
    }
    List<String> parts = List.of(token.split("\\.", -1));
    JsonNode header = json(parts.get(0));
    check(header);
    String signed = parts.get(0) + "." + parts.get(1);
    decode(parts.get(2));
    try {
      return new JwtToken(
          JWSHeader.parse(new Base64URL(parts.get(0))),
          json(parts.get(1)),
          signed,
          new Base64URL(parts.get(2)));
    } catch (ParseException | IllegalArgumentException e) {
      throw new Doubt("its header is not one of a signed token", e);
    }
  }

  private static void check(JsonNode header) throws Doubt {
    for (String name : REFUSED) {
      if (header.has(name)) {
        throw new Doubt("its header has " + name);
      }
    }
    if (!header.path("alg").isString()) {
      throw new Doubt("its header names no algorithm");
    }
    if (header.has("typ") && !isKnownType(header.path("typ"))) {
      throw new Doubt("it is of another type");
    }
    if (header.has("kid") && !header.path("kid").isString()) {
      throw new Doubt("its key id is not text");
    }
  }

  private static boolean isKnownType(JsonNode type) {
    return type.isString() && TYPES.contains(type.asString().toLowerCase(Locale.ROOT));
  }

  private static JsonNode json(String part) throws Doubt {
    try {
      JsonNode tree = JSON.readTree(decode(part));
      if (tree.isObject()) {
        return tree;
      }
    } catch (JacksonException e) {
      throw new Doubt("a part of it is not JSON", e);
    }
    throw new Doubt("a part of it is not a JSON object");
  }

  /** What the text encodes; there must be no other text that encodes the same. */
  private static byte[] decode(String part) throws Doubt {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(part);
      if (Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(part)) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      throw new Doubt("a part of it is not base64url", e);
    }
    throw new Doubt("a part of it is not base64url as it should be");
  }
}
