package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** What is said for each kind of refusal. */
class ProblemTest {
  private final Problem problem = new Problem(
      new Target.Found("http://h:1", "--server"), new Target.Found("secret-key", "SLUICE_KEY"));

  private CommandException refused(int status, String body) {
    return refused(status, "/v1/queues/emails", body);
  }

  private CommandException refused(int status, String path, String body) {
    return problem.refused(new Rest.Reply(path, status, body, Optional.of("7")));
  }

  private static String body(String detail) {
    return "{\"code\":\"X\",\"detail\":\"" + detail + "\"}";
  }

  @Test
  void unauthorized_saysWhereTheKeyIsFrom_andNotTheKey() {
    CommandException refused = refused(401, body("the key is not valid"));
    assertThat(refused.exit()).isEqualTo(Exit.DENIED);
    assertThat(refused.getMessage()).contains("from SLUICE_KEY").doesNotContain("secret-key");
    assertThat(new Problem(new Target.Found("http://h:1", "x"), null)
            .refused(new Rest.Reply("/", 401, body("x"), Optional.empty()))
            .lines())
        .first()
        .isEqualTo("the server wants a key, and there is none");
  }

  @Test
  void notFound_namesTheThing() {
    CommandException named = refused(404, body("there is no queue 'emails'"));
    assertThat(named.exit()).isEqualTo(Exit.NOT_FOUND);
    assertThat(named.lines()).containsExactly("there is no queue 'emails'");
    assertThat(
            refused(404, "/v1/url-groups/my%20shop/health?x=1", body("there is no such URL group"))
                .lines())
        .containsExactly("there is no such URL group: my shop");
    assertThat(refused(404, "/v1/tenants/acme/keys/k", body("the tenant has no such key"))
            .lines())
        .containsExactly("the tenant has no such key: k");
  }

  @Test
  void invalid_hasALineForEachField() {
    CommandException refused = refused(422, """
        {"code":"INVALID_MESSAGE","detail":"a; b","errors":[
          {"field":"name","message":"must be short"},{"field":"retry.jitter","message":"must be 0 to 1"}]}
        """);
    assertThat(refused.exit()).isEqualTo(Exit.FAILED);
    assertThat(refused.lines())
        .containsExactly("name must be short", "retry.jitter must be 0 to 1");
  }

  @Test
  void tooMany_saysWhenToTryAgain() {
    CommandException refused = refused(429, body("too many calls"));
    assertThat(refused.exit()).isEqualTo(Exit.BUSY);
    assertThat(refused.lines()).containsExactly("too many calls", "try again in 7s");
  }

  @Test
  void adviceOfTheServer_isGivenInCommands() {
    assertThat(refused(409, body("it has jobs; force=true cancels them")).lines())
        .containsExactly("it has jobs; --force cancels them");
    assertThat(refused(409, body("jobs wait; delete it with ?force=true to cancel them"))
            .lines())
        .containsExactly("jobs wait; delete it with --force to cancel them");
    assertThat(refused(403, body("only an admin may")).exit()).isEqualTo(Exit.DENIED);
    assertThat(refused(403, body("only an admin may")).lines()).hasSize(2);
    assertThat(refused(403, body("the tenant is disabled")).lines())
        .containsExactly("the tenant is disabled");
    assertThat(refused(413, body("too large")).lines()).containsExactly("too large (status 413)");
  }

  @Test
  void answerOfSomethingElse_isToldAsSuch() {
    assertThat(refused(404, "<html>").lines())
        .containsExactly(
            "http://h:1 answers with status 404, and not as Sluice does",
            "is it the address of a Sluice server? It is from --server");
  }

  @Test
  void noAnswer_isUnreachable_orUnknown() {
    assertThat(problem.unreachable(new ConnectException()).lines())
        .first()
        .isEqualTo("nothing listens at http://h:1 (from --server)");
    assertThat(problem.unreachable(new ConnectException()).exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(problem.unreachable(new SSLHandshakeException("no path")).getMessage())
        .contains("no secure connection", "--ca FILE");
    assertThat(problem.unreachable(new HttpTimeoutException("slow")).exit()).isEqualTo(Exit.FAILED);
    assertThat(problem.unreachable(new IOException("reset")).lines())
        .last()
        .isEqualTo("whether the server did what was asked is not known");
  }
}
