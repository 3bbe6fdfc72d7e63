package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.Eventually;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a proxy does to the connections of a client. */
@Tag("slow")
class ProxyTest {
  @TempDir
  static Path folder;

  private static Server server;
  private Proxy proxy;

  @BeforeAll
  static void startServer() {
    server = Server.start(folder);
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void prepare() throws SQLException {
    proxy = Proxy.to(server.port());
    try (Connection direct = server.connect()) {
      run(direct, "drop table if exists t");
      run(direct, "create table t (n int)");
    }
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  private Connection through() throws SQLException {
    return DriverManager.getConnection(proxy.url(server.url()) + "&socketTimeout=2&loginTimeout=2");
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long rows() {
    return Bench.ask(server, "select count(*) from t");
  }

  @Test
  void forwards() throws SQLException {
    try (Connection connection = through()) {
      run(connection, "insert into t values (1)");
      assertThat(rows()).isEqualTo(1);
    }
  }

  @Test
  void cut_endsConnections_andLetsNewOnesIn() throws SQLException {
    try (Connection connection = through()) {
      run(connection, "select 1");
      proxy.cut();
      assertThatThrownBy(() -> run(connection, "select 1")).isInstanceOf(SQLException.class);
    }
    try (Connection connection = through()) {
      run(connection, "select 1");
    }
  }

  @Test
  void swallow_silencesForEver_andNewConnectionsWorkAfterwards() throws SQLException {
    try (Connection connection = through()) {
      run(connection, "select 1");
      proxy.swallow();
      assertThatThrownBy(() -> run(connection, "insert into t values (1)"))
          .hasRootCauseInstanceOf(java.net.SocketTimeoutException.class);
      assertThatThrownBy(this::through).isInstanceOf(SQLException.class);
      proxy.forward();
      assertThatThrownBy(() -> run(connection, "select 1")).isInstanceOf(SQLException.class);
    }
    try (Connection connection = through()) {
      run(connection, "select 1");
    }
    assertThat(rows()).isZero();
  }

  @Test
  void lostReply_ofASingleStatement_comesAfterItsCommit() throws SQLException {
    proxy.loseReplies(Proxy.commitOf("insert into t"), 1);
    try (Connection connection = through()) {
      run(connection, "select 1");
      assertThatThrownBy(() -> run(connection, "insert into t values (1)"))
          .isInstanceOf(SQLException.class);
    }
    assertThat(proxy.lost()).isEqualTo(1);
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void lostReply_ofACommit_leavesTheStatementsBeforeItAlone() throws SQLException {
    proxy.loseReplies(Proxy.commitOf("insert into t"), 1);
    try (Connection connection = through()) {
      connection.setAutoCommit(false);
      run(connection, "insert into t values (1)");
      run(connection, "insert into t values (2)");
      assertThat(proxy.lost()).isZero();
      assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
    }
    assertThat(proxy.lost()).isEqualTo(1);
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void swallowAfter_silencesOnlyTheConnectionThatSaidIt() throws SQLException {
    proxy.swallowAfter(sql -> sql.startsWith("listen"));
    try (Connection listening = through();
        Connection other = through()) {
      run(listening, "listen x");
      assertThatThrownBy(() -> run(listening, "select 1")).isInstanceOf(SQLException.class);
      run(other, "select 1");
    }
  }

  @Test
  void holdBack_deliversInTheEnd_alsoForAClientThatGaveUp() throws SQLException {
    try (Connection connection = through()) {
      run(connection, "select 1");
      proxy.holdBack();
      assertThatThrownBy(() -> run(connection, "insert into t values (1)"))
          .hasRootCauseInstanceOf(java.net.SocketTimeoutException.class);
    }
    assertThat(rows()).isZero();
    proxy.forward();
    Eventually.await("what was said is done", () -> rows() == 1);
  }

  @Test
  void abandon_letsAStatementCommit_whenItsClientHasGone() throws Exception {
    try (Connection direct = server.connect();
        Connection connection = through()) {
      direct.setAutoCommit(false);
      run(direct, "lock table t in share mode");
      CompletableFuture<Void> insert = CompletableFuture.runAsync(() -> insert(connection));
      Eventually.await("the insert waits", ProxyTest::somebodyWaits);
      proxy.abandon();
      assertThatThrownBy(insert::join).hasRootCauseInstanceOf(java.io.IOException.class);
      assertThat(proxy.abandoned()).isEqualTo(1);
      assertThat(rows()).isZero();
      direct.commit();
    }
    Eventually.await("it is committed", () -> rows() == 1);
    Eventually.await("the connection has ended", () -> proxy.connections() == 0);
  }

  private static void insert(Connection connection) {
    try {
      run(connection, "insert into t values (1)");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean somebodyWaits() {
    return Bench.ask(server, "select count(*) from pg_locks where not granted") > 0;
  }

  @Test
  void lateCommit_ofATransaction_comesWhenItsClientWasCutOff() throws SQLException {
    proxy.commitLate(texts -> texts.toString().contains("insert"), 1, Duration.ofMillis(300));
    try (Connection connection = through()) {
      connection.setAutoCommit(false);
      run(connection, "select 1");
      connection.commit();
      run(connection, "insert into t values (1)");
      assertThatThrownBy(connection::commit).hasRootCauseInstanceOf(java.io.IOException.class);
      assertThat(rows()).isZero();
    }
    assertThat(proxy.abandoned()).isEqualTo(1);
    Eventually.await("it is committed", () -> rows() == 1);
  }

  @Test
  void lateCommit_ofASingleStatement_comesWhenItsClientWasCutOff() throws SQLException {
    proxy.commitLate(texts -> texts.toString().contains("insert"), 1, Duration.ofMillis(300));
    try (Connection connection = through()) {
      run(connection, "select 1");
      assertThatThrownBy(() -> run(connection, "insert into t values (1)"))
          .hasRootCauseInstanceOf(java.io.IOException.class);
    }
    Eventually.await("it is committed", () -> rows() == 1);
  }

  @Test
  void lead_sendsNewConnectionsToAnotherServer() throws SQLException {
    try (Proxy second = Proxy.to(proxy.port());
        Connection before =
            DriverManager.getConnection(second.url(server.url()) + "&socketTimeout=2")) {
      run(before, "insert into t values (1)");
      assertThat(proxy.connections()).isEqualTo(1);
      second.lead(server.port());
      second.cut();
      assertThatThrownBy(() -> run(before, "select 1")).isInstanceOf(SQLException.class);
      Eventually.await("the old connection has ended", () -> proxy.connections() == 0);
      try (Connection after =
          DriverManager.getConnection(second.url(server.url()) + "&socketTimeout=2")) {
        run(after, "insert into t values (2)");
      }
      assertThat(proxy.connections()).isZero();
    }
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void delay_slowsDown() throws SQLException {
    try (Connection connection = through()) {
      proxy.delay(Duration.ofMillis(50));
      long begin = Clock.now();
      run(connection, "select 1");
      assertThat(Clock.now() - begin).isGreaterThan(Duration.ofMillis(100).toNanos());
    }
  }
}
