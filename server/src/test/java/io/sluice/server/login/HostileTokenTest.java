package io.sluice.server.login;

import static io.sluice.server.login.Forge.encode;
import static io.sluice.server.login.Forge.quoted;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.AccessSettings;
import io.sluice.server.Client;
import io.sluice.server.Receiver;
import io.sluice.server.TestServer;
import io.sluice.server.TestTenant;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Tokens that must not be believed, and some that must, at a server that has an issuer's public keys. */
class HostileTokenTest {
  private static final Forge FORGE = new Forge();
  private static final String HEADER = "{\"alg\":\"RS256\",\"kid\":\"r1\"}";

  private static final Receiver issuer = new Receiver();
  private static TestServer server;

  @BeforeAll
  static void start() {
    String keys = new String(FORGE.published(), StandardCharsets.UTF_8);
    issuer.answer("/keys", got -> new Receiver.Reply(200, Map.of(), keys));
    JwtSettings settings = new JwtSettings(
        Forge.ISSUER,
        Forge.AUDIENCE,
        Set.of("RS256", "PS256", "ES256", "EdDSA"),
        new JwtKeys.Published(URI.create(issuer.url() + "/keys")),
        JwtSettings.Claims.DEFAULT,
        false);
    server = TestServer.start(
        AccessSettings.of(TestServer.ADMIN_KEY).withLoginFailures(1_000_000).withJwt(settings),
        "127.0.0.0/8");
    TestTenant.make(server.admin(), "acme");
  }

  @AfterAll
  static void stop() {
    server.close();
    issuer.close();
  }

  private static int status(String token) {
    Client client = server.admin().withKey(token);
    return client.get("/v1/tenants/acme").status();
  }

  private static Stream<DynamicTest> all(Map<String, String> tokens, int status) {
    System.out.printf("%d tokens that should be %d%n", tokens.size(), status);
    return tokens.entrySet().stream()
        .map(entry -> DynamicTest.dynamicTest(
            entry.getKey(), () -> assertThat(status(entry.getValue())).isEqualTo(status)));
  }

