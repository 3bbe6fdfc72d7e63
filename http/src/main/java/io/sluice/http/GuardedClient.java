package io.sluice.http;

import io.sluice.AttemptFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpCoreContext;

/**
 * Makes HTTP/1.1 requests, for every part of Sluice that calls out. It connects only where its guard
 * allows, ends every exchange by its deadline whatever the receiver does, reads no more than is wanted,
 * and neither repeats, redirects, unpacks nor remembers anything by itself. For virtual threads: there
 * an interrupt ends a request at once.
 */
public final class GuardedClient implements AutoCloseable {
  /** Methods that say how long their body is even where there is none. */
  private static final Set<String> BODIED = Set.of("POST", "PUT", "PATCH");

  private static final int IDLE_LINKS = 256;
  private static final Duration TIDY = Duration.ofSeconds(10);

  private final AddressGuard guard;
  private final LongSupplier nanoTime;
  private final Lookup lookup;
  private final Connector connector;
  private final IdleLinks idle;
  private final ScheduledExecutorService alarms;
  private final Future<?> tidying;
  private final HttpRequestExecutor http = new HttpRequestExecutor(Link.LIMITS, null, null);

  /** A client with the machine's own name service and certificates. */
  public GuardedClient(AddressGuard guard) {
    this(guard, InetAddress::getAllByName, platformTls(), System::nanoTime);
  }

  GuardedClient(AddressGuard guard, Resolver resolver, SSLContext tls, LongSupplier nanoTime) {
    this.guard = guard;
    this.nanoTime = nanoTime;
    this.lookup = new Lookup(resolver, nanoTime);
    this.connector = new Connector(guard, lookup, tls.getSocketFactory());
    this.idle = new IdleLinks(nanoTime, IDLE_LINKS);
    this.alarms = alarms();
    this.tidying = alarms.scheduleWithFixedDelay(
        idle::tidy, TIDY.toMillis(), TIDY.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static SSLContext platformTls() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java platform has no TLS", e);
    }
  }

  private static ScheduledExecutorService alarms() {
    ScheduledThreadPoolExecutor alarms = new ScheduledThreadPoolExecutor(
        1, Thread.ofPlatform().daemon().name("sluice-http-alarm").factory());
    alarms.setRemoveOnCancelPolicy(true);
    return Executors.unconfigurableScheduledExecutorService(alarms);
  }

  public AddressGuard guard() {
    return guard;
  }

  /**
   * Sends a request and returns what came back, whatever its status.
   *
   * @param within the time for all of it: look-up, connection, TLS, request and answer
   * @throws AttemptFailure when there is no answer, or one of 2xx that did not arrive whole
   */
  public Answer send(Outgoing request, Duration within)
      throws AttemptFailure, InterruptedException {
    try (Cutoff cutoff = cutoff(within)) {
      return send(request, cutoff);
    }
  }

  Cutoff cutoff(Duration within) {
    return new Cutoff(alarms, nanoTime, within);
  }

  Answer send(Outgoing request, Cutoff cutoff) throws AttemptFailure, InterruptedException {
    try {
      return exchange(request, cutoff);
    } catch (RefusedTarget e) {
      throw Failures.of(e, request.url());
    } catch (IOException | HttpException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while a request was made");
      }
      throw Failures.of(e, request.url(), cutoff);
    }
  }

  private Answer exchange(Outgoing request, Cutoff cutoff)
      throws IOException, HttpException, RefusedTarget, InterruptedException {
    long begun = nanoTime.getAsLong();
    IdleLinks.Key key = new IdleLinks.Key(request.party(), request.url().origin());
    Link link = link(key, request, cutoff);
    boolean fit = false;
    try {
      cutoff.use(link.socket());
      cutoff.enter(Cutoff.Phase.RESPONSE);
      ClassicHttpRequest message = message(request);
      HttpCoreContext context = HttpCoreContext.create();
      ClassicHttpResponse response = http.execute(message, link.http(), context);
      Body body = read(response, request.keep());
      fit = body.whole && http.keepAlive(message, response, link.http(), context);
      Duration took = Duration.ofNanos(nanoTime.getAsLong() - begun);
      return new Answer(response.getCode(), headers(response), body.bytes, body.whole, took);
    } finally {
      if (cutoff.letGo() && fit) {
        idle.keep(key, link);
      } else {
        link.drop();
      }
    }
  }

  private Link link(IdleLinks.Key key, Outgoing request, Cutoff cutoff)
      throws IOException, RefusedTarget, InterruptedException {
    Link kept = idle.take(key).orElse(null);
    return kept != null ? kept : connector.open(request.url(), request.party(), cutoff);
  }

  private static ClassicHttpRequest message(Outgoing request) {
    ClassicHttpRequest message = new BasicClassicHttpRequest(
        request.method(), request.url().scheme(), null, request.url().target());
    message.addHeader("Host", request.url().authority());
    request.headers().forEach(message::addHeader);
    if (request.body().length() > 0 || BODIED.contains(request.method())) {
      message.addHeader("Content-Length", request.body().length());
      message.setEntity(new ByteArrayEntity(request.body().raw(), null));
    }
    return message;
  }

  private record Body(Bytes bytes, boolean whole) {}

  /**
   * Reads as much as is wanted. The stream is not closed: that would read the rest. What there is of
   * an answer that is no success counts even if its body breaks off.
   */
  @SuppressWarnings("StreamResourceLeak")
  private static Body read(ClassicHttpResponse response, int keep) throws IOException {
    HttpEntity entity = response.getEntity();
    if (entity == null) {
      return new Body(Bytes.NONE, true);
    }
    byte[] bytes = new byte[keep];
    int length = 0;
    boolean whole = false;
    InputStream in = entity.getContent();
    try {
      while (!whole && length < keep) {
        int read = in.read(bytes, length, keep - length);
        whole = read < 0;
        length += Math.max(0, read);
      }
    } catch (IOException e) {
      if (response.getCode() < 300) {
        throw e;
      }
    }
    return new Body(Bytes.first(length, bytes), whole);
  }

  private static Map<String, String> headers(ClassicHttpResponse response) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Header header : response.getHeaders()) {
      String value = header.getValue() == null ? "" : header.getValue();
      headers.merge(header.getName().toLowerCase(Locale.ROOT), value, (a, b) -> a + ", " + b);
    }
    return headers;
  }

  /** Lets go of all connections and threads. Nothing may be sent any more, or be on its way. */
  @Override
  public void close() {
    tidying.cancel(false);
    alarms.shutdownNow();
    idle.close();
    lookup.close();
  }
}
