package io.sluice.server.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.Uuid7;
import io.sluice.memory.MemoryStore;
import io.sluice.postgres.Database;
import io.sluice.postgres.Guard;
import io.sluice.server.TestDatabase;
import io.sluice.server.TestServer;
import io.sluice.server.access.AdminKey;
import io.sluice.server.access.Role;
import io.sluice.server.audit.AuditLog;
import io.sluice.server.limit.RowLimits;
import io.sluice.server.login.Login;
import io.sluice.server.tenants.Tenant;
import io.sluice.server.tenants.TenantCaps;
import io.sluice.server.tenants.Tenants;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the keys of strangers cost: keys of the right form, which anybody can make up. */
class StrangersTest {
  private static final String ADDRESS = "192.0.2.7";
  private static final int MANY = 100;

  private final SecureRandom random = new SecureRandom();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger looks = new AtomicInteger();
  private final TestDatabase tables = TestDatabase.create();
  private final Tenants tenants;
  private final ApiKeys keys;
  private final Login login;

  StrangersTest() {
    MemoryStore store = MemoryStore.create();
    store.open();
    Uuid7 ids = Uuid7.seeded(InstantSource.system(), random);
    AuditLog audit = new AuditLog(tables.database(), ids, InstantSource.system());
    tenants = new Tenants(
        tables.database(),
        tables.database(),
        audit,
        new RowLimits(store.limits()),
        new TenantCaps(store.queues()),
        nanos::get);
    keys = new ApiKeys(
        tables.database(),
        new Database(counting(), tables.sql(), Guard.NONE),
        audit,
        tenants,
        new ApiKeys.Tools(InstantSource.system(), nanos::get, random, ids));
    login = new Login(new AdminKey(TestServer.ADMIN_KEY), keys, null, 10, nanos::get);
  }

  /** Connections of which each is one look for a key. */
  private DataSource counting() {
    return (DataSource) Proxy.newProxyInstance(
        DataSource.class.getClassLoader(),
        new Class<?>[] {DataSource.class},
        (self, method, arguments) -> {
          looks.incrementAndGet();
          return tables.connect();
        });
  }

  @AfterEach
  void close() {
    tables.close();
  }

  private String key() {
    Tenant tenant = tenants.lately(Defaults.TENANT).orElseThrow();
    return keys.make(tenant, "k", Role.VIEWER, null, new AdminKey(TestServer.ADMIN_KEY).caller())
        .text();
  }

  private SluiceException refused(String key) {
    return catchThrowableOfType(SluiceException.class, () -> login.authenticate(key, ADDRESS));
  }

  private void flood() {
    for (int i = 0; i < MANY; i++) {
      assertThat(refused(ApiKey.make(random).text())).isNotNull();
    }
  }

  @Test
  void strangers_areLookedForOnceASecond_whenTheirAddressIsOverItsLimit() {
    flood();
    assertThat(looks.get()).isEqualTo(10 + 1);
    assertThat(refused(ApiKey.make(random).text()).code()).isEqualTo(ErrorCode.RATE_LIMITED);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    flood();
    assertThat(looks.get()).isEqualTo(10 + 2);
  }

  @Test
  void keyThatWasGoodLately_passes_besideStrangersAtTheSameAddress() {
    String key = key();
    login.authenticate(key, ADDRESS);
    flood();
    for (int i = 0; i < 20; i++) {
      assertThat(login.authenticate(key, ADDRESS).role()).isEqualTo(Role.VIEWER);
      nanos.addAndGet(Duration.ofMillis(500).toNanos());
      flood();
    }
    assertThat(login.authenticate(key, "198.51.100.1").role()).isEqualTo(Role.VIEWER);
  }

  @Test
  void keyThatWasNotSeenYet_passes_whenItsTurnComes() {
    String key = key();
    flood();
    assertThat(refused(key).code()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(refused(key).retryAfter()).contains(Duration.ofSeconds(1));
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(login.authenticate(key, ADDRESS).role()).isEqualTo(Role.VIEWER);
    assertThat(login.authenticate(TestServer.ADMIN_KEY, ADDRESS).role()).isEqualTo(Role.ADMIN);
  }

  @Test
  void sameUnknownKey_isLookedForOnce_withinSeconds() {
    String key = ApiKey.make(random).text();
    for (int i = 0; i < 5; i++) {
      assertThat(refused(key).code()).isEqualTo(ErrorCode.UNAUTHORIZED);
    }
    assertThat(looks.get()).isEqualTo(1);
  }
}
