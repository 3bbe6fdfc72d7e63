package io.sluice.server.login;

import io.sluice.AttemptFailure;
import io.sluice.http.Answer;
import io.sluice.http.Bytes;
import io.sluice.http.GuardedClient;
import io.sluice.http.Outgoing;
import io.sluice.http.Party;
import io.sluice.http.TargetUrl;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** Fetches through the client that all of the server calls out with: the same guard, a short deadline. */
public final class GuardedFetch implements Fetch {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MOST_BYTES = 256 << 10;
  /** Nobody's: the server itself. */
  private static final Party SERVER = Party.of("");

  private final GuardedClient client;

  public GuardedFetch(GuardedClient client) {
    this.client = client;
  }

  @Override
  public byte[] get(URI address) throws IOException {
    TargetUrl url = TargetUrl.check("url", address.toString(), client.guard());
    Outgoing request = new Outgoing(
        SERVER,
        "GET",
        url,
        Map.of("accept", "application/json"),
        Bytes.of(new byte[0]),
        MOST_BYTES);
    try {
      Answer answer = client.send(request, PATIENCE);
      if (answer.status() != 200 || !answer.whole()) {
        throw new IOException("the answer was " + answer);
      }
      return answer.body().toArray();
    } catch (AttemptFailure e) {
      throw new IOException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
