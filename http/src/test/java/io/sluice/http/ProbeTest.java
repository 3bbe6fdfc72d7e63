package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.AttemptFailure;
import io.sluice.ErrorClass;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A look at a place of a group. */
class ProbeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Desk desk = new Desk();
  private final Receiver receiver = desk.closing(Receiver.answering(request -> Receiver.answer(
      "Bearer old".equals(request.header("authorization")) ? 401 : 302,
      "Location: /elsewhere\r\n",
      "hello")));
  private final Probe probe = new Probe(desk.client, desk.tokens, "9");
  private final Group group = Group.of("g", receiver.url("/base"))
      .withHeaders(Map.of("x-team", "blue"))
      .withAuth(new Auth.Bearer("token"));

  @AfterEach
  void close() {
    desk.close();
  }

  @Test
  void path_isBelowTheBase_withHeadersAndAuth_andRedirectsAreAnswers() throws Exception {
    Answer answer = probe.get("acme", group, "/health?deep=1", PATIENCE);
    assertThat(answer.status()).isEqualTo(302);
    Receiver.Request request = receiver.only();
    assertThat(request.method() + " " + request.target()).isEqualTo("GET /base/health?deep=1");
    assertThat(request.headers())
        .containsEntry("x-team", "blue")
        .containsEntry("authorization", "Bearer token")
        .containsEntry("user-agent", "Sluice/9");
  }

  @Test
  void otherOrigin_getsNeitherHeadersNorAuth() throws Exception {
    Receiver other = desk.closing(Receiver.answering(request -> Receiver.ok("")));
    probe.get("acme", group, other.url("/up"), PATIENCE);
    assertThat(other.only().headers()).doesNotContainKeys("x-team", "authorization");
    probe.get("acme", group, receiver.url("/up"), PATIENCE);
    assertThat(receiver.only().header("authorization")).isEqualTo("Bearer token");
  }

  @Test
  void guardAndAllowlist_areInForce() {
    assertThat(failed(group, "http://10.0.0.1/").code()).isEqualTo(RefusedTarget.ADDRESS_REFUSED);
    Group narrow = group.withIpAllowlist(List.of(Cidr.of("203.0.113.0/24")));
    assertThat(failed(narrow, "/health").errorClass()).isEqualTo(ErrorClass.REJECTED);
    assertThat(failed(group, "/../up").getMessage()).contains("below the group's base URL");
  }

  private AttemptFailure failed(Group asked, String endpoint) {
    return catchThrowableOfType(
        AttemptFailure.class, () -> probe.get("acme", asked, endpoint, PATIENCE));
  }

  @Test
  void refusedToken_isReplaced() throws Exception {
    Iterator<String> tokens = List.of("old", "new").iterator();
    Receiver issuer = desk.closing(
        Receiver.answering(request -> Receiver.ok("{\"access_token\":\"" + tokens.next() + "\"}")));
    Group oauth2 = group.withAuth(new Auth.OAuth2(issuer.url("/t"), "c", "s", null));
    Answer answer = probe.get("acme", oauth2, "/health", PATIENCE);
    assertThat(answer.status()).isEqualTo(302);
    assertThat(receiver.requests())
        .extracting(request -> request.header("authorization"))
        .containsExactly("Bearer old", "Bearer new");
  }
}
