package io.sluice.server.urlgroup;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.audit.Audit;
import io.sluice.testkit.ManualClock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The end of a signing secret that was replaced. */
class OverlapsTest {
  private static final String FIRST = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String SECOND = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
  private static final Instant FAR = Instant.parse("2999-01-01T00:00:00Z");

  private final GroupTables tables = new GroupTables();
  private final List<String> audited = new ArrayList<>();
  private final Audit audit =
      line -> audited.add(line.caller().id() + " " + line.action() + " " + line.object());
  private final UrlGroup group =
      tables.group("g", ",\"signing\":{\"secrets\":[\"" + FIRST + "\"]}");

  @AfterEach
  void close() {
    tables.close();
  }

  private Overlaps overlaps(InstantSource clock) {
    return new Overlaps(tables.groups, audit, clock);
  }

  private void rotate(Instant until) {
    tables.groups.change("default", group.id(), draft -> draft.rotated(SECOND, until));
  }

  private void over() {
    tables.tables.execute("update url_group set previous_until = now() - interval '1 second'");
  }

  private List<String> kept() {
    return tables.groups.opened(tables.read(group)).secrets().signing();
  }

  @Test
  void previousSecret_isDeleted_whenItsTimeIsOver() {
    rotate(FAR);
    overlaps(InstantSource.system()).round();
    assertThat(kept()).containsExactly(SECOND, FIRST);
    int both = tables.query("select signing from url_group").getFirst().length();

    over();
    assertThat(
            tables.groups.opened(tables.read(group)).at(InstantSource.system().instant()))
        .satisfies(draft -> assertThat(draft.secrets().signing()).containsExactly(SECOND));
    overlaps(InstantSource.system()).round();
    assertThat(kept()).containsExactly(SECOND);
    assertThat(tables.read(group).previousUntil()).isNull();
    assertThat(tables.query("select signing from url_group").getFirst().length())
        .isLessThan(both);
    assertThat(audited).containsExactly("system url-group.secret.end g");

    overlaps(InstantSource.system()).round();
    assertThat(audited).hasSize(1);
  }

  @Test
  void end_goesByTheDatabasesClock() {
    rotate(FAR);
    over();
    overlaps(new ManualClock(Instant.EPOCH)).round();
    assertThat(kept()).containsExactly(SECOND);
  }

  @Test
  void secretThatWasRotatedMeanwhile_stays() {
    rotate(FAR);
    over();
    UrlGroup seen = tables.read(group);
    // Somebody rotates between the look and the deed.
    String third = "whsec_" + "QUJD".repeat(8);
    tables.groups.change("default", group.id(), draft -> draft.rotated(third, FAR));
    overlaps(InstantSource.system()).end(seen);
    assertThat(kept()).containsExactly(third, SECOND);
    assertThat(audited).isEmpty();
  }
}
