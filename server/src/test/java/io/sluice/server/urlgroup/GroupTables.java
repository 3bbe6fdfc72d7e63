package io.sluice.server.urlgroup;

import io.sluice.Uuid7;
import io.sluice.http.AddressGuard;
import io.sluice.memory.MemoryStore;
import io.sluice.server.TestDatabase;
import io.sluice.server.TestServer;
import io.sluice.server.limit.RowLimits;
import io.sluice.server.rest.Json;
import io.sluice.server.secret.MasterKey;
import io.sluice.server.secret.Vault;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;

/** Groups in tables of their own, without a server. */
final class GroupTables implements AutoCloseable {
  final Json json = new Json();
  final Uuid7 ids = Uuid7.seeded(InstantSource.system(), new SecureRandom());
  final TestDatabase tables = TestDatabase.create();
  final Vault vault =
      new Vault(tables.database(), MasterKey.parse("test", TestServer.MASTER_KEY)).start();
  final UrlGroups groups = new UrlGroups(tables.database(), vault, ids, json, limits());

  private static RowLimits limits() {
    MemoryStore store = MemoryStore.create();
    store.open();
    return new RowLimits(store.limits());
  }

  /** Makes a group; {@code more} are fields that follow, with a comma first. */
  UrlGroup group(String name, String more) {
    return group("default", name, more);
  }

  UrlGroup group(String tenant, String name, String more) {
    String text = "{\"name\":\"%s\",\"baseUrl\":\"https://a.example\"%s}".formatted(name, more);
    UrlGroupBody body = json.read(text, UrlGroupBody.class);
    Draft draft = new GroupChecks(new AddressGuard(List.of())).checked(body, Draft.EMPTY);
    return groups.add(tenant, name, draft, UrlGroups.ChangeNote.NONE);
  }

  UrlGroup read(UrlGroup group) {
    return groups.find(group.tenant(), group.name());
  }

  List<String> query(String sql) {
    return tables.query(sql);
  }

  @Override
  public void close() {
    tables.close();
  }
}
