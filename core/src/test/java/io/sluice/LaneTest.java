package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LaneTest {
  private static Lane in(String group) {
    return new Lane("acme", "q", "http", group, "");
  }

  @Test
  void bucketOf_isOneOf256_whateverTheCase() {
    Set<String> buckets = IntStream.range(0, 10_000)
        .mapToObj(i -> Lane.bucketOf("host-" + i + ".example.com"))
        .collect(Collectors.toSet());
    assertThat(buckets).hasSize(256).allMatch(Lane::isBucket);
    assertThat(Lane.bucketOf("API.Example.com")).isEqualTo(Lane.bucketOf("api.example.com"));
  }

  /** It is in the database: another one would give jobs of one host two lanes. */
  @Test
  void bucketOf_staysWhatItIs() {
    assertThat(Lane.bucketOf("example.com")).isEqualTo("//b9");
  }

  @Test
  void isBucket_isFalse_forEverythingElse() {
    assertThat(List.of("", "stripe", "//", "//a", "//abc", "//AB", "//xy", "/a/b", "ab//"))
        .noneMatch(Lane::isBucket);
  }

  @Test
  void aBucket_isNoGroup() {
    Lane lane = in(Lane.bucketOf("example.com"));
    assertThat(lane.hasGroup()).isFalse();
    assertThat(lane.groupName()).isEmpty();
    assertThat(Scope.of(lane)).extracting(Scope::kind).doesNotContain(Scope.Kind.URL_GROUP);
    assertThat(Scope.urlGroup("acme", lane.urlGroup()).covers(lane)).isFalse();
  }

  @Test
  void aGroup_isOne() {
    assertThat(in("stripe").hasGroup()).isTrue();
    assertThat(in("stripe").groupName()).isEqualTo("stripe");
    assertThat(Scope.of(in("stripe"))).contains(Scope.urlGroup("acme", "stripe"));
    assertThat(in("").hasGroup()).isFalse();
  }
}
