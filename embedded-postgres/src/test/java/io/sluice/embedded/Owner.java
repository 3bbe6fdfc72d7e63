package io.sluice.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Another JVM that owns a PostgreSQL until its input is closed or it is killed. */
final class Owner {
  private final Process process;
  private final BufferedReader output;

  private Owner(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  /** In the other JVM: starts, writes a row, says so, waits. */
  public static void main(String[] arguments) throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder(Path.of(arguments[0]))
        .cacheFolder(Path.of(arguments[1]))
        .start()) {
      Sql.run(postgres, "create table if not exists kept (line text)");
      Sql.run(postgres, "insert into kept values ('written by the first owner')");
      System.out.println("ready " + postgres.pid());
      System.in.read();
    } catch (EmbeddedPostgresException e) {
      System.out.println("refused " + e.getMessage());
    }
  }

  static Owner start(Path dataFolder, Path cache) throws IOException {
    List<String> line = List.of(
        ProcessHandle.current().info().command().orElseThrow(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        Owner.class.getName(),
        dataFolder.toString(),
        cache.toString());
    return new Owner(
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** What it said: "ready" and the server's pid, or "refused" and why. */
  String answer() throws IOException {
    String line = output.readLine();
    return line == null ? "died" : line;
  }

  long pid() {
    return process.pid();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Lets it stop its server and end. */
  void finish() throws IOException, InterruptedException {
    process.outputWriter().close();
    process.waitFor();
  }
}
