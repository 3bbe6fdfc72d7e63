package io.sluice.server.urlgroup;

import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.Scope;
import io.sluice.server.breaker.BreakerBody;
import io.sluice.server.breaker.BreakerView;
import io.sluice.store.Breakers;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The breakers of URL groups. Their settings are the groups', written through to the store that jobs are
 * run from, and made good there where a writing was lost.
 */
public final class GroupBreakers {
  private final Breakers breakers;
  private final UrlGroups groups;

  public GroupBreakers(Breakers breakers, UrlGroups groups) {
    this.breakers = breakers;
    this.groups = groups;
  }

  BreakerView view(UrlGroup group) {
    return BreakerView.ofGroup(breakers.find(scope(group)).orElse(null), settings(group));
  }

  Optional<Breaker> find(UrlGroup group) {
    return breakers.find(scope(group));
  }

  /** The breakers of a tenant's groups that have one, by the names of the groups. */
  Map<String, Breaker> ofTenant(String tenant) {
    Map<String, Breaker> found = new HashMap<>();
    for (Breaker breaker : breakers.list(tenant)) {
      if (breaker.scope().kind() == Scope.Kind.URL_GROUP) {
        found.put(breaker.scope().name(), breaker);
      }
    }
    return found;
  }

  BreakerView reset(UrlGroup group) {
    if (breakers.find(scope(group)).isPresent()) {
      breakers.reset(scope(group));
    }
    return view(group);
  }

  BreakerView open(UrlGroup group) {
    breakers.forceOpen(scope(group));
    return view(group);
  }

  /** Writes the settings of a group that was made or changed. */
  void saved(UrlGroup group) {
    save(scope(group), settings(group));
  }

  private void save(Scope scope, @Nullable BreakerSettings wanted) {
    Optional<Breaker> there = breakers.find(scope);
    BreakerSettings known = there.map(Breaker::settings).orElse(null);
    if (!Objects.equals(known, wanted)) {
      breakers.save(scope, wanted);
    }
  }

  void removed(UrlGroup group) {
    breakers.delete(scope(group));
  }

  /** Makes good what was not written through; to be called at the start and now and then. */
  public void round() {
    Map<Scope, BreakerSettings> known = new HashMap<>();
    for (Breaker breaker : breakers.list(null)) {
      BreakerSettings settings = breaker.settings();
      if (breaker.scope().kind() == Scope.Kind.URL_GROUP && settings != null) {
        known.put(breaker.scope(), settings);
      }
    }
    for (UrlGroup group : groups.found("url-groups-with-breaker")) {
      if (!Objects.equals(settings(group), known.remove(scope(group)))) {
        mend(scope(group));
      }
    }
    known.keySet().forEach(this::mend);
  }

  /** Looks at the group itself, which may have been changed a moment ago. */
  private void mend(Scope scope) {
    groups
        .byName(scope.tenant(), scope.name())
        .ifPresentOrElse(this::saved, () -> breakers.delete(scope));
  }

  private static Scope scope(UrlGroup group) {
    return Scope.urlGroup(group.tenant(), group.name());
  }

  private static @Nullable BreakerSettings settings(UrlGroup group) {
    BreakerBody body = group.settings().circuitBreaker();
    return body == null ? null : body.settings();
  }
}
