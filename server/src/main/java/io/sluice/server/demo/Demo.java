package io.sluice.server.demo;

import io.sluice.JobState;
import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/** Everything around a server that makes it move: receiver, traffic and worker. */
public final class Demo implements AutoCloseable {
  private final SampleReceiver receiver;
  private final Api api;
  private final Traffic traffic;
  private final EmailWorker worker;

  /** For a server at this address; the receiver listens already, nothing else is done yet. */
  public Demo(String address, String key, RandomGenerator random) {
    receiver = new SampleReceiver(random);
    api = new Api(address, key);
    traffic = new Traffic(api, receiver.address(), random);
    worker = new EmailWorker(api, random);
  }

  public void start(double rate) throws InterruptedException {
    traffic.prepare();
    worker.start();
    traffic.start(rate);
  }

  public String receiver() {
    return receiver.address();
  }

  /** How many jobs are in which state. */
  public Map<JobState, Long> states() throws InterruptedException {
    JsonNode states = api.get("/v1/stats").get("byState");
    Map<JobState, Long> counts = new EnumMap<>(JobState.class);
    for (JobState state : JobState.values()) {
      JsonNode count = states.get(state.name());
      counts.put(state, count == null ? 0 : count.longValue());
    }
    return counts;
  }

  @Override
  public void close() {
    traffic.close();
    worker.close();
    api.close();
    receiver.close();
  }
}
