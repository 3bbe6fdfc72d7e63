package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What cannot be said of a batch or of what a job waits for. */
class BatchRequestTest {
  private static final UUID ID = new UUID(7, 7);

  private static void refused(String message, ThrowingCallable call) {
    SluiceException thrown = catchThrowableOfType(SluiceException.class, call);
    assertThat(thrown).isNotNull();
    assertThat(thrown.code()).isEqualTo(ErrorCode.INVALID_MESSAGE);
    assertThat(thrown).hasMessage("INVALID_MESSAGE: " + message + " must not be null");
  }

  @Test
  @SuppressWarnings({"NullAway", "DataFlowIssue"})
  void nothing_isRefused_withTheNameOfItsField() {
    BatchRequest batch = BatchRequest.named("b");
    Step first = batch.add(Jobs.of("t"));
    refused("name", () -> BatchRequest.named(null));
    refused("tenant", () -> batch.tenant(null));
    refused("parent", () -> batch.in(null));
    refused("callback", () -> batch.callback(null));
    refused("callback.on", () -> batch.callback(Jobs.of("t"), null));
    refused("jobs[1]", () -> batch.add(null));
    refused("jobs[1].name", () -> batch.add(null, Jobs.of("t")));
    refused("jobs[0]", () -> BatchRequest.chain("c", (JobRequest) null));
    refused("after[0]", () -> first.after((Step) null));
    refused("after[0]", () -> first.after((String) null));
    refused("afterPolicy", () -> first.otherwise(null));
    refused("after[1]", () -> Jobs.of("t").after(ID, null));
    refused("after[0].id", () -> Jobs.of("t").after("a", null));
    refused("after[0].name", () -> Jobs.of("t").after(null, ID));
    assertThat(batch.steps()).containsExactly(first);
    assertThat(first.after()).isEmpty();
  }
}
