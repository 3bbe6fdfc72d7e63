package io.sluice.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkerSpecTest {
  @Test
  void remoteWorker_handlesItsTypes_inItsQueueAlone() {
    WorkerSpec some = WorkerSpec.remote("acme", "mail", "w", 1, Set.of("a"));
    assertThat(some.handles("acme", "mail", "a")).isTrue();
    assertThat(some.handles("acme", "mail", "b")).isFalse();
    assertThat(some.handles("acme", "default", "a")).isFalse();
    assertThat(some.handles("globex", "mail", "a")).isFalse();
  }

  @Test
  void remoteWorkerWithoutTypes_handlesEveryTypeButHttp() {
    WorkerSpec any = WorkerSpec.remote("acme", "mail", "w", 1, Set.of());
    assertThat(any.handles("acme", "mail", "b")).isTrue();
    assertThat(any.handles("acme", "mail", "http")).isFalse();
  }

  @Test
  void engine_handlesItsTypes_everywhere() {
    WorkerSpec engine = new WorkerSpec("w", 1, Set.of("a"), Set.of());
    assertThat(engine.handles("acme", "mail", "a")).isTrue();
    assertThat(engine.handles("acme", "mail", "b")).isFalse();
  }
}
