package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What users' tests need of the testkit works beside any JUnit, and without one. */
class WithoutJUnitTest {
  /** All that is for tests of an application, not of a store. */
  private static final List<String> FOR_USERS =
      List.of("ManualClock", "Eventually", "FlakyStore", "Faults", "TestPorts");

  private static URL url(String entry) {
    try {
      return new File(entry).toURI().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private static boolean isOfTests(String entry) {
    return entry.matches(".*(junit|assertj|opentest4j|apiguardian|test-classes).*");
  }

  @Test
  void classesForUsers_loadAndLinkWithoutJUnit() throws Exception {
    URL[] path = Arrays.stream(classPath().split(File.pathSeparator))
        .filter(entry -> !isOfTests(new File(entry).getName()))
        .map(WithoutJUnitTest::url)
        .toArray(URL[]::new);
    try (URLClassLoader bare = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
      assertThat(loads(bare, "org.junit.jupiter.api.Test")).isFalse();
      assertThat(loads(bare, "org.assertj.core.api.Assertions")).isFalse();
      for (String name : FOR_USERS) {
        Class<?> type = Class.forName("io.sluice.testkit." + name, true, bare);
        assertThat(type.getDeclaredMethods()).as(name).isNotEmpty();
        assertThat(type.getDeclaredFields()).as(name).isNotNull();
      }
      Object clock = Class.forName("io.sluice.testkit.ManualClock", true, bare)
          .getConstructor()
          .newInstance();
      assertThat(clock.getClass().getMethod("instant").invoke(clock)).isEqualTo(ManualClock.START);
    }
  }

  private static boolean loads(ClassLoader loader, String name) {
    try {
      Class.forName(name, false, loader);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Test
  void pom_leavesTheChoiceOfJUnitToUsers() throws IOException {
    for (String dependency : Files.readString(Path.of("pom.xml")).split("<dependency>", -1)) {
      if (dependency.contains("junit") || dependency.contains("assertj")) {
        assertThat(dependency).containsAnyOf("<optional>true</optional>", "<scope>test</scope>");
      }
    }
  }
}
