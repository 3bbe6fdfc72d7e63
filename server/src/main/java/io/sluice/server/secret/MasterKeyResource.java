package io.sluice.server.secret;

import io.sluice.server.access.Access;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Routes;
import io.sluice.server.secret.RotationTable.Phase;
import io.sluice.server.secret.RotationTable.State;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The master key over REST, for admins: which one is in force, and its change. Never the key itself. */
public final class MasterKeyResource {
  private record View(
      String key,
      String source,
      String state,
      String message,
      List<String> previous,
      KeysView dataKeys,
      ValuesView rows,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt,
      List<ServerView> servers) {}

  private record KeysView(long total, long done) {}

  private record ValuesView(long total, long done, long resealed, long unreadable) {}

  private record ServerView(String name, String version, List<String> keys, Instant seenAt) {}

  private record Nothing() {}

  private final Rotation rotation;

  public MasterKeyResource(Rotation rotation) {
    this.rotation = rotation;
  }

  public Routes addTo(Routes routes) {
    return routes
        .get("/v1/master-key", Access.ADMIN, this::show)
        .post("/v1/master-key/rotate", Access.ADMIN, this::rotate);
  }

  private Answer show(Call call) {
    call.query().only();
    return Answer.ok(view());
  }

  private Answer rotate(Call call) {
    call.query().only();
    call.bodyOrEmpty(Nothing.class);
    rotation.begin(call.caller());
    return Answer.accepted(view());
  }

  private View view() {
    State state = rotation.state();
    List<ServerView> servers = rotation.servers().stream()
        .map(one -> new ServerView(one.name(), one.version(), one.keys(), one.seenAt()))
        .toList();
    RotationTable.Values values = state.values();
    return new View(
        state.current(),
        isFile() ? "data-folder" : "setting",
        state.phase() == Phase.DONE ? "idle" : "rotating",
        message(state, servers),
        state.previous(),
        new KeysView(state.keys().total(), state.keys().total() - state.keys().left()),
        new ValuesView(
            values.total(),
            Math.min(values.looked(), values.total()),
            values.resealed(),
            values.unreadable()),
        state.progress().startedAt(),
        state.progress().finishedAt(),
        servers);
  }

  private boolean isFile() {
    return rotation.masters().file() != null;
  }

  private String message(State state, List<ServerView> servers) {
    if (state.phase() != Phase.DONE) {
      return state.phase() == Phase.KEYS
          ? "data keys are being renewed; keep both master keys"
          : "stored values are being encrypted anew; keep both master keys";
    }
    boolean oldKnown = servers.stream()
        .anyMatch(server -> server.keys().stream().anyMatch(state.previous()::contains));
    if (oldKnown) {
      return isFile()
          ? "the old key is about to leave the file"
          : "done: the old key may be taken away from master-key on every server ("
              + String.join(", ", state.previous()) + ")";
    }
    boolean pending = !rotation.masters().first().equals(state.current());
    return pending
        ? "a new key, " + rotation.masters().first() + ", is here and not in force: 'sluice"
            + " master-key rotate' changes to it"
        : "the key " + state.current() + " is in force";
  }
}
