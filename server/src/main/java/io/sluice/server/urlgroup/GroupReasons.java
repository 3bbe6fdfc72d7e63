package io.sluice.server.urlgroup;

import io.sluice.Lane;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Why the jobs of a URL group wait, as of now: it is disabled, or fails a check that holds them. */
public final class GroupReasons {
  private final UrlGroups groups;
  private final GroupHealth health;

  public GroupReasons(UrlGroups groups, GroupHealth health) {
    this.groups = groups;
    this.health = health;
  }

  public List<Reason> of(Lane lane) {
    if (!lane.hasGroup()) {
      return List.of();
    }
    return groups.byName(lane.tenant(), lane.groupName()).stream()
        .flatMap(group -> Stream.of(disabled(group), held(group)))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<Reason> disabled(UrlGroup group) {
    UrlGroup.Power power = group.power();
    if (power.enabled()) {
      return Optional.empty();
    }
    String since = power.disabledAt() == null
        ? ""
        : " since " + power.disabledAt().truncatedTo(ChronoUnit.MILLIS);
    String why = power.disabledReason() == null ? "" : ": " + power.disabledReason();
    return Optional.of(new Reason(
        ReasonCode.GROUP_DISABLED,
        "The URL group '" + group.name() + "' is disabled" + since + why + ".",
        null,
        "Enable the URL group.",
        Map.of("urlGroup", group.name())));
  }

  private Optional<Reason> held(UrlGroup group) {
    return health
        .read(group.id())
        .filter(state -> state.holds() && state.state().equals(GroupHealth.FAILING))
        .map(state -> held(group, state));
  }

  private static Reason held(UrlGroup group, GroupHealth.State state) {
    String why = state.checks().isEmpty() || state.checks().getFirst().reason() == null
        ? ""
        : ": " + state.checks().getFirst().reason();
    return new Reason(
        ReasonCode.GROUP_HELD,
        "The URL group '" + group.name() + "' is held, for its health check fails since "
            + state.since().truncatedTo(ChronoUnit.MILLIS) + why + ".",
        state.dueAt(),
        "It goes on when the check passes; the next one is due at "
            + state.dueAt().truncatedTo(ChronoUnit.MILLIS) + ".",
        Map.of("urlGroup", group.name(), "nextCheckAt", state.dueAt()));
  }
}
