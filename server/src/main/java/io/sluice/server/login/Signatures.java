package io.sluice.server.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;

/** Whether a token was signed by a key, where the key is for that algorithm and strong enough. */
final class Signatures {
  private static final int WEAKEST_RSA = 2048;
  private static final int ED25519_BYTES = 32;
  /** What comes before the 32 bytes of an Ed25519 key in the form that Java reads. */
  private static final byte[] ED25519_FRAME = HexFormat.of().parseHex("302a300506032b6570032100");

  private Signatures() {}

  /** True when a published key may have signed a token with this header. */
  static boolean fits(JWK key, JWSHeader header) {
    boolean named = header.getKeyID() == null || header.getKeyID().equals(key.getKeyID());
    boolean meant = key.getAlgorithm() == null || key.getAlgorithm().equals(header.getAlgorithm());
    boolean signs = (key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
        && (key.getKeyOperations() == null || key.getKeyOperations().contains(KeyOperation.VERIFY));
    return named && meant && signs && isFor(key, header.getAlgorithm());
  }

  private static boolean isFor(JWK key, JWSAlgorithm algorithm) {
    return switch (key) {
      case RSAKey rsa -> JWSAlgorithm.Family.RSA.contains(algorithm) && rsa.size() >= WEAKEST_RSA;
      case ECKey ec ->
        Curve.forJWSAlgorithm(algorithm) != null
            && Curve.forJWSAlgorithm(algorithm).contains(ec.getCurve());
      case OctetKeyPair pair ->
        JWSAlgorithm.EdDSA.equals(algorithm) && Curve.Ed25519.equals(pair.getCurve());
      default -> false;
    };
  }

  static boolean isBy(byte[] secret, JwtToken token) {
    try {
      return new MACVerifier(secret).verify(token.header(), token.signedBytes(), token.signature());
    } catch (JOSEException e) {
      return false;
    }
  }

  /** True when a key that fits has signed the token. */
  static boolean isBy(JWK key, JwtToken token) {
    try {
      return switch (key) {
        case RSAKey rsa -> verifies(new RSASSAVerifier(rsa), token);
        case ECKey ec -> verifies(new ECDSAVerifier(ec), token);
        case OctetKeyPair pair -> verifies(pair, token);
        default -> false;
      };
    } catch (JOSEException | GeneralSecurityException e) {
      return false;
    }
  }

  private static boolean verifies(JWSVerifier verifier, JwtToken token) throws JOSEException {
    return verifier.verify(token.header(), token.signedBytes(), token.signature());
  }

  private static boolean verifies(OctetKeyPair pair, JwtToken token)
      throws GeneralSecurityException {
    byte[] x = pair.getDecodedX();
    if (x.length != ED25519_BYTES) {
      return false;
    }
    byte[] encoded = new byte[ED25519_FRAME.length + x.length];
    System.arraycopy(ED25519_FRAME, 0, encoded, 0, ED25519_FRAME.length);
    System.arraycopy(x, 0, encoded, ED25519_FRAME.length, x.length);
    PublicKey key =
        KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
    Signature signature = Signature.getInstance("Ed25519");
    signature.initVerify(key);
    signature.update(token.signedBytes());
    return signature.verify(token.signature().decode());
  }
}
