package io.sluice.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.Limit;
import io.sluice.Ordering;
import io.sluice.RateLimit;
import io.sluice.Scope;
import io.sluice.store.LaneFlow.Bound;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlowRulesTest {
  private static final Lane LANE = new Lane("acme", "mail", "send", "crm", "customer-7");

  private static Limit limit(Scope scope) {
    return new Limit(scope, null, 1);
  }

  private static FlowRules rules(Scope... scopes) {
    return new FlowRules(List.of(scopes).stream().map(FlowRulesTest::limit).toList(), Map.of());
  }

  @Test
  void everyScopeOfALane_bindsIt_andNoOther() {
    FlowRules rules = rules(
        Scope.global(),
        Scope.tenant("acme"),
        Scope.tenant("globex"),
        Scope.queue("acme", "mail"),
        Scope.queue("globex", "mail"),
        Scope.urlGroup("acme", "crm"),
        Scope.type("acme", "send"),
        Scope.type("acme", "other"),
        Scope.key("acme", "customer-7"),
        Scope.key("acme", "customer-8"));
    assertThat(rules.of(LANE).bounds()).extracting(Bound::scope).isEqualTo(Scope.of(LANE));
    assertThat(rules.of(Lane.of("x", "y", "z")).bounds())
        .extracting(Bound::scope)
        .containsExactly(Scope.global());
  }

  @Test
  void oneKeyLimit_binds_theMostExact() {
    Scope key = Scope.key("acme", "customer-7");
    Scope longer = Scope.key("acme", "customer-*");
    Scope shorter = Scope.key("acme", "c*");
    assertThat(rules(shorter, longer, key).of(LANE).bounds())
        .containsExactly(new Bound(key, limit(key)));
    assertThat(rules(shorter, longer).of(LANE).bounds())
        .containsExactly(new Bound(key, limit(longer)));
    assertThat(rules(shorter, Scope.key("acme", "d*")).of(LANE).bounds())
        .containsExactly(new Bound(key, limit(shorter)));
    assertThat(rules(shorter).of(Lane.of("acme", "mail", "send"))).isSameAs(LaneFlow.FREE);
  }

  @Test
  void order_isOfTheQueue_orOfEachKey() {
    FlowRules rules = new FlowRules(
        List.of(),
        Map.of(
            Scope.queue("acme", "mail"), Ordering.KEY, Scope.queue("acme", "log"), Ordering.QUEUE));
    assertThat(rules.of(LANE).order()).isEqualTo(new LaneFlow.Order("acme", "mail", "customer-7"));
    assertThat(rules.of(Lane.of("acme", "mail", "send")).isFree()).isTrue();
    LaneFlow log = rules.of(new Lane("acme", "log", "a", "", "k"));
    assertThat(log.order()).isEqualTo(new LaneFlow.Order("acme", "log", ""));
    assertThat(log.isCounted()).isTrue();
  }

  @Test
  void aRateAlone_isNotCounted() {
    Limit rate = new Limit(Scope.global(), new RateLimit(1, 1), null);
    assertThat(new FlowRules(List.of(rate), Map.of()).of(LANE).isCounted()).isFalse();
    assertThat(rules(Scope.global()).of(LANE).isCounted()).isTrue();
  }
}
