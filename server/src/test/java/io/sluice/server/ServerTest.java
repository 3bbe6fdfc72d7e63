package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A whole server, from its database to its port. */
class ServerTest {
  @Test
  void start_answersItsAdmin_andStopsForGood() {
    try (TestServer server = TestServer.start()) {
      assertThat(server.admin().get("/v1/nowhere").status()).isEqualTo(404);
      assertThat(server.admin().withKey("another key").get("/v1/nowhere").status())
          .isEqualTo(401);
    }
  }
}
