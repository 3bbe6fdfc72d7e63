package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.store.TenantCap;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SqlFunctionTest {
  @ParameterizedTest
  @EnumSource(Server.class)
  void enqueue_takesJobs_fromPlainSql(Server server) {
    String schema = Server.newSchema();
    try (PostgresStore store = server.store(schema).build()) {
      store.open();
      UUID id = enqueue(
          server,
          schema,
          "type := 'email.send', payload := '{\"a\": 1}'::jsonb, "
              + "queue := 'default', tenant := 'default', priority := 10, run_at := now(), "
              + "idempotency_key := null, metadata := '{}'::jsonb");
      JobRecord job = store.find(id).orElseThrow();
      assertThat(id.version()).isEqualTo(7);
      assertThat(job.state()).isEqualTo(JobState.PENDING);
      assertThat(job.type()).isEqualTo("email.send");
      assertThat(job.payload()).isEqualTo("{\"a\": 1}");

      UUID keyed = enqueue(server, schema, "'x', idempotency_key := 'k'");
      assertThat(enqueue(server, schema, "'x', idempotency_key := 'k'")).isEqualTo(keyed);
      UUID later = enqueue(server, schema, "'x', run_at := now() + interval '1 hour'");
      assertThat(store.find(later).orElseThrow().state()).isEqualTo(JobState.SCHEDULED);

      assertThatThrownBy(() -> enqueue(server, schema, "'x', queue := 'nope'"))
          .hasStackTraceContaining("nope");
      assertThatThrownBy(() -> enqueue(server, schema, "'x', priority := 99"))
          .hasStackTraceContaining("priority");
      store.queues().save(QueueSettings.of("small").withMaxSize(1L));
      enqueue(server, schema, "'x', queue := 'small'");
      assertThatThrownBy(() -> enqueue(server, schema, "'x', queue := 'small'"))
          .hasStackTraceContaining("QUEUE_FULL");
      assertThat(store.queues().sizes().getFirst().unfinished()).isEqualTo(1);

      store.queues().capTenant("acme", TenantCap.of(1));
      enqueue(server, schema, "'x', tenant := 'acme'");
      assertThatThrownBy(() -> enqueue(server, schema, "'x', tenant := 'acme'"))
          .hasStackTraceContaining("QUEUE_FULL: tenant 'acme'");
      assertThat(store.queues().tenantSizes().getFirst().unfinished()).isEqualTo(1);
    } finally {
      server.run("drop schema if exists " + schema + " cascade");
    }
  }

  private static UUID enqueue(Server server, String schema, String arguments) {
    // By default nothing but public is in the search path.
    return UUID.fromString(server.ask("select " + schema + ".enqueue(" + arguments + ")"));
  }
}