  @TestFactory
  Stream<DynamicTest> goodTokens_areBelieved() {
    Map<String, String> good = new LinkedHashMap<>();
    good.put("RS256", FORGE.token());
    good.put("ES256", FORGE.byEc("{\"alg\":\"ES256\",\"kid\":\"e1\"}", FORGE.claims()));
    good.put("EdDSA", FORGE.byEd("{\"alg\":\"EdDSA\",\"kid\":\"d1\"}", FORGE.claims()));
    good.put("no key id", FORGE.headed("{\"alg\":\"RS256\"}"));
    good.put("type at+jwt", FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"r1\",\"typ\":\"at+jwt\"}"));
    good.put("thumbprint", FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"r1\",\"x5t\":\"abc\"}"));
    good.put("audience among others", FORGE.token("aud", "[\"else\",\"sluice\"]"));
    good.put("expiry with a fraction", FORGE.token("exp", FORGE.in(300) + ".25"));
    good.put("operator", FORGE.token("role", quoted("operator")));
    good.put("no subject", FORGE.token("sub", ""));
    return all(good, 200);
  }

  @TestFactory
  Stream<DynamicTest> unsignedOrWronglySigned_areNot() {
    Map<String, String> bad = new LinkedHashMap<>();
    for (String none : new String[] {"none", "None", "NONE", "nOnE", ""}) {
      String header = encode("{\"alg\":\"" + none + "\"}");
      bad.put("alg '" + none + "' without signature", header + "." + encode(FORGE.claims()) + ".");
      bad.put("alg '" + none + "' with signature", FORGE.headed("{\"alg\":\"" + none + "\"}"));
    }
    bad.put("no alg", FORGE.headed("{\"kid\":\"r1\"}"));
    bad.put("alg null", FORGE.headed("{\"alg\":null,\"kid\":\"r1\"}"));
    bad.put("alg a list", FORGE.headed("{\"alg\":[\"RS256\"],\"kid\":\"r1\"}"));
    bad.put("alg in lower case", FORGE.headed("{\"alg\":\"rs256\",\"kid\":\"r1\"}"));
    bad.put("alg not ours", FORGE.headed("{\"alg\":\"RS512\",\"kid\":\"r1\"}"));
    bad.put("the public key as a secret, DER", confused(publicDer()));
    bad.put(
        "the public key as a secret, JWK",
        confused(FORGE.rsa.toPublicJWK().toString().getBytes(StandardCharsets.UTF_8)));
    bad.put("the published keys as a secret", confused(FORGE.published()));
    bad.put("an empty-ish secret", confused(new byte[] {0}));
    bad.put("another's key of the same id", FORGE.byRsa(FORGE.stranger, HEADER, FORGE.claims()));
    bad.put(
        "another's key, no id", FORGE.byRsa(FORGE.stranger, "{\"alg\":\"RS256\"}", FORGE.claims()));
    bad.put(
        "RSA of 1024 bits",
        FORGE.byRsa(FORGE.weak, "{\"alg\":\"RS256\",\"kid\":\"weak\"}", FORGE.claims()));
    bad.put("a key for encryption", FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"enc\"}"));
    bad.put("a key for another algorithm", FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"ps\"}"));
    bad.put("an unknown key id", FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"r2\"}"));
    bad.put("key id of another kind of key", FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"e1\"}"));
    bad.put("key id a path", FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"../../etc/passwd\"}"));
    bad.put("key id SQL", FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"x' or '1'='1\"}"));
    bad.put("key id a number", FORGE.headed("{\"alg\":\"RS256\",\"kid\":1}"));
    bad.put("ECDSA of zeros", zeros(64));
    bad.put("ECDSA of nothing", zeros(1));
    bad.put(
        "ES256 for an RSA key", FORGE.byEc("{\"alg\":\"ES256\",\"kid\":\"r1\"}", FORGE.claims()));
    bad.put("claims changed after signing", swapped());
    return all(bad, 401);
  }

  private static byte[] publicDer() {
    try {
      return FORGE.rsa.toPublicKey().getEncoded();
    } catch (com.nimbusds.jose.JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String confused(byte[] secret) {
    return FORGE.byMac("HmacSHA256", secret, "{\"alg\":\"HS256\",\"kid\":\"r1\"}", FORGE.claims());
  }

  private static String zeros(int length) {
    return encode("{\"alg\":\"ES256\",\"kid\":\"e1\"}") + "." + encode(FORGE.claims()) + "."
        + encode(new byte[length]);
  }

  private static String swapped() {
    String[] parts = FORGE.token().split("\\.", -1);
    return parts[0] + "." + encode(FORGE.claims("role", quoted("operator"))) + "." + parts[2];
  }

  @TestFactory
  Stream<DynamicTest> brokenOrTooClever_areNot() {
    String good = FORGE.token();
    String[] parts = good.split("\\.", -1);
    Map<String, String> bad = new LinkedHashMap<>();
    bad.put("two dots only", "..");
    bad.put("one dot", ".");
    bad.put("no header", "." + parts[1] + "." + parts[2]);
    bad.put("no claims", parts[0] + ".." + parts[2]);
    bad.put("no signature", parts[0] + "." + parts[1] + ".");
    bad.put("two parts", parts[0] + "." + parts[1]);
    bad.put("four parts", good + "." + parts[2]);
    bad.put("five parts, as if encrypted", good + "." + parts[1] + "." + parts[2]);
    bad.put("truncated", good.substring(0, good.length() - 10));
    bad.put("base64 with a plus", parts[0] + "." + parts[1] + ".++++" + parts[2].substring(4));
    bad.put("base64 padded", good + "==");
    bad.put("base64 with loose bits", good.substring(0, good.length() - 1) + loose(good));
    bad.put("not base64", "???.???.???");
    bad.put("header not JSON", FORGE.headed("alg=RS256"));
    bad.put("header a list", FORGE.headed("[\"RS256\"]"));
    bad.put("header with more behind it", FORGE.headed(HEADER + "{}"));
    bad.put("claims not JSON", FORGE.byRsa(HEADER, "acme"));
    bad.put("claims a text", FORGE.byRsa(HEADER, "\"acme\""));
    bad.put(
        "a token in a token",
        FORGE.byRsa("{\"alg\":\"RS256\",\"kid\":\"r1\",\"cty\":\"JWT\"}", good));
    bad.put(
        "claims twice",
        FORGE.byRsa(HEADER, FORGE.claims().replace("}", ",\"role\":\"operator\"}")));
    bad.put("header twice", FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"x\",\"kid\":\"r1\"}"));
    bad.put(
        "claims a thousand deep",
        FORGE.byRsa(HEADER, "{\"a\":" + "[".repeat(500) + "]".repeat(500) + "}"));
    bad.put("9 KiB", FORGE.token("padding", quoted("x".repeat(9_000))));
    bad.put(
        "a key of its own",
        FORGE.byRsa(
            FORGE.stranger,
            "{\"alg\":\"RS256\",\"jwk\":" + FORGE.stranger.toPublicJWK() + "}",
            FORGE.claims()));
    bad.put(
        "a key of its own beside ours",
        FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"r1\",\"jwk\":" + FORGE.rsa.toPublicJWK() + "}"));
    for (String name : new String[] {"jku", "x5u"}) {
      bad.put(
          name,
          FORGE.headed(
              "{\"alg\":\"RS256\",\"kid\":\"r1\",\"" + name + "\":\"https://evil.example.com/\"}"));
    }
    bad.put("x5c", FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"r1\",\"x5c\":[\"AAAA\"]}"));
    bad.put(
        "crit", FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"r1\",\"crit\":[\"exp\"],\"exp\":1}"));
    bad.put(
        "b64 false",
        FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"r1\",\"b64\":false,\"crit\":[\"b64\"]}"));
    bad.put("zip", FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"r1\",\"zip\":\"DEF\"}"));
    bad.put(
        "another type", FORGE.headed("{\"alg\":\"RS256\",\"kid\":\"r1\",\"typ\":\"logout+jwt\"}"));
    bad.put(
        "encrypted", encode("{\"alg\":\"RSA-OAEP\",\"enc\":\"A256GCM\"}") + ".AAAA.AAAA.AAAA.AAAA");
    return all(bad, 401);
  }

  /** Another last letter that decodes to the same bytes. */
  private static char loose(String token) {
    char last = token.charAt(token.length() - 1);
    return (char) (last + 1);
  }

  @TestFactory
  Stream<DynamicTest> wrongClaims_areNot() {
    Map<String, String> bad = new LinkedHashMap<>();
    bad.put("another issuer", FORGE.token("iss", quoted("https://evil.example.com/")));
    bad.put("issuer without its slash", FORGE.token("iss", quoted("https://issuer.example.com")));
    bad.put("no issuer", FORGE.token("iss", ""));
    bad.put("issuer a list", FORGE.token("iss", "[\"" + Forge.ISSUER + "\"]"));
    bad.put("another audience", FORGE.token("aud", quoted("else")));
    bad.put("no audience", FORGE.token("aud", ""));
    bad.put("audiences without ours", FORGE.token("aud", "[\"else\",\"Sluice\"]"));
    bad.put("audiences none", FORGE.token("aud", "[]"));
    bad.put("expired", FORGE.token("exp", FORGE.in(-120)));
    bad.put("no expiry", FORGE.token("exp", ""));
    bad.put("expiry null", FORGE.token("exp", "null"));
    bad.put("expiry a text", FORGE.token("exp", quoted(FORGE.in(300))));
    bad.put("expiry in milliseconds", FORGE.token("exp", FORGE.in(300) + "000"));
    bad.put("expiry without end", FORGE.token("exp", "1e999"));
    bad.put("expiry negative", FORGE.token("exp", "-1"));
    bad.put("not before tomorrow", FORGE.token("nbf", FORGE.in(86_400)));
    bad.put("not before a text", FORGE.token("nbf", quoted("0")));
    bad.put("issued tomorrow", FORGE.token("iat", FORGE.in(86_400)));
    bad.put("no tenant", FORGE.token("tenant", ""));
    bad.put("an unknown tenant", FORGE.token("tenant", quoted("nobody")));
    bad.put("tenant SQL", FORGE.token("tenant", quoted("acme' or 'a'='a")));
    bad.put("tenant in capitals", FORGE.token("tenant", quoted("ACME")));
    bad.put("tenant with a zero byte", FORGE.token("tenant", quoted("acme\\u0000")));
    bad.put("tenants a list", FORGE.token("tenant", "[\"acme\"]"));
    bad.put("no role", FORGE.token("role", ""));
    bad.put("an unknown role", FORGE.token("role", quoted("root")));
    bad.put("role in capitals", FORGE.token("role", quoted("VIEWER")));
    bad.put("roles a list", FORGE.token("role", "[\"viewer\"]"));
    bad.put("an admin where none may be", FORGE.token("role", quoted("admin")));
    return all(bad, 401);
  }
}
