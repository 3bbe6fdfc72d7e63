package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.SluiceException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reads of users that take long end soon, and keep nothing that the engine needs. */
@Tag("slow")
class SearchBoundsTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final JobFilter SEARCH = JobFilter.all().inTenant("default").containing("zzzz");

  private final Ground ground = Schemas.take(SERVER);
  private PostgresStore store;

  @BeforeEach
  void open() {
    store = ground.store().build();
    store.open();
    store.insert(List.of(Sample.job()));
  }

  /** Statements may take an hour, so that only the bound on searches can end one. */
  private PostgresStore storeOfPatientStatements() {
    PostgresStore patient = SERVER
        .store(ground.schema())
        .statementTimeout(Duration.ofHours(1))
        .searchTimeout(Duration.ofMillis(200))
        .build();
    patient.open();
    return patient;
  }

  @AfterEach
  void close() {
    store.close();
    Schemas.giveBack(ground);
  }

  @Test
  void searchThatTakesLong_isEnded_andSaysHowToNarrowIt() throws Exception {
    try (PostgresStore patient = storeOfPatientStatements();
        ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
      try (Connection connection = SERVER.connect();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute("lock table " + ground.schema() + ".job in access exclusive mode");

        Future<SluiceException> refusal = users.submit(() ->
            catchThrowableOfType(SluiceException.class, () -> patient.page(SEARCH, null, 10)));

        assertThat(refusal).succeedsWithin(Duration.ofMinutes(1)).satisfies(refused -> {
          assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_MESSAGE);
          assertThat(refused.field()).contains("q");
          assertThat(refused)
              .hasMessageContaining("longer than 0.2 s")
              .hasMessageContaining("narrow the list by queue");
        });
      }
      assertThat(store.page(SEARCH, null, 10).items()).isEmpty();
    }
  }

  @Test
  void engine_looksUpWhatItNeeds_whileReadsOfUsersWait() throws Exception {
    List<Future<?>> reads = new ArrayList<>();
    try (ExecutorService users = Executors.newVirtualThreadPerTaskExecutor();
        Connection connection = SERVER.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("lock table " + ground.schema() + ".job in access exclusive mode");
      for (int i = 0; i < 10; i++) {
        reads.add(users.submit(() -> store.find(Sample.id())));
        reads.add(users.submit(() -> store.page(SEARCH, null, 10)));
      }

      assertThat(store.now()).isNotNull();
      assertThat(store.queues().list()).hasSize(1);
      assertThat(store.unfinished(null)).hasSize(1);
      assertThat(store.breakers().list(null)).isEmpty();
      assertThat(reads).noneMatch(read -> read.state() == Future.State.SUCCESS);
      connection.rollback();
    }
  }
}
