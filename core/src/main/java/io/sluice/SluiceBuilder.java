package io.sluice;

import io.sluice.engine.Engine;
import io.sluice.engine.EngineSettings;
import io.sluice.engine.LaneRules;
import io.sluice.engine.Tools;
import io.sluice.store.Breakers;
import io.sluice.store.JobStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** Says what an instance of Sluice handles and how it behaves. */
public final class SluiceBuilder {
  private final JobStore store;
  private final Map<String, JobType<?>> types = new LinkedHashMap<>();
  private final Map<String, Integer> queueSlots = new HashMap<>();
  private final List<QueueSettings> queues = new ArrayList<>();
  private final Map<Scope, BreakerSettings> breakers = new LinkedHashMap<>();
  private final List<EventListener> listeners = new ArrayList<>();
  private Set<String> onlyQueues = Set.of();
  private String name = "sluice-" + ProcessHandle.current().pid();
  private int slots = Defaults.SLOTS;
  private Duration lease = Defaults.LEASE;
  private Duration poll = Defaults.POLL;
  private HealthRules health = HealthRules.DEFAULT;
  private Codec codec = new JacksonCodec();
  private ErrorClassifier classifier = ErrorClassifier.byType();
  private InstantSource clock = InstantSource.system();
  private Predicate<Lane> held = lane -> false;
  private Background background = Background.NONE;
  private int urlGroupSlots = Integer.MAX_VALUE;
  private boolean ownsStore = true;
  private boolean works = true;
  private boolean tends = true;

  SluiceBuilder(JobStore store) {
    this.store = Objects.requireNonNull(store, "store must not be null");
  }

  /** Handles jobs of a type: done when the handler returns. */
  public <T> SluiceBuilder handler(String type, Class<T> payload, Handler<T> handler) {
    return handler(JobType.of(type, payload).handle(handler));
  }

  /** Handles jobs of a type, with settings of its own. */
  public SluiceBuilder handler(JobType<?> type) {
    if (types.putIfAbsent(type.name(), type) != null) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION, "type " + type.name() + " has a handler already");
    }
    return this;
  }

  /** The name by which people know this instance. */
  public SluiceBuilder name(String value) {
    name = value;
    return this;
  }

  /** How many jobs this instance runs at once. */
  public SluiceBuilder slots(int value) {
    slots = value;
    return this;
  }

  /** How many jobs of a queue this instance runs at once. */
  public SluiceBuilder slots(String queue, int value) {
    queueSlots.put(queue, value);
    return this;
  }

  /** How many jobs of a URL group this instance runs at once. */
  public SluiceBuilder urlGroupSlots(int value) {
    urlGroupSlots = value;
    return this;
  }

  /** How long a worker that gives no sign of life keeps its jobs. */
  public SluiceBuilder lease(Duration value) {
    lease = value;
    return this;
  }

  /** How often to look for work where no hint came. */
  public SluiceBuilder poll(Duration value) {
    poll = value;
    return this;
  }

  /** Works on these queues only. */
  public SluiceBuilder onlyQueues(String... names) {
    onlyQueues = Set.of(names);
    return this;
  }

  /**
   * Claims nothing of a lane while this is true of it. It is asked before every claim and must answer
   * at once; what runs goes on. Lanes that differ in the limit key alone are asked about in turn while one of them
   * is held, not all of them each time.
   */
  public SluiceBuilder hold(Predicate<Lane> lanes) {
    held = held.or(lanes);
    return this;
  }

  /** Lets explanations of jobs tell what the application knows of them, such as why it holds them. */
  public SluiceBuilder background(Background value) {
    background = value;
    return this;
  }

  /** Runs no handlers here: this instance enqueues, serves remote workers and does the chores. */
  public SluiceBuilder withoutWork() {
    works = false;
    return this;
  }

  /** Leaves the chores to other instances: due work, what lost workers held, expiry and retention. */
  public SluiceBuilder withoutDuties() {
    tends = false;
    return this;
  }

  /** Makes the queue, or changes it to this, at the start. */
  public SluiceBuilder queue(QueueSettings settings) {
    queues.add(settings);
    return this;
  }

  /** Gives a URL group or a job type this breaker, or changes it to this, at the start. */
  public SluiceBuilder breaker(Scope scope, BreakerSettings settings) {
    Breakers.check(scope);
    breakers.put(scope, settings);
    return this;
  }

  public SluiceBuilder health(HealthRules value) {
    health = value;
    return this;
  }

  public SluiceBuilder codec(Codec value) {
    codec = value;
    return this;
  }

  public SluiceBuilder classifier(ErrorClassifier value) {
    classifier = value;
    return this;
  }

  /** Tells the listener what happens in this instance. */
  public SluiceBuilder listener(EventListener value) {
    listeners.add(value);
    return this;
  }

  /** The clock for times that people read; leases and retries go by the store's. */
  public SluiceBuilder clock(InstantSource value) {
    clock = value;
    return this;
  }

  /** Leaves the store open at the stop: it is shared with others, or yours to close. */
  public SluiceBuilder keepStoreOpen() {
    ownsStore = false;
    return this;
  }

  public Sluice build() {
    EngineSettings settings = new EngineSettings(
        name,
        slots,
        lease,
        poll,
        queueSlots,
        onlyQueues,
        health,
        works,
        tends,
        new LaneRules(held, urlGroupSlots));
    Tools tools = new Tools(codec, classifier, clock, System::nanoTime, new SecureRandom());
    Engine engine = new Engine(store, settings, List.copyOf(types.values()), tools, background);
    listeners.forEach(engine::listen);
    return new Sluice(engine, ownsStore, queues, breakers);
  }
}
