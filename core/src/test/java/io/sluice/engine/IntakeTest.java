package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.AfterPolicy;
import io.sluice.JacksonCodec;
import io.sluice.JobRequest;
import io.sluice.Jobs;
import io.sluice.Lane;
import io.sluice.Metadata;
import io.sluice.Predecessor;
import io.sluice.Ties;
import io.sluice.Uuid7;
import io.sluice.When;
import io.sluice.store.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is let in, and in what form. */
class IntakeTest {
  private final Intake intake = new Intake(
      new JacksonCodec(), new Uuid7(InstantSource.fixed(Pieces.NOW), new SplittableRandom(1)));

  private void refused(String field, JobRequest request) {
    assertThatThrownBy(() -> intake.take(request))
        .isInstanceOf(io.sluice.SluiceException.class)
        .hasMessageStartingWith("INVALID_MESSAGE: " + field);
  }

  @Test
  void plainJob_isTaken() {
    NewJob job = intake.take(Jobs.of("a.b:c/d", Map.of("x", 1)).idempotencyKey("k"));
    assertThat(job.spec().payload()).isEqualTo("{\"x\":1}");
    assertThat(job.lane().type()).isEqualTo("a.b:c/d");
    assertThat(job.when()).isEqualTo(When.now());
    assertThat(job.id().version()).isEqualTo(7);
  }

  @Test
  void urlGroup_isANameOrTheBucketOfAHost() {
    String bucket = Lane.bucketOf("example.com");
    assertThat(intake.take(Jobs.of("t").urlGroup(bucket)).lane().urlGroup()).isEqualTo(bucket);
    intake.take(Jobs.of("t").urlGroup("stripe"));
    for (String wrong : List.of("//", "//AB", "//abc", "Stripe", "a b")) {
      refused("urlGroup", Jobs.of("t").urlGroup(wrong));
    }
  }

  @Test
  void limitKey_isAnyText_butNoPattern() {
    intake.take(Jobs.of("t").limitKey("Kunde *7*/ä"));
    refused("limitKey", Jobs.of("t").limitKey("customer-*"));
  }

  @Test
  void rawJson_isKeptToTheLetter() {
    String json = " { \"a\" : 1.50 } ";
    assertThat(intake.take(Jobs.raw("t", json)).spec().payload()).isEqualTo(json);
  }

  @Test
  void payload_mayBeLarger_whereTheJobSaysSo() {
    String large = "\"" + "x".repeat(2 << 20) + "\"";
    intake.take(Jobs.raw("t", large).maxPayloadBytes(4 << 20));
    refused("payload", Jobs.raw("t", large).maxPayloadBytes(1 << 20));
    String huge = "\"" + "x".repeat(8 << 20) + "\"";
    refused("payload", Jobs.raw("t", huge).maxPayloadBytes(Integer.MAX_VALUE));
  }

  @Test
  void edges_areTaken_andWhatIsBeyondIsNot() {
    intake.take(Jobs.of("t").delay(Duration.ZERO).timeout(Duration.ofNanos(1)));
    intake.take(Jobs.of("t").delay(Duration.ofDays(3650)).runAt(Instant.EPOCH));
    refused("delay", Jobs.of("t").delay(Duration.ofDays(3650).plusNanos(1)));
    refused("runAt", Jobs.of("t").runAt(Instant.EPOCH.minusNanos(1)));
    intake.take(Jobs.of("t").queue("q".repeat(64)));
    refused("queue", Jobs.of("t").queue("q".repeat(65)));
    intake.take(Jobs.of("t".repeat(128)));
    refused("type", Jobs.of("t".repeat(129)));
    intake.take(Jobs.raw("t", "\"" + "x".repeat((1 << 20) - 2) + "\""));
    refused("payload", Jobs.raw("t", "\"" + "x".repeat((1 << 20) - 1) + "\""));
    intake.take(Jobs.raw("t", "[".repeat(200) + "]".repeat(200)));
    refused("payload", Jobs.raw("t", "[".repeat(201) + "]".repeat(201)));
  }

  @Test
  void metadata_comesAsJsonValues() {
    NewJob job = intake.take(Jobs.of("t").metadata(Metadata.NONE.with("at", Pieces.NOW)));
    assertThat(job.spec().metadata().custom().get("at")).isInstanceOf(String.class);
    refused("metadata", Jobs.of("t").metadata(Metadata.NONE.withUserId("\ud800")));
  }

  @Test
  void after_namesEachOnce_andNotTooMany() {
    UUID a = new UUID(0, 1);
    UUID b = new UUID(0, 2);
    NewJob job = intake.take(Jobs.of("t").after(a).after("b", b).afterPolicy(AfterPolicy.HOLD));
    assertThat(job.spec().ties())
        .isEqualTo(
            new Ties(List.of(Predecessor.of(a), new Predecessor(b, "b")), AfterPolicy.HOLD, null));
    refused("after[0].name must be 1 to 64 of", Jobs.of("t").after("no name", a));
    refused("after must name each once, and names " + a, Jobs.of("t").after(a, b, a));
    refused("after must give each a name", Jobs.of("t").after("x", a).after("x", b));
    JobRequest many = Jobs.of("t");
    for (int i = 0; i < 10_000; i++) {
      many.after(new UUID(0, i));
    }
    intake.take(many);
    refused("after must name at most 10000, was 10001", many.after(new UUID(1, 1)));
  }

  @Test
  void afterPolicy_isForThoseThatWait() {
    refused("afterPolicy is for a job that waits", Jobs.of("t").afterPolicy(AfterPolicy.IF_FAILED));
    intake.take(Jobs.of("t").afterPolicy(AfterPolicy.CANCEL));
  }

  @Test
  void all_areBoundedTogether() {
    String megabyte = "\"" + "x".repeat(1_000_000) + "\"";
    List<JobRequest> jobs = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      jobs.add(Jobs.raw("t", megabyte));
    }
    assertThatThrownBy(() -> intake.takeAll(jobs)).hasMessageContaining("bytes together");
    assertThat(intake.takeAll(jobs.subList(0, 10))).hasSize(10);
  }

  @Test
  void jsonText_judgesWhatIsMeant_notHowItIsWritten() {
    for (String good : List.of("\"\\\\u0000\"", "\"\\ud83c\\udf0a\"", "1", "null", "\"🌊\"")) {
      assertThat(JsonText.check("f", good)).isEqualTo(good);
    }
    for (String bad : List.of(
        "\"\\u0000\"",
        "\"\\\\\\u0000\"",
        "{\"\\u0000\":1}",
        "\"\\ud83c\"",
        "\"\\udf0a\\ud83c\"",
        "\"\ud83c\"",
        "[1]]",
        "1 2",
        "",
        "  ",
        "NaN",
        "{'a':1}",
        "[1,]")) {
      assertThatThrownBy(() -> JsonText.check("f", bad))
          .as(bad)
          .hasMessageStartingWith("INVALID_MESSAGE: f ");
    }
  }
}
