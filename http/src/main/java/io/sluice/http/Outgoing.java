package io.sluice.http;

import io.sluice.Defaults;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request on its way out. Framing and the Host header are added when it is sent.
 *
 * @param keep how many bytes of the answer's body are wanted
 */
public record Outgoing(
    Party party, String method, TargetUrl url, Map<String, String> headers, Bytes body, int keep) {
  public Outgoing {
    HeaderRules.checkSendable(headers);
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /** A request without a body, of which as much is kept as of any answer. */
  public static Outgoing bare(
      String method, Party party, TargetUrl url, Map<String, String> headers) {
    return new Outgoing(party, method, url, headers, Bytes.NONE, Defaults.MAX_ANSWER);
  }

  /** Where it goes: headers and body may hold secrets. */
  @Override
  public String toString() {
    return "Outgoing[" + method + " " + url + "]";
  }
}
