package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.Eventually;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Name servers that do not answer cost their own tenant, and nobody else. */
class LookupTest {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration SHORT = Duration.ofMillis(5);
  private static final int MANY = 150;

  private final CountDownLatch silence = new CountDownLatch(1);
  private final AtomicInteger stuck = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicLong nanos = new AtomicLong();
  private final Lookup lookup = new Lookup(this::resolve, nanos::get);
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    silence.countDown();
    callers.shutdownNow();
    lookup.close();
  }

  private InetAddress[] resolve(String host) throws UnknownHostException {
    asked.incrementAndGet();
    if (host.endsWith(".slow.test")) {
      stuck.incrementAndGet();
      try {
        silence.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      stuck.decrementAndGet();
      throw new UnknownHostException(host);
    }
    return new InetAddress[] {IpLiteral.parse("192.0.2.1").orElseThrow()};
  }

  private Future<List<InetAddress>> ask(String tenant, String host) {
    return callers.submit(() -> lookup.find(tenant, host, PATIENCE));
  }

  private void askMany(String tenant) {
    for (int i = 0; i < MANY; i++) {
      var unused = ask(tenant, "h" + i + "." + tenant + ".slow.test");
    }
  }

  private void fillAllThreads() {
    for (int tenant = 0; tenant < Lookup.THREADS / Lookup.SHARE; tenant++) {
      askMany("noisy" + tenant);
    }
    Eventually.await("look-ups hang", () -> stuck.get() == Lookup.THREADS);
  }

  @Test
  void otherTenants_areServed_whileTheNamesOfOneHang() throws Exception {
    askMany("noisy");
    Eventually.await("look-ups hang", () -> stuck.get() == Lookup.SHARE);

    assertThat(lookup.find("quiet", "good.test", PATIENCE)).hasSize(1);
    assertThat(stuck.get()).isEqualTo(Lookup.SHARE);
  }

  @Test
  void lookupsThatWereGivenUp_countAgainstTheirTenant_untilTheyEnd() throws Exception {
    for (int i = 0; i < Lookup.THREADS; i++) {
      String host = "h" + i + ".slow.test";
      assertThatThrownBy(() -> lookup.find("noisy", host, SHORT))
          .isInstanceOf(TimeoutException.class);
    }
    Eventually.await("the share hangs", () -> stuck.get() == Lookup.SHARE);
    assertThat(lookup.find("quiet", "good.test", PATIENCE)).hasSize(1);

    Future<List<InetAddress>> own = ask("noisy", "own.test");
    silence.countDown();
    assertThat(own.get()).hasSize(1);
    // What nobody waited for any more was never begun.
    assertThat(asked.get()).isEqualTo(Lookup.SHARE + 2);
  }

  @Test
  void threadThatComesFree_goesToTheTenantWithTheFewest() {
    LookupLine<String> line = new LookupLine<>(new LookupLine.Bounds(4, 2, 1, 10));
    for (String name : List.of("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2")) {
      assertThat(line.add(name.substring(0, 1), name)).isTrue();
    }
    assertThat(line.start()).containsExactly("a1", "b1", "c1", "a2");
    line.add("d", "d1");
    line.ended("a");
    assertThat(line.start()).containsExactly("d1");
    line.ended("a");
    assertThat(line.start()).containsExactly("a3");
    line.remove("b", "b2");
    line.ended("c");
    line.ended("d");
    assertThat(line.start()).containsExactly("c2", "b3");
  }

  @Test
  void server_hasThreadsOfItsOwn() throws Exception {
    fillAllThreads();
    assertThat(lookup.find("", "keys.issuer.test", PATIENCE)).hasSize(1);
  }

  @Test
  void address_isKept_forFiveSeconds_andNeedsNoThreadThen() throws Exception {
    assertThat(lookup.find("quiet", "good.test", PATIENCE)).hasSize(1);
    fillAllThreads();
    int before = asked.get();
    nanos.addAndGet(Duration.ofSeconds(4).toNanos());
    assertThat(lookup.find("other", "good.test", PATIENCE)).hasSize(1);
    assertThat(asked.get()).isEqualTo(before);

    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThatThrownBy(() -> lookup.find("other", "good.test", SHORT))
        .isInstanceOf(TimeoutException.class);
  }

  @Test
  void nameWithoutAnAnswer_isRefusedAtOnce_forAWhile_toTheTenantThatAsked() throws Exception {
    Future<List<InetAddress>> first = ask("noisy", "a.slow.test");
    Eventually.await("look-ups hang", () -> stuck.get() == 1);
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());
    silence.countDown();
    assertThatThrownBy(first::get).hasCauseInstanceOf(UnknownHostException.class);

    assertThatThrownBy(() -> lookup.find("noisy", "a.slow.test", PATIENCE))
        .isInstanceOf(TimeoutException.class);
    assertThat(asked.get()).isEqualTo(1);
    assertThatThrownBy(() -> lookup.find("other", "a.slow.test", PATIENCE))
        .isInstanceOf(UnknownHostException.class);
    assertThat(asked.get()).isEqualTo(2);

    nanos.addAndGet(Duration.ofSeconds(30).toNanos());
    assertThatThrownBy(() -> lookup.find("noisy", "a.slow.test", PATIENCE))
        .isInstanceOf(UnknownHostException.class);
    assertThat(asked.get()).isEqualTo(3);
  }

  @Test
  void nameWhoseCallerGaveUpAfterLong_isRefused_whileItsLookupGoesOn() throws Exception {
    Future<List<InetAddress>> first =
        callers.submit(() -> lookup.find("noisy", "a.slow.test", Duration.ofSeconds(1)));
    Eventually.await("look-ups hang", () -> stuck.get() == 1);
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThatThrownBy(first::get).hasCauseInstanceOf(TimeoutException.class);

    assertThatThrownBy(() -> lookup.find("noisy", "a.slow.test", PATIENCE))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("a moment ago");
  }
}
