package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.LogLine;
import io.sluice.store.ClaimRef;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines of a job are in the order in which they were written, whichever connections wrote them. */
class LogOrderTest {
  private static final Server SERVER = Server.POSTGRES_18;

  @Test
  void linesOfOtherConnections_keepTheirPlace() {
    String schema = Server.newSchema();
    try (PostgresStore one = SERVER.store(schema).build();
        PostgresStore two = SERVER.store(schema).build()) {
      one.open();
      two.open();
      one.insert(Sample.jobs(1));
      ClaimRef job = Sample.claim(one, Sample.worker(one), 1).getFirst().ref();
      one.log(job, List.of("first"));
      two.log(job, List.of("second"));
      one.log(job, List.of("third"));
      assertThat(one.logs(job.job()))
          .extracting(LogLine::text)
          .containsExactly("first", "second", "third");
    } finally {
      SERVER.run("drop schema if exists " + schema + " cascade");
    }
  }
}
