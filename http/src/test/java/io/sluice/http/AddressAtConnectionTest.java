package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.AttemptFailure;
import io.sluice.ErrorClass;
import io.sluice.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two addresses of loopback play the parts: .2 is open, .1 is the inside that must not be reached. */
class AddressAtConnectionTest {
  private static final String OPEN = "127.0.0.2";
  private static final String INSIDE = "127.0.0.1";

  private static InetAddress address(String literal) {
    return IpLiteral.parse(literal).orElseThrow();
  }

  private static InetAddress[] addresses(String... literals) {
    return List.of(literals).stream()
        .map(AddressAtConnectionTest::address)
        .toArray(InetAddress[]::new);
  }

  private static void assumeSecondLoopback() {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(address(OPEN), 0));
    } catch (IOException e) {
      assumeTrue(false, "this machine has no " + OPEN);
    }
  }

  /** A listener inside, on the same port as the receiver that may be reached. */
  private static Receiver inside(Receiver receiver) throws IOException {
    return Receiver.on(
        new InetSocketAddress(address(INSIDE), receiver.port()), r -> Receiver.ok("in"));
  }

  @Test
  void nameThatChangesItsMindAThousandTimes_neverLeadsInside() throws Exception {
    assumeSecondLoopback();
    AtomicInteger lookups = new AtomicInteger();
    Resolver fickle = host -> addresses(lookups.getAndIncrement() % 2 == 0 ? OPEN : INSIDE);
    try (Receiver receiver = Receiver.at(OPEN, request -> Receiver.ok("out"));
        Receiver inside = inside(receiver);
        Desk desk = new Desk(fickle, OPEN + "/32");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> attempts = IntStream.range(0, 1000)
          .mapToObj(i -> threads.submit(() -> isDelivered(desk, receiver, i)))
          .toList();
      int delivered = 0;
      for (Future<Boolean> attempt : attempts) {
        delivered += attempt.get() ? 1 : 0;
      }

      assertThat(delivered).isPositive();
      assertThat(lookups.get()).isGreaterThanOrEqualTo(900);
      assertThat(inside.connections()).isZero();
    }
  }

  private static boolean isDelivered(Desk desk, Receiver receiver, int n) throws Exception {
    // Each has a name of its own, so that none waits for another's look-up or uses its connection.
    HttpCall call = HttpCall.to(receiver.url("host" + n + ".example", "/"));
    try {
      Outcome.Done done = (Outcome.Done) desk.deliver(Desk.job(call, ""), Desk.PATIENCE);
      return ((HttpResult) done.result()).body().equals("out");
    } catch (AttemptFailure e) {
      assertThat(e.code()).isEqualTo("ADDRESS_REFUSED");
      assertThat(e.errorClass()).isEqualTo(ErrorClass.REJECTED);
      assertThat(e).hasMessageContaining("a loopback address").hasMessageNotContaining(INSIDE);
      return false;
    }
  }

  @Test
  void mixedAnswer_leadsToTheOpenAddressOnly() throws Exception {
    assumeSecondLoopback();
    Resolver mixed = host -> addresses(INSIDE, "10.0.0.1", OPEN, "::1");
    try (Receiver receiver = Receiver.at(OPEN, request -> Receiver.ok("out"));
        Receiver inside = inside(receiver);
        Desk desk = new Desk(mixed, OPEN + "/32")) {
      assertThat(desk.done(HttpCall.to(receiver.url("a.example", "/"))).body()).isEqualTo("out");
      assertThat(receiver.only().header("host")).isEqualTo("a.example:" + receiver.port());
      assertThat(inside.connections()).isZero();
    }
  }

  @Test
  void nameWithBlockedAddressesOnly_isRefused_alsoWhereTheyHideInIpv6() {
    for (String hidden : List.of(
        "127.0.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "fd00:ec2::254",
        "169.254.169.254")) {
      try (Desk desk = new Desk(host -> addresses(hidden))) {
        AttemptFailure failure = desk.failed(HttpCall.to("http://127.0.0.1.nip.io/"));
        assertThat(failure.code()).as(hidden).isEqualTo("ADDRESS_REFUSED");
        assertThat(failure).hasMessageNotContaining(hidden + " ");
      }
    }
  }

  @Test
  void groupWithAnAllowlist_goesNowhereElse() throws Exception {
    assumeSecondLoopback();
    try (Receiver receiver = Receiver.at(OPEN, request -> Receiver.ok("out"));
        Receiver inside = inside(receiver);
        Desk desk = new Desk(host -> addresses(INSIDE, OPEN), "127.0.0.0/8")) {
      Group group = Group.of("shop", receiver.url("a.example", ""));
      desk.with(group.withIpAllowlist(List.of(Cidr.of(OPEN + "/32"))));
      assertThat(desk.done(HttpCall.toPath("/"), "shop").body()).isEqualTo("out");

      desk.with(group.withIpAllowlist(List.of(Cidr.of("127.9.0.0/16"))));
      AttemptFailure failure = desk.failed(HttpCall.toPath("/"), "shop");
      assertThat(failure.code()).isEqualTo("ADDRESS_REFUSED");
      assertThat(failure).hasMessageContaining("ipAllowlist");
      assertThat(inside.connections()).isZero();
    }
  }

  @Test
  void addressThatIsStillKnown_isJudgedForEachParty() throws Exception {
    assumeSecondLoopback();
    AtomicInteger lookups = new AtomicInteger();
    Resolver counting = host -> {
      lookups.incrementAndGet();
      return addresses(OPEN);
    };
    try (Receiver receiver = Receiver.at(OPEN, request -> Receiver.ok("out"));
        Desk desk = new Desk(counting, "127.0.0.0/8")) {
      Group group = Group.of("shop", receiver.url("a.example", ""));
      desk.with(group);
      assertThat(desk.done(HttpCall.toPath("/"), "shop").body()).isEqualTo("out");

      desk.with(group.withIpAllowlist(List.of(Cidr.of("127.9.0.0/16"))));
      assertThat(desk.failed(HttpCall.toPath("/"), "shop").code()).isEqualTo("ADDRESS_REFUSED");
      assertThat(lookups.get()).isEqualTo(1);
    }
  }

  @Test
  void closedDoor_isNotReached_byANameEither() throws Exception {
    try (Receiver database = Receiver.answering(request -> Receiver.ok("data"))) {
      AddressGuard guard = new AddressGuard(
          List.of(Cidr.of("127.0.0.0/8")),
          Set.of(new InetSocketAddress(address(INSIDE), database.port())));
      try (Desk desk =
          new Desk(guard, host -> addresses(INSIDE), Desk.platformTls(), InstantSource.system())) {
        assertThat(desk.failed(HttpCall.to(database.url("/"))).code()).isEqualTo("ADDRESS_REFUSED");
        assertThat(desk.failed(HttpCall.to(database.url("db.example", "/"))).code())
            .isEqualTo("ADDRESS_REFUSED");
        assertThat(database.connections()).isZero();
      }
    }
  }

  @Test
  void unknownName_isANetworkFailure() {
    Resolver none = host -> {
      throw new UnknownHostException("secret detail");
    };
    try (Desk desk = new Desk(none)) {
      AttemptFailure failure = desk.failed(HttpCall.to("http://nope.example/"));
      assertThat(failure.code()).isEqualTo("DNS_FAILED");
      assertThat(failure.errorClass()).isEqualTo(ErrorClass.NETWORK);
    }
  }

  @Test
  void deadline_coversALookupThatHangs_andOneLookupServesAll() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger lookups = new AtomicInteger();
    Resolver hanging = host -> {
      lookups.incrementAndGet();
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new UnknownHostException(host);
    };
    try (Desk desk = new Desk(hanging);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<AttemptFailure>> attempts = IntStream.range(0, 100)
          .mapToObj(i -> threads.submit(() -> desk.failed(
              Desk.job(HttpCall.to("http://slow.example/"), ""), Duration.ofMillis(300))))
          .toList();
      for (Future<AttemptFailure> attempt : attempts) {
        assertThat(attempt.get().code()).isEqualTo("DNS_TIMEOUT");
        assertThat(attempt.get().errorClass()).isEqualTo(ErrorClass.TIMEOUT);
      }
      assertThat(lookups.get()).isEqualTo(1);
    } finally {
      gate.countDown();
    }
  }
}
