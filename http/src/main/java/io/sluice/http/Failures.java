package io.sluice.http;

import io.sluice.AttemptFailure;
import io.sluice.ErrorClass;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.TruncatedChunkException;

/** Says what it means that a request got no answer. No message shows a query or an inner address. */
final class Failures {
  private Failures() {}

  static AttemptFailure of(RefusedTarget refused, TargetUrl url) {
    return new AttemptFailure(
        ErrorClass.REJECTED, refused.code(), "no request is made: " + url + " " + refused.reason());
  }

  static AttemptFailure of(Exception e, TargetUrl url, Cutoff cutoff) {
    Cutoff.Phase phase = cutoff.phase();
    if (cutoff.isOver() || e instanceof SocketTimeoutException) {
      return new AttemptFailure(
          ErrorClass.TIMEOUT, phase + "_TIMEOUT", lateFor(phase) + " in time: " + url);
    }
    if (e instanceof UnknownHostException) {
      return network("DNS_FAILED", "the host has no address that could be found: " + url);
    }
    if (isNotHttp(e)) {
      return new AttemptFailure(
          ErrorClass.SERVER, "BAD_RESPONSE", "the answer is not HTTP as we read it: " + url);
    }
    if (e instanceof SSLException || phase == Cutoff.Phase.TLS) {
      return network("TLS_FAILED", "no secure connection to " + url + ": " + e.getMessage());
    }
    return phase == Cutoff.Phase.CONNECT
        ? network("CONNECT_FAILED", "no connection to " + url + ": " + e.getMessage())
        : network("CONNECTION_LOST", "the connection broke before the answer was whole: " + url);
  }

  private static boolean isNotHttp(Exception e) {
    return e instanceof HttpException
        || e instanceof MessageConstraintException
        || (e instanceof MalformedChunkCodingException && !(e instanceof TruncatedChunkException));
  }

  private static String lateFor(Cutoff.Phase phase) {
    return switch (phase) {
      case DNS -> "the host's address was not found";
      case CONNECT -> "the connection was not made";
      case TLS -> "the secure connection was not made";
      case RESPONSE -> "the answer was not whole";
    };
  }

  private static AttemptFailure network(String code, String message) {
    return new AttemptFailure(ErrorClass.NETWORK, code, message);
  }
}
