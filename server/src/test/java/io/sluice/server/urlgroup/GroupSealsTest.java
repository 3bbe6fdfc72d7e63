package io.sluice.server.urlgroup;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.postgres.Call;
import io.sluice.server.TestDatabase;
import io.sluice.server.TestServer;
import io.sluice.server.secret.MasterKey;
import io.sluice.server.secret.SealedRows;
import io.sluice.server.secret.Vault;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The sealing anew of what URL groups keep. */
class GroupSealsTest {
  private final TestDatabase tables = TestDatabase.create();
  private final Vault vault =
      new Vault(tables.database(), MasterKey.parse("key", TestServer.MASTER_KEY)).start();
  private final UUID id = new UUID(1, 2);

  @AfterEach
  void close() {
    tables.close();
  }

  private String seal(String secret) {
    return vault.seal(UrlGroups.place("acme", "auth", id), secret);
  }

  private void add(UUID group, String auth) {
    tables.execute("insert into url_group (id, tenant, name, settings, auth) values ('" + group
        + "', 'acme', '" + group + "', '{}', '" + auth + "')");
  }

  private String auth() {
    return tables.database().run(connection -> {
      try (Call call = tables.database().call(connection, "find-url-group-by-id")) {
        return call.set("tenant", "acme").set("id", id).one(row -> row.getString("auth"));
      }
    });
  }

  @Test
  void reseal_leavesAlone_whatSomebodyChangedMeanwhile() {
    String before = seal("old");
    String changed = seal("changed meanwhile");
    add(id, changed);
    int written = tables.database().run(connection -> {
      try (Call call = tables.database().call(connection, "reseal-in-group")) {
        return call.set("id", id)
            .set("kind", "auth")
            .set("before", before)
            .set("renewed", seal("old"))
            .update();
      }
    });
    assertThat(written).isZero();
    assertThat(auth()).isEqualTo(changed);
  }

  @Test
  void reseal_countsWhatDoesNotOpen_andGoesOn() {
    add(id, vault.seal(UrlGroups.place("acme", "auth", new UUID(9, 9)), "of another row"));
    for (int i = 3; i < 60; i++) {
      add(new UUID(1, i), "sluice-sealed:AAAAAAAA");
    }
    GroupSeals seals = new GroupSeals(tables.database(), vault);
    SealedRows.Batch first = seals.reseal(null);
    assertThat(first.looked()).isEqualTo(50);
    assertThat(first.last()).isNotNull();
    SealedRows.Batch second = seals.reseal(first.last());
    assertThat(second.last()).isNull();
    assertThat(first.looked() + second.looked()).isEqualTo(58);
    assertThat(first.resealed() + second.resealed()).isZero();
    assertThat(first.unreadable() + second.unreadable())
        .as("the one of another row is sealed with the newest key, and not opened for that")
        .isEqualTo(57);
    assertThat(seals.count()).isEqualTo(58);
  }
}
