package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class AddressGuardTest {
  private static final AddressGuard STRICT = new AddressGuard(List.of());

  private static InetAddress address(String literal) {
    return IpLiteral.parse(literal).orElseThrow(() -> new AssertionError(literal));
  }

  private record Case(String address, String reason) {}

  @TestFactory
  Stream<DynamicTest> refusal_saysWhatTheAddressIs() {
    return Stream.of(
            new Case("0.0.0.0", "this network"),
            new Case("0.1.2.3", "this network"),
            new Case("10.0.0.1", "private"),
            new Case("10.255.255.255", "private"),
            new Case("100.64.0.1", "carrier NAT"),
            new Case("100.100.100.200", "carrier NAT"),
            new Case("100.127.255.255", "carrier NAT"),
            new Case("127.0.0.1", "loopback"),
            new Case("127.255.255.254", "loopback"),
            new Case("168.63.129.16", "cloud"),
            new Case("169.254.169.254", "link-local"),
            new Case("172.16.0.1", "private"),
            new Case("172.31.255.255", "private"),
            new Case("192.0.0.192", "protocol"),
            new Case("192.0.2.7", "documentation"),
            new Case("192.31.196.1", "AS112"),
            new Case("192.52.193.1", "tunnel"),
            new Case("192.88.99.1", "6to4"),
            new Case("192.168.1.1", "private"),
            new Case("192.175.48.6", "AS112"),
            new Case("198.18.0.1", "benchmarking"),
            new Case("198.19.255.255", "benchmarking"),
            new Case("198.51.100.1", "documentation"),
            new Case("203.0.113.9", "documentation"),
            new Case("224.0.0.1", "multicast"),
            new Case("239.255.255.255", "multicast"),
            new Case("240.0.0.1", "reserved"),
            new Case("255.255.255.255", "broadcast"),
            new Case("::", "unspecified"),
            new Case("::1", "loopback"),
            new Case("::127.0.0.1", "IPv4-compatible"),
            new Case("::8.8.8.8", "IPv4-compatible"),
            new Case("::ffff:127.0.0.1", "loopback"),
            new Case("::ffff:7f00:1", "loopback"),
            new Case("::ffff:169.254.169.254", "link-local"),
            new Case("::ffff:0:127.0.0.1", "not a global"),
            new Case("64:ff9b::7f00:1", "NAT64 address around a loopback"),
            new Case("64:ff9b::10.0.0.1", "NAT64 address around a private"),
            new Case("64:ff9b:1::8.8.8.8", "local NAT64"),
            new Case("64:ff9b:2::1", "not a global"),
            new Case("100::1", "discard"),
            new Case("2001::1", "Teredo"),
            new Case("2001:0:4136:e378:8000:63bf:80ff:fffe", "Teredo"),
            new Case("2001:2::1", "protocol"),
            new Case("2001:10::1", "protocol"),
            new Case("2001:20::1", "protocol"),
            new Case("2001:db8::1", "documentation"),
            new Case("2002:7f00:1::", "6to4"),
            new Case("2002:808:808::1", "6to4"),
            new Case("2a00:1450::5efe:a00:1", "tunnel address around a private"),
            new Case("2a00:1450::200:5efe:7f00:1", "tunnel address around a loopback"),
            new Case("3fff::1", "documentation"),
            new Case("4000::1", "not a global"),
            new Case("5f00::1", "not a global"),
            new Case("fc00::1", "private"),
            new Case("fd00:ec2::254", "private"),
            new Case("fe80::1", "link-local"),
            new Case("fec0::1", "site-local"),
            new Case("ff02::1", "multicast"))
        .map(c -> DynamicTest.dynamicTest(
            c.address,
            () -> assertThat(STRICT.refusal(address(c.address)))
                .hasValueSatisfying(reason -> assertThat(reason).contains(c.reason))));
  }

  @TestFactory
  Stream<DynamicTest> globalUnicast_isNotRefused() {
    return Stream.of(
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2606:4700::1111",
            "2a00:1450::5efe:808:808")
        .map(text -> DynamicTest.dynamicTest(
            text, () -> assertThat(STRICT.refusal(address(text))).isEmpty()));
  }

  @Test
  void addressWithAZone_isRefused_alsoInsideAnOpenedRange() throws Exception {
    InetAddress zoned = Inet6Address.getByAddress(null, address("fe80::1").getAddress(), 1);

    assertThat(STRICT.refusal(zoned)).hasValue("an address with a zone");
    assertThat(new AddressGuard(List.of(Cidr.of("fe80::/10"))).refusal(zoned))
        .hasValue("an address with a zone");
  }

  @Test
  void openedRange_isOpen_alsoInItsMappedForm_andNothingBesideIt() {
    AddressGuard guard = new AddressGuard(List.of(Cidr.of("10.1.0.0/16"), Cidr.of("fd00::/8")));

    assertThat(guard.refusal(address("10.1.2.3"))).isEmpty();
    assertThat(guard.refusal(address("::ffff:10.1.2.3"))).isEmpty();
    assertThat(guard.refusal(address("fd12::1"))).isEmpty();
    assertThat(guard.refusal(address("10.2.0.1"))).isPresent();
    assertThat(guard.refusal(address("64:ff9b::10.1.2.3"))).isPresent();
    assertThat(guard.refusal(address("fc00::1"))).isPresent();
    assertThat(guard.refusal(address("127.0.0.1"))).isPresent();
  }

  @Test
  void closedDoor_staysShut_insideAnOpenedRange() {
    InetSocketAddress database = new InetSocketAddress(address("127.0.0.1"), 5432);
    AddressGuard guard =
        new AddressGuard(List.of(Cidr.of("127.0.0.0/8"), Cidr.of("::1")), Set.of(database));

    assertThat(guard.refusal(address("127.0.0.1"), 5432)).hasValue("one of the server's own");
    assertThat(guard.refusal(address("127.0.0.9"), 5432)).isPresent();
    assertThat(guard.refusal(address("::1"), 5432)).isPresent();
    assertThat(guard.refusal(address("127.0.0.1"), 5433)).isEmpty();
  }

  @Test
  void closedDoor_mayMove() {
    AtomicReference<String> database = new AtomicReference<>("10.0.0.1");
    AddressGuard guard = new AddressGuard(
        List.of(Cidr.of("10.0.0.0/8")),
        () -> Set.of(new InetSocketAddress(address(database.get()), 5432)));
    assertThat(guard.refusal(address("10.0.0.2"), 5432)).isEmpty();

    database.set("10.0.0.2");
    assertThat(guard.refusal(address("10.0.0.2"), 5432)).hasValue("one of the server's own");
  }
}
