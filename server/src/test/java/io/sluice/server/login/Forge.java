package io.sluice.server.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An issuer of tokens, honest or not: any header, any claims, any signature. */
final class Forge {
  static final String ISSUER = "https://issuer.example.com/";
  static final String AUDIENCE = "sluice";
  static final String SECRET = "a secret of thirty-two bytes or more, for HS256";

  /** What all issuers sign with: to find large primes takes longer than most tests. */
  private static final Keys KEYS = Keys.make();

  final RSAKey rsa = KEYS.rsa();
  final RSAKey weak = KEYS.weak();
  final RSAKey stranger = KEYS.stranger();
  final ECKey ec = KEYS.ec();
  final KeyPair ed = KEYS.ed();

  private final InstantSource clock;

  private record Keys(RSAKey rsa, RSAKey weak, RSAKey stranger, ECKey ec, KeyPair ed) {
    static Keys make() {
      try {
        return new Keys(
            new RSAKeyGenerator(2048).keyID("r1").generate(),
            new RSAKeyGenerator(1024, true).keyID("weak").generate(),
            new RSAKeyGenerator(2048).keyID("r1").generate(),
            new ECKeyGenerator(Curve.P_256).keyID("e1").generate(),
            KeyPairGenerator.getInstance("Ed25519").generateKeyPair());
      } catch (JOSEException | GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  Forge() {
    this(InstantSource.system());
  }

  Forge(InstantSource clock) {
    this.clock = clock;
  }

  /** The time now, some seconds on. */
  String in(long seconds) {
    return String.valueOf(clock.instant().getEpochSecond() + seconds);
  }

  /** What the issuer publishes, with a key that is only for encryption and one that is too short. */
  byte[] published() {
    byte[] encoded = ed.getPublic().getEncoded();
    byte[] x = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    List<JWK> keys = List.of(
        rsa.toPublicJWK(),
        weak.toPublicJWK(),
        ec.toPublicJWK(),
        new RSAKey.Builder(rsa).keyID("enc").keyUse(KeyUse.ENCRYPTION).build().toPublicJWK(),
        new RSAKey.Builder(rsa)
            .keyID("ps")
            .algorithm(JWSAlgorithm.PS256)
            .build()
            .toPublicJWK(),
        new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(x)).keyID("d1").build());
    return new JWKSet(keys).toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Good claims, with some replaced or, where the value is empty, taken away. */
  String claims(String... changes) {
    var claims = new LinkedHashMap<String, String>();
    claims.put("iss", quoted(ISSUER));
    claims.put("aud", quoted(AUDIENCE));
    claims.put("sub", quoted("someone"));
    claims.put("tenant", quoted("acme"));
    claims.put("role", quoted("viewer"));
    claims.put("exp", in(300));
    for (int i = 0; i < changes.length; i += 2) {
      claims.put(changes[i], changes[i + 1]);
    }
    claims.values().removeIf(String::isEmpty);
    return claims.entrySet().stream()
        .map(claim -> quoted(claim.getKey()) + ":" + claim.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  static String quoted(String text) {
    return '"' + text + '"';
  }

  static String encode(String text) {
    return encode(text.getBytes(StandardCharsets.UTF_8));
  }

  static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** A token with a good RS256 signature of the issuer's over any header and claims. */
  String byRsa(String header, String claims) {
    return byRsa(rsa, header, claims);
  }

  String byRsa(RSAKey key, String header, String claims) {
    String signed = encode(header) + "." + encode(claims);
    try {
      RSASSASigner signer =
          new RSASSASigner(key.toPrivateKey(), Set.of(AllowWeakRSAKey.getInstance()));
      return signed + "."
          + signer.sign(
              new JWSHeader(JWSAlgorithm.RS256), signed.getBytes(StandardCharsets.US_ASCII));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An honest token: RS256, with the key's id. */
  String token(String... changes) {
    return byRsa("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"r1\"}", claims(changes));
  }

  /** A token with honest claims and this header, signed by RS256 whatever the header says. */
  String headed(String header) {
    return byRsa(header, claims());
  }

  String byEc(String header, String claims) {
    String signed = encode(header) + "." + encode(claims);
    try {
      return signed + "."
          + new ECDSASigner(ec)
              .sign(new JWSHeader(JWSAlgorithm.ES256), signed.getBytes(StandardCharsets.US_ASCII));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  String byEd(String header, String claims) {
    String signed = encode(header) + "." + encode(claims);
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(ed.getPrivate());
      signature.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signed + "." + encode(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  String byMac(String algorithm, byte[] secret, String header, String claims) {
    String signed = encode(header) + "." + encode(claims);
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(secret, algorithm));
      return signed + "." + encode(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
