package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.rest.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code sluice doctor} as a process of its own. */
@Tag("slow")
class DoctorCommandTest {
  @TempDir
  Path folder;

  /** Nothing is closed to root; in a name space of its own it is nobody. */
  private static List<String> asNobody() {
    return "root".equals(System.getProperty("user.name"))
        ? List.of("unshare", "--user")
        : List.of();
  }

  @Test
  void folderThatIsReadOnly_isAProblem_andTheExitCodeIs1() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("r-xr-xr-x"));
    List<String> command = new ArrayList<>(asNobody());
    command.addAll(ProgramCommand.line(
        ProgramCommand.BRIEF, "doctor", "--json", "--port", "0", "--data", data.toString()));
    Path out = folder.resolve("out");
    ProcessBuilder builder = new ProcessBuilder(command)
        .redirectOutput(out.toFile())
        .redirectError(folder.resolve("err").toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("SLUICE_"));
    assertThat(builder.start().waitFor()).isEqualTo(1);
    JsonNode report = new Json().tree(Files.readString(out));
    assertThat(report.get("healthy").booleanValue()).isFalse();
    assertThat(report.get("findings"))
        .anySatisfy(finding -> assertThat(finding.toString())
            .isEqualTo(
                "{\"level\":\"problem\",\"topic\":\"data\",\"says\":\"Nothing can be written to the data folder "
                    + data
                    + ": AccessDeniedException.\",\"mend\":\"Give the folder to the user of the server with"
                    + " chown and chmod u+rwx, or name another folder.\"}"));
  }

  @Test
  void serverThatRuns_isLookedAtAndLeftAlone() throws IOException {
    // Where root runs this, PostgreSQL has a user of its own, who must get to its folder.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    try (ServerProcess server = ServerProcess.serve(folder);
        ServerProcess doctor = ServerProcess.run(
            folder,
            ProgramCommand.BRIEF,
            "doctor",
            "--port",
            server.address().replaceAll(".*:", ""))) {
      assertThat(doctor.exit()).as(doctor.out()).isZero();
      assertThat(doctor.err()).doesNotContain("sluice:");
      assertThat(doctor.out().lines())
          .contains(
              "ok       port       A Sluice serves on port "
                  + server.address().replaceAll(".*:", "") + ".",
              "ok       keys       The master key is the one that the database needs.",
              "ok       durability A commit is on the disk before it is confirmed.")
          .allMatch(line -> line.startsWith("ok"));
      assertThat(new Client(server.address(), null).get("/health/ready").status())
          .isEqualTo(200);
    }
  }

  @Test
  void connectionsOfAProcess_areThoseOfItsPools() {
    try (TestServer server = TestServer.start()) {
      double most = server
          .admin()
          .get("/metrics")
          .raw()
          .body()
          .lines()
          .filter(
              line -> line.startsWith("sluice_pool_connections") && line.contains("state=\"most\""))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
          .sum();
      assertThat((int) most + 1).isEqualTo(ServerDatabase.CONNECTIONS_OF_A_PROCESS);
    }
  }
}
