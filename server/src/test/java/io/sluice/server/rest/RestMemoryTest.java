package io.sluice.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.Client;
import io.sluice.server.access.Access;
import io.sluice.server.access.Caller;
import io.sluice.server.access.Role;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that hold memory, over real sockets. */
class RestMemoryTest {
  private static final int MIB = 1 << 20;

  private record Text(String text) {}

  private final MemoryBudget memory = new MemoryBudget(4L * MIB);
  private final AtomicInteger undone = new AtomicInteger();
  private RestServer server;
  private Client admin;

  @BeforeEach
  void start() {
    Routes routes = new Routes()
        .post("/texts", Access.OPERATE, 2L * MIB, call -> {
          call.body(Text.class);
          return Answer.created(Map.of("held", memory.held()));
        })
        .get(
            "/answers/{size}",
            Access.READ,
            call -> Answer.ok(Map.of("text", "x".repeat(Integer.parseInt(call.path("size")))))
                .ifUnsent(undone::incrementAndGet))
        .get("/broken", Access.READ, call -> {
          throw new IllegalStateException("no");
        });
    Gatekeeper gatekeeper = new Gatekeeper(
        (token, address) -> {
          if (token.equals("wrong")) {
            throw new SluiceException(ErrorCode.UNAUTHORIZED, "no");
          }
          return new Caller("acme", Role.ADMIN, "k");
        },
        name -> name);
    server = new RestServer(
        new Listen("127.0.0.1", 0, null),
        routes,
        gatekeeper,
        new Json(),
        new Traffic(System::nanoTime, exchange -> {}),
        memory);
    server.start();
    admin = new Client("http://127.0.0.1:" + server.port(), "admin");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String text(int size) {
    return "{\"text\":\"" + "x".repeat(size - 11) + "\"}";
  }

  /** An upload that says how long it is, begins and goes no further. */
  private Socket stalled(String key, int length) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    String head = "POST /texts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key
        + "\r\nContent-Length: " + length + "\r\n\r\n{\"text\":\"aaaa";
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static void overloaded(Client.Reply reply) {
    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.text("/code")).isEqualTo("OVERLOADED");
    assertThat(reply.header("retry-after")).isEqualTo("1");
  }

  @Test
  void stalledUpload_holdsItsShare_untilItsConnectionEnds() throws IOException {
    int length = 3 * MIB / 2;
    try (Socket socket = stalled("admin", length)) {
      Eventually.await("the upload is held", () -> memory.held() == length);
      overloaded(admin.post("/texts", text(MIB)));
      assertThat(admin.post("/texts", text(1_000)).status()).isEqualTo(201);
      assertThat(admin.forTenant("other").post("/texts", text(MIB)).status()).isEqualTo(201);
      Eventually.await("only the upload is held", () -> memory.held() == length);
      socket.setSoLinger(true, 0);
    }
    Eventually.await("the upload is let go of", () -> memory.held() == 0);
    assertThat(admin.post("/texts", text(MIB)).status()).isEqualTo(201);
  }

  @Test
  void manyStalledUploads_ofOneTenant_leaveRoomForOthers() throws IOException {
    Socket[] sockets = new Socket[8];
    try {
      for (int i = 0; i < sockets.length; i++) {
        sockets[i] = stalled("admin", MIB);
      }
      Eventually.await("the first are held", () -> memory.held() >= MIB);
      assertThat(memory.held()).isLessThanOrEqualTo(2L * MIB + MemoryBudget.SMALL * 8);
      assertThat(admin.forTenant("other").post("/texts", text(MIB)).status()).isEqualTo(201);
    } finally {
      for (Socket socket : sockets) {
        if (socket != null) {
          socket.close();
        }
      }
    }
    Eventually.await("all are let go of", () -> memory.held() == 0);
  }

  @Test
  void stranger_holdsNothing() throws IOException {
    try (Socket socket = stalled("wrong", MIB)) {
      byte[] answer = new byte[12];
      assertThat(socket.getInputStream().readNBytes(answer, 0, answer.length)).isEqualTo(12);
      assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 401");
      assertThat(memory.held()).isZero();
    }
  }

  @Test
  void answer_isHeldToo_andUndoneWhereThereIsNoRoom() {
    overloaded(admin.get("/answers/" + 3 * MIB));
    assertThat(undone).hasValue(1);
    assertThat(admin.get("/answers/" + MIB).text("/text")).hasSize(MIB);
    assertThat(undone).hasValue(1);
    Eventually.await("the answer is let go of", () -> memory.held() == 0);
  }

  @Test
  void failure_holdsNothingAfterwards() {
    assertThat(admin.get("/broken").status()).isEqualTo(500);
    assertThat(admin.post("/texts", "{\"text\":").status()).isEqualTo(400);
    Eventually.await("all is let go of", () -> memory.held() == 0);
  }
}
