package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script {@code ./sluice}, in a folder of its own where Maven and the JDKs are stand-ins that write
 * down how they were called.
 */
class LauncherTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  /** All that the script uses: with the whole of /usr/bin, the machine's own JDK would be found. */
  private static final List<String> TOOLS = List.of(
      "bash",
      "cat",
      "cksum",
      "cut",
      "dirname",
      "env",
      "find",
      "grep",
      "mkdir",
      "mv",
      "readlink",
      "rm",
      "sed",
      "sh",
      "sleep",
      "sort",
      "tail",
      "xargs");

  /** Makes the jar that the launcher runs, as the build does. */
  private static final String MAVEN = """
      #!/bin/sh
      echo "mvn $* with $JAVA_HOME" >>"$CALLS"
      echo "Downloaded from a-mirror: https://a/b-1.jar (1.6 MB at 2.1 MB/s)"
      echo "Downloaded from a-mirror: https://a/b-1.pom (980 kB at 2.1 MB/s)"
      echo "[INFO] Building Sluice Core 0.1.0-SNAPSHOT                       [2/7]"
      if [ -n "$BREAK" ]; then echo "[ERROR] Foo.java:[1,1] it does not compile"; exit 1; fi
      mkdir -p server/target/runnable && echo jar >server/target/runnable/sluice-server.jar
      """;

  /** Says that it is ready where it is started to be learned from, and else what it got. */
  private static final String JAVA = """
      #!/bin/bash
      case "$*" in
        *ArchiveClassesAtExit*)
          for word in "$@"; do
            case $word in -XX:ArchiveClassesAtExit=*) echo learned >"${word#*=}" ;; esac
          done
          env | grep -c '^SLUICE_' | sed 's/^/warm-up, variables: /' >>"$CALLS"
          echo "Sluice ready on http://x" ;;
        *) echo "java of $(dirname "$(dirname "$0")") in $PWD: $*" ;;
      esac
      """;

  @TempDir
  Path folder;

  private Path repository;
  private Path calls;
  private Path bin;
  private Path tools;

  private record Run(int code, String out, String err) {}

  @BeforeEach
  void layOut() throws IOException {
    repository = Files.createDirectories(folder.resolve("a repository"));
    calls = Files.writeString(folder.resolve("calls"), "");
    bin = Files.createDirectories(folder.resolve("bin"));
    Files.createDirectories(repository.resolve("build"));
    Files.copy(ROOT.resolve("sluice"), repository.resolve("sluice"));
    Files.copy(ROOT.resolve("build/jdk.sh"), repository.resolve("build/jdk.sh"));
    write(repository.resolve("pom.xml"), "<project/>");
    write(repository.resolve("server/src/main/java/Main.java"), "class Main {}");
    program(repository.resolve("sluice"), Files.readString(repository.resolve("sluice")));
    program(bin.resolve("mvn"), MAVEN);
    tools = Files.createDirectories(folder.resolve("tools"));
    for (String tool : TOOLS) {
      Path usr = Path.of("/usr/bin", tool);
      Files.createSymbolicLink(
          tools.resolve(tool), Files.exists(usr) ? usr : Path.of("/bin", tool));
    }
    jdk("jdk-17", "17.0.9");
    jdk("jdk-21", "21.0.2");
    jdk("jdk-25", "25.0.1");
    jdk("jdk-11", "11.0.1");
  }

  private void jdk(String name, String version) throws IOException {
    Path home = folder.resolve("jdks").resolve(name);
    write(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    program(home.resolve("bin/javac"), "#!/bin/sh\n");
    program(home.resolve("bin/java"), JAVA);
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static void program(Path file, String text) throws IOException {
    write(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Runs the launcher in another folder, where only these JDKs are to be found. */
  private Run sluice(Map<String, String> variables, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(repository.resolve("sluice").toString()));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder = new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectOutput(out.toFile())
        .redirectError(err.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(Map.of(
            "PATH", bin + ":" + tools,
            "HOME", folder.resolve("home").toString(),
            "JDK_FOLDERS", folder.resolve("jdks").toString(),
            "CALLS", calls.toString()));
    builder.environment().putAll(variables);
    int code = builder.start().waitFor();
    return new Run(code, Files.readString(out), Files.readString(err));
  }

  private Run sluice(String... arguments) throws Exception {
    return sluice(Map.of(), arguments);
  }

  private List<String> calls() throws IOException {
    List<String> made = Files.readAllLines(calls);
    Files.writeString(calls, "");
    return made;
  }

  @Test
  void firstUse_buildsWithTheNewestJdk_learns_andBecomesTheServer() throws Exception {
    Run first = sluice(
        Map.of("SLUICE_JAVA_OPTS", "-Xmx1g  -Da=b", "SLUICE_PORT", "1"), "server", "--data", "a b");
    assertThat(first.code).isZero();
    assertThat(first.err)
        .startsWith("Building Sluice for the first time. This takes half a minute")
        .containsPattern(
            "\\n  [0-9]+s: building Sluice Core \\(2 of 7\\), 2 files fetched \\(2 MB\\)\\n")
        .contains("Built in ");
    assertThat(first.out)
        .startsWith("java of " + folder.resolve("jdks/jdk-25") + " in " + folder + ": ")
        .contains("-XX:SharedArchiveFile=" + repository, " -Xmx1g -Da=b ")
        .endsWith("io.sluice.server.Main server --data a b\n");
    assertThat(calls())
        .satisfiesExactly(
            mvn -> assertThat(mvn)
                .contains("-pl server,!testkit -am package with " + folder.resolve("jdks/jdk-25"))
                .doesNotContain("install"),
            server -> assertThat(server).isEqualTo("warm-up, variables: 0"),
            client -> assertThat(client).isEqualTo("warm-up, variables: 0"));
  }

  @Test
  void clientCommand_hasAnArchiveAndACompilerOfItsOwn() throws Exception {
    assertThat(sluice("server").out()).contains("/sluice-server-").doesNotContain("Tiered");
    assertThat(sluice("stats", "--json").out())
        .contains("-XX:TieredStopAtLevel=1", "/sluice-client-")
        .doesNotContain("-Dsluice.terminal")
        .endsWith("io.sluice.server.Main stats --json\n");
  }

  @Test
  void laterUse_buildsOnlyWhatHasChanged() throws Exception {
    sluice("server");
    calls();
    Run second = sluice("server");
    assertThat(second.err).isEmpty();
    assertThat(calls()).isEmpty();

    Path source = repository.resolve("server/src/main/java/Main.java");
    Files.setLastModifiedTime(source, java.nio.file.attribute.FileTime.fromMillis(0));
    sluice("server");
    assertThat(calls()).as("the same text, another time").isEmpty();

    write(source, "class Main { }");
    assertThat(sluice("server").err).startsWith("Sources have changed: building Sluice.");
    assertThat(calls()).hasSize(3);

    Files.delete(source);
    assertThat(sluice("server").code).isZero();
    assertThat(calls()).hasSize(3);
  }

  @Test
  void brokenBuild_saysWhatAndWhere_andIsTriedAgain() throws Exception {
    Run broken = sluice(Map.of("BREAK", "yes"), "server");
    assertThat(broken.code).isEqualTo(1);
    assertThat(broken.out).isEmpty();
    assertThat(broken.err)
        .contains("[ERROR] Foo.java:[1,1] it does not compile")
        .endsWith("The build failed. All that Maven said is in "
            + repository.resolve("server/target/runnable/sluice-build.log") + "\n");
    assertThat(sluice("server").code).isZero();
  }

  @Test
  void onceBuilt_nothingIsWritten_andMavenIsNotNeeded() throws Exception {
    sluice("server");
    Files.delete(bin.resolve("mvn"));
    List<Path> before = listed();
    Run run = sluice(Map.of("PATH", tools.toString()), "server");
    assertThat(run.code).isZero();
    assertThat(listed()).isEqualTo(before);
  }

  private List<Path> listed() throws IOException {
    try (var files = Files.walk(repository)) {
      return files.sorted().toList();
    }
  }

  @Test
  void noJdk_saysWhatToInstall() throws Exception {
    Run none = sluice(
        Map.of(
            "JDK_FOLDERS",
            folder.toString(),
            "JAVA_HOME",
            folder.resolve("jdks/jdk-17").toString()),
        "server");
    assertThat(none.code).isEqualTo(1);
    assertThat(none.err).startsWith("No JDK 21 or newer found: install one");
    assertThat(calls()).isEmpty();
  }

  @Test
  void lockOfADeadBuild_doesNotBar() throws Exception {
    write(repository.resolve("server/target/runnable/sluice-build.lock/pid"), "999999999\n");
    assertThat(sluice("server").code).isZero();
    assertThat(repository.resolve("server/target/runnable/sluice-build.lock")).doesNotExist();
  }
}
