package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.SluiceException;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class CidrTest {
  private static InetAddress address(String literal) {
    return IpLiteral.parse(literal).orElseThrow();
  }

  @Test
  void contains_comparesAsManyBitsAsItHas() {
    Cidr range = Cidr.parse("allow-target", "172.16.0.0/12");

    assertThat(range.contains(address("172.16.0.0"))).isTrue();
    assertThat(range.contains(address("172.31.255.255"))).isTrue();
    assertThat(range.contains(address("172.32.0.0"))).isFalse();
    assertThat(range.contains(address("2001:db8::1"))).isFalse();
    assertThat(Cidr.of("0.0.0.0/0").contains(address("200.1.2.3"))).isTrue();
    assertThat(Cidr.of("fd00::/8").contains(address("fdff::1"))).isTrue();
    assertThat(Cidr.of("fd00::/8").contains(address("fe00::1"))).isFalse();
  }

  @Test
  void singleAddress_isARangeOfOne() {
    assertThat(Cidr.of("10.0.0.1")).hasToString("10.0.0.1/32");
    assertThat(Cidr.of("::1").bits()).isEqualTo(128);
    assertThat(Cidr.of("::1").contains(address("::2"))).isFalse();
  }

  @Test
  void mappedRange_isTheIpv4RangeItMeans() {
    assertThat(Cidr.of("::ffff:127.0.0.0/104")).isEqualTo(Cidr.of("127.0.0.0/8"));
  }

  @Test
  void badRange_isRefused_withTheFieldAndWhatWouldBeRight() {
    for (String bad : new String[] {
      "",
      "10",
      "10.0.0.0/33",
      "10.0.0.0/",
      "10.0.0.0/-1",
      "10.0.0.0/8/8",
      "localhost/8",
      "127.1/8",
      "::1/129",
      "::ffff:1.2.3.4/8",
      "fe80::1%eth0",
      "10.0.0.0/08x"
    }) {
      assertThatThrownBy(() -> Cidr.parse("allow-target", bad))
          .as(bad)
          .isInstanceOf(SluiceException.class)
          .hasMessageContaining("allow-target must be a range of addresses such as 10.0.0.0/8");
    }
  }

  @Test
  void bitsBeyondTheLength_areRefused_withTheRangeThatWasMeant() {
    assertThatThrownBy(() -> Cidr.parse("ipAllowlist", "10.1.2.3/8"))
        .hasMessageContaining("ipAllowlist '10.1.2.3/8'")
        .hasMessageContaining("write 10.0.0.0/8");
  }
}
