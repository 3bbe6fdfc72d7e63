package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.postgres.StatementAudit.Complaint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every write to work that runs goes through its claim row, in every statement there is. */
class StatementAuditTest {
  /** Writes that need not: where each is, and why. */
  private static final Map<String, String> EXCEPTIONS = Map.ofEntries(
      Map.entry(
          "cancel/ran",
          "a person ends whatever claim the job has; what follows is fed by the deleted row"),
      Map.entry(
          "move-to-shelf-0/runs",
          "changes where the body lies and nothing of the claim, on a locked row"),
      Map.entry(
          "mark-counted",
          "notes that a claim counts under a limit, while nobody claims or finishes"),
      Map.entry("migration/V004__limits.sql", "the same, while nobody else has the tables"),
      Map.entry("end-own-leases", "ends a lease and not the claim, on a locked row"),
      Map.entry("insert/soon", "a new job, which nobody can have claimed"),
      Map.entry("insert/late", "a new job, which nobody can have claimed"),
      Map.entry("insert-due/soon", "a new job, which nobody can have claimed"),
      Map.entry("copy-ready", "new jobs, which nobody can have claimed"),
      Map.entry("copy-later", "new jobs, which nobody can have claimed"),
      Map.entry("enqueue", "a new job with an id made in the same call"));

  private static final Path SOURCES = Path.of("src/main/java");
  private static final List<String> MIGRATIONS = List.of(
      "migration/schema.sql",
      "migration/V001__jobs.sql",
      "migration/V002__views_and_functions.sql",
      "migration/V003__outcomes_by_lane.sql",
      "migration/V004__limits.sql",
      "migration/V005__breakers.sql",
      "migration/V006__tenant_caps.sql",
      "migration/V007__large_limits.sql",
      "migration/V008__links.sql",
      "migration/V009__walks.sql",
      "migration/V010__look_ups.sql",
      "migration/V011__worker_sessions.sql",
      "migration/V012__read_committed_and_portions.sql",
      "migration/V013__retention_at_size.sql");

  private final Sql sql = new Sql("s");

  @Test
  void everyWrite_goesThroughTheClaimRow() {
    assertThat(complaints()).filteredOn(c -> !EXCEPTIONS.containsKey(c.where())).isEmpty();
  }

  @Test
  void everyException_isStillNeeded() {
    Set<String> needed = complaints().stream().map(Complaint::where).collect(Collectors.toSet());
    assertThat(EXCEPTIONS.keySet()).isSubsetOf(needed);
  }

  @Test
  void everyMigration_isRead() throws IOException {
    try (Stream<Path> files =
        Files.list(Path.of("src/main/resources/io/sluice/postgres/migration"))) {
      assertThat(files.map(file -> "migration/" + file.getFileName()))
          .containsExactlyInAnyOrderElementsOf(MIGRATIONS);
    }
  }

  /** What is written in Java would not be read here. */
  @Test
  void noStatement_isInJava() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        assertThat(Files.readString(file))
            .as(file.toString())
            .doesNotContainPattern(
                "(?i)\"\\s*(insert into|delete from|update \\w+ set|merge into)\\b");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      complete | (r.id, r.turn) in ( select g.id, g.turn | (r.id) in ( select g.id | complete/gone
      complete | (r.id, r.turn) in ( select g.id, g.turn | (r.id, r.turn) in ( select g.id, r.turn | complete/gone
      complete | (r.id, r.turn) in ( select g.id, g.turn | (r.id, r.turn) in ( select g.turn, g.id | complete/gone
      complete | and r.worker = ?             | ''                          | complete/gone
      complete | )) is true                   | )) is not true              | complete/gone
      complete | m.expires_at from gone g     | m.expires_at from given g   | complete/kept
      end      | (r.id, r.turn, r.worker) in ( select g.id, g.turn, g.worker | (r.id) in ( select g.id | end/gone
      end      | )) is true                   | )) or true                  | end/gone
      end      | from gone r join given g     | from given g left join gone r | end/kept
      end      | o.result::json from over o   | o.result::json from given o | end/kept
      end      | from over o where o.error    | from given o where o.error  | end/failed
      again    | (r.id, r.turn, r.worker) in ( select g.id, g.turn, g.worker | (r.id) in ( select g.id | again/gone
      again    | from over o where o.run_at <=| from given o where o.run_at <=| again/soon
      again    | from over o where o.run_at > | from given o where o.run_at > | again/late
      started  | and turn = ?                 | ''                          | started
      started  | and worker = ?               | ''                          | started
      progress | and r.turn = ?               | ''                          | progress
      progress | and r.worker = ?             | ''                          | progress
      log      | for no key update            | ''                          | log/lines
      claim    | from taken t ), bodies        | from picked t ), bodies      | claim/held
      cancel   | select id, shelf, lane, priority, attempt, turn, strikes, replays, null, batch, false, false from waited \
      | select id, shelf, lane, priority, attempt, turn, strikes, replays, null, batch, false, false from body | cancel/kept
      replay   | from gone g join body b on b.id = g.id ), expiring | from body g join body b on b.id = g.id ), expiring | replay/soon
      expire   | from over o cross join       | from due o cross join       | expire/kept
      promote  | from gone g )                | from s.later g )            | promote/soon
      """)
  void brokenStatement_isNoticed(String name, String fence, String instead, String where) {
    String sound = Nesting.plain(sql.query(name).text());
    assertThat(sound).contains(fence.strip());
    String broken = sound.replace(fence.strip(), instead);
    assertThat(StatementAudit.of(name, broken)).extracting(Complaint::where).contains(where);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      delete from s.running                                             | a write to running matches id, turn and worker
      update s.running set started = true where id = ?                  | a write to running matches id, turn and worker
      truncate s.running                                                | a write to running matches id, turn and worker
      insert into s.running (id) select r.id from s.ready r             | what enters running left ready in the same statement
      insert into s.done (id) values (?)                                | the rows come from what the statement took away or matched by claim
      insert into s.later (id) select r.id from s.running r             | the rows come from what the statement took away or matched by claim
      insert into s.job_log (job) values (?)                            | the rows come from what the statement took away or matched by claim
      """)
  void unfencedStatement_isNoticed(String statement, String rule) {
    assertThat(StatementAudit.of("x", statement)).containsExactly(new Complaint("x", rule));
  }

  @Test
  void functionInAMigration_isRead() {
    String migration = """
        create table s.a (id uuid);
        create function s.steal(job uuid) returns void language plpgsql as $$
        begin
          if job is not null then
            delete from running where id = job;
          end if;
        end
        $$;
        """;
    assertThat(StatementAudit.ofMigration("V9", migration))
        .containsExactly(new Complaint("steal", StatementAudit.BY_CLAIM));
  }

  private List<Complaint> complaints() {
    List<Complaint> all = new ArrayList<>();
    sql.all().forEach(q -> all.addAll(StatementAudit.of(q.name(), q.text())));
    MIGRATIONS.forEach(file -> all.addAll(StatementAudit.ofMigration(file, sql.text(file))));
    return all;
  }
}
