package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.SluiceException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TargetUrlTest {
  private static final AddressGuard STRICT = new AddressGuard(List.of());
  private static final AddressGuard LOOPBACK = Desk.guard("127.0.0.0/8");

  private record Case(String url, String reason) {}

  @TestFactory
  Stream<DynamicTest> check_refuses_andSaysWhy() {
    return Stream.of(
            new Case("", "1 to 8192"),
            new Case("https://example.com/" + "a".repeat(9000), "1 to 8192"),
            new Case("example.com/x", "begin with http"),
            new Case("//example.com/x", "begin with http"),
            new Case("ftp://example.com/", "begin with http"),
            new Case("file:///etc/passwd", "begin with http"),
            new Case("gopher://example.com/", "begin with http"),
            new Case("jar:http://example.com/", "begin with http"),
            new Case("http:/example.com/", "begin with http"),
            new Case("http:///x", "must have a host"),
            new Case("http://:80/x", "must have a host"),
            new Case("http://user@example.com/", "user name"),
            new Case("http://user:pw@example.com/", "user name"),
            new Case("http://example.com@127.0.0.1/", "user name"),
            new Case("http://example.com\\@127.0.0.1/", "backslash"),
            new Case("http://example.com /", "spaces"),
            new Case(" http://example.com/", "spaces"),
            new Case("http://example.com/a b", "spaces"),
            new Case("http://example.com/\r\nX: y", "control"),
            new Case("http://example.com/\u0000", "control"),
            new Case("http://example.com/\u0085", "control"),
            new Case("http://example.com/ä", "percent-encoded"),
            new Case("http://example.com/%zz", "percent-encoded"),
            new Case("http://example.com/%4", "percent-encoded"),
            new Case("http://example.com/{x}", "percent-encoded"),
            new Case("http://example.com:/", "port"),
            new Case("http://example.com:0/", "port"),
            new Case("http://example.com:65536/", "port"),
            new Case("http://example.com:999999999999/", "port"),
            new Case("http://example.com:80:80/", "one colon"),
            new Case("http://example.com:-1/", "one colon"),
            new Case("http://example.com:22/", "port 22"),
            new Case("http://example.com:25/", "port 25"),
            new Case("http://example.com:81/", "port 81"),
            new Case("http://example.com:3306/", "port 3306"),
            new Case("http://example.com:5432/", "port 5432"),
            new Case("http://example.com:6379/", "port 6379"),
            new Case("http://8.8.8.8:6379/", "port 6379"),
            new Case("http://localhost/", "this machine"),
            new Case("http://localhost./", "this machine"),
            new Case("http://LOCALHOST:8080/", "this machine"),
            new Case("http://a.localhost/", "this machine"),
            new Case("http://ⓛocalhost/", "this machine"),
            new Case("http://db/", "own network"),
            new Case("http://metadata/", "own network"),
            new Case("http://metadata.google.internal/", "own network"),
            new Case("http://printer.local/", "own network"),
            new Case("http://nas.home.arpa/", "own network"),
            new Case("http://127.0.0.1/", "loopback"),
            new Case("http://127.0.0.1./", "loopback"),
            new Case("http://１２７.０.０.１/", "loopback"),
            new Case("http://127。0。0。1/", "loopback"),
            new Case("http://127.1/", "four decimal"),
            new Case("http://127.0.1/", "four decimal"),
            new Case("http://2130706433/", "four decimal"),
            new Case("http://0x7f000001/", "four decimal"),
            new Case("http://0x7f.0.0.1/", "four decimal"),
            new Case("http://017700000001/", "four decimal"),
            new Case("http://0177.0.0.1/", "four decimal"),
            new Case("http://127.0.0.0x1/", "four decimal"),
            new Case("http://256.0.0.1/", "four decimal"),
            new Case("http://1.2.3.4.5/", "four decimal"),
            new Case("http://0/", "four decimal"),
            new Case("http://0.0.0.0/", "this network"),
            new Case("http://[::1]/", "loopback"),
            new Case("http://[::]/", "unspecified"),
            new Case("http://[::ffff:127.0.0.1]/", "loopback"),
            new Case("http://[::ffff:7f00:1]/", "loopback"),
            new Case("http://[64:ff9b::7f00:1]/", "NAT64"),
            new Case("http://[2002:7f00:1::]/", "6to4"),
            new Case("http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/", "Teredo"),
            new Case("http://[fe80::1%eth0]/", "zone"),
            new Case("http://[fe80::1%25eth0]/", "zone"),
            new Case("http://[fd00:ec2::254]/", "private"),
            new Case("http://[127.0.0.1]/", "IPv6"),
            new Case("http://[::1/", "one host"),
            new Case("http://[]/", "IPv6"),
            new Case("http://[::1]x/", "one host"),
            new Case("http://::1/", "one host"),
            new Case("http://169.254.169.254/latest/meta-data/", "link-local"),
            new Case("http://100.100.100.200/", "carrier NAT"),
            new Case("http://10.1.2.3/", "private"),
            new Case("http://172.16.1.1/", "private"),
            new Case("http://192.168.0.1/", "private"),
            new Case("http://198.18.0.1/", "benchmarking"),
            new Case("http://224.0.0.1/", "multicast"),
            new Case("http://255.255.255.255/", "broadcast"),
            new Case("http://%6c%6f%63alhost/", "not an internet name"),
            new Case("http://exa mple.com/", "spaces"),
            new Case("http://-example.com/", "not an internet name"),
            new Case("http://example..com/", "not an internet name"),
            new Case("http://" + "a".repeat(64) + ".com/", "not an internet name"),
            new Case("http://xn--/" + "é".repeat(3), "percent-encoded"))
        .map(c -> DynamicTest.dynamicTest(shown(c.url), () -> {
          SluiceException thrown = catchThrowableOfType(
              SluiceException.class, () -> TargetUrl.check("callbackUrl", c.url, STRICT));
          assertThat(thrown).as("a refusal").isNotNull();
          assertThat(thrown).hasMessageContaining("callbackUrl ").hasMessageContaining(c.reason);
        }));
  }

  @Test
  void refusalOfAPlaceInside_namesTheRemedy_andNoOtherDoes() {
    assertThat(refusal("http://127.0.0.1:9/"))
        .endsWith("is a loopback address; start the server with --allow-target 127.0.0.0/8 to let"
            + " jobs go there");
    assertThat(refusal("http://localhost/")).contains("--allow-target 127.0.0.0/8 ");
    assertThat(refusal("http://[::1]/")).contains("--allow-target ::1/128 ");
    assertThat(refusal("http://10.1.2.3/")).contains("--allow-target 10.1.2.3/32 ");
    assertThat(refusal("http://db/")).contains("--allow-target RANGE ");
    for (String url : List.of(
        "http://169.254.169.254/", "http://0.0.0.0/", "http://8.8.8.8:25/", "ftp://127.0.0.1/")) {
      assertThat(refusal(url)).as(url).doesNotContain("--allow-target");
    }
    assertThatThrownBy(() -> TargetUrl.parse("http://127.0.0.1/", STRICT))
        .as("what a delivery says")
        .hasMessageNotContaining("--allow-target");
  }

  private static String refusal(String url) {
    return catchThrowableOfType(SluiceException.class, () -> TargetUrl.check("url", url, STRICT))
        .getMessage();
  }

  private static String shown(String url) {
    String start = url.length() > 60 ? url.substring(0, 60) : url;
    return start.isEmpty() ? "empty" : start.replaceAll("\\p{Cntrl}", "?");
  }

  private record Good(String url, String text) {}

  @TestFactory
  Stream<DynamicTest> check_takesUrlsOfTheInternet_inOneSpelling() {
    return Stream.of(
            new Good("https://example.com", "https://example.com/"),
            new Good("HTTPS://Example.COM./a", "https://example.com/a"),
            new Good("http://example.com:80/", "http://example.com/"),
            new Good("https://example.com:8443/x?y=1#frag", "https://example.com:8443/x?y=1"),
            new Good("https://example.com?x=[1]", "https://example.com/?x=[1]"),
            new Good("https://example.com/a/../b//c?x=%2F&y=a/b?c", null),
            new Good("https://example.com/users/@me", null),
            new Good("https://my_bucket.example.com/", null),
            new Good("https://bücher.example/", "https://xn--bcher-kva.example/"),
            new Good("https://127.0.0.1.nip.io/", null),
            new Good("http://8.8.8.8/", null),
            new Good("http://[2606:4700::1111]:8080/", null),
            new Good("http://[::ffff:8.8.8.8]/", "http://8.8.8.8/"),
            new Good("https://example.com/" + "a%41".repeat(2000), null))
        .map(c -> DynamicTest.dynamicTest(
            shown(c.url),
            () -> assertThat(TargetUrl.check("url", c.url, STRICT).text())
                .isEqualTo(c.text == null ? c.url : c.text)));
  }

  @Test
  void openedLoopback_opensLocalhostAndLiterals_withAllTheirPorts() {
    for (String url : List.of(
        "http://127.0.0.1:81/",
        "http://localhost:6379/",
        "http://[::ffff:127.0.0.1]/",
        "http://a.localhost/")) {
      assertThat(TargetUrl.check("url", url, LOOPBACK)).as(url).isNotNull();
    }
    for (String url : List.of(
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://127.1/",
        "http://example.com:6379/",
        "http://u@127.0.0.1/")) {
      assertThatThrownBy(() -> TargetUrl.check("url", url, LOOPBACK)).as(url).isNotNull();
    }
  }

  @Test
  void openedRange_letsInsideNamesThrough_toBeJudgedByTheirAddress_butNotLocalhost() {
    AddressGuard guard = Desk.guard("10.0.0.0/8");

    assertThat(TargetUrl.check("url", "http://api.internal/", guard).host())
        .isEqualTo("api.internal");
    assertThat(TargetUrl.check("url", "http://db:8080/", guard).port()).isEqualTo(8080);
    assertThatThrownBy(() -> TargetUrl.check("url", "http://localhost/", guard))
        .hasMessageContaining("this machine");
  }

  @Test
  void printed_hidesTheQuery() {
    TargetUrl url = TargetUrl.check("url", "https://example.com/a?token=geheim", STRICT);

    assertThat(url.toString()).isEqualTo("https://example.com/a");
    assertThat(url.text()).isEqualTo("https://example.com/a?token=geheim");
  }

  @Test
  void follow_readsEveryFormOfALocation() throws Exception {
    TargetUrl from = TargetUrl.parse("https://example.com/a/b?q=1", STRICT);

    assertThat(from.follow("/x", STRICT).text()).isEqualTo("https://example.com/x");
    assertThat(from.follow("c", STRICT).text()).isEqualTo("https://example.com/a/c");
    assertThat(from.follow("../c", STRICT).text()).isEqualTo("https://example.com/c");
    assertThat(from.follow("?z=2", STRICT).text()).isEqualTo("https://example.com/a/b?z=2");
    assertThat(from.follow("//other.example/x", STRICT).text())
        .isEqualTo("https://other.example/x");
    assertThat(from.follow("http://other.example:8080", STRICT).text())
        .isEqualTo("http://other.example:8080/");
    for (String bad : List.of(
        "http://127.0.0.1/",
        "//localhost/",
        "ftp://example.com/",
        "javascript:alert(1)",
        "http://a b/",
        "")) {
      assertThatThrownBy(() -> from.follow(bad, STRICT)).as(bad).isInstanceOf(RefusedTarget.class);
    }
  }
}
