package io.sluice;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a limit or a breaker is on: everything, a tenant, or a queue, a URL group, a job type or a limit
 * key of a tenant. A limit key that ends in {@code *} stands for every key that begins like it, each by
 * itself; the key itself goes before such a pattern, and a longer pattern before a shorter one.
 */
public record Scope(Kind kind, String tenant, String name) {
  private static final String ANY = "*";

  /** The sorts of scopes; {@code word} is how a key in text begins. */
  public enum Kind {
    GLOBAL,
    TENANT,
    QUEUE,
    URL_GROUP,
    TYPE,
    KEY;

    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** True for a kind of which a tenant has many, each with its name. */
    public boolean isNamed() {
      return this != GLOBAL && this != TENANT;
    }
  }

  public static Scope global() {
    return new Scope(Kind.GLOBAL, "", "");
  }

  public static Scope tenant(String tenant) {
    return new Scope(Kind.TENANT, tenant, "");
  }

  public static Scope queue(String tenant, String queue) {
    return new Scope(Kind.QUEUE, tenant, queue);
  }

  public static Scope urlGroup(String tenant, String group) {
    return new Scope(Kind.URL_GROUP, tenant, group);
  }

  public static Scope type(String tenant, String type) {
    return new Scope(Kind.TYPE, tenant, type);
  }

  public static Scope key(String tenant, String limitKey) {
    return new Scope(Kind.KEY, tenant, limitKey);
  }

  /** Every scope that a lane is in, from the widest to the narrowest, patterns left out. */
  public static List<Scope> of(Lane lane) {
    String tenant = lane.tenant();
    return Stream.of(
            Optional.of(global()),
            Optional.of(tenant(tenant)),
            Optional.of(queue(tenant, lane.queue())),
            Optional.of(lane.groupName()).filter(g -> !g.isEmpty()).map(g -> urlGroup(tenant, g)),
            Optional.of(type(tenant, lane.type())),
            Optional.of(lane.limitKey()).filter(k -> !k.isEmpty()).map(k -> key(tenant, k)))
        .flatMap(Optional::stream)
        .toList();
  }

  /** True when the jobs of a lane are in this scope; in that of a pattern, when their key fits it. */
  public boolean covers(Lane lane) {
    return kind == Kind.GLOBAL
        || (tenant.equals(lane.tenant())
            && switch (kind) {
              case GLOBAL, TENANT -> true;
              case QUEUE -> name.equals(lane.queue());
              case URL_GROUP -> name.equals(lane.groupName());
              case TYPE -> name.equals(lane.type());
              case KEY -> coversKey(lane.limitKey());
            });
  }

  /** True when a limit key is in this scope, which is one of a key or a pattern. */
  public boolean coversKey(String limitKey) {
    return isPattern()
        ? !limitKey.isEmpty() && limitKey.startsWith(name.substring(0, name.length() - 1))
        : name.equals(limitKey);
  }

  /** True when this stands for many limit keys, each with a limit of its own. */
  public boolean isPattern() {
    return kind == Kind.KEY && name.endsWith(ANY);
  }

  /** This scope in text, its tenant aside: {@code tenant}, {@code queue:emails}, {@code key:customer-*}. */
  public String key() {
    return kind.isNamed() ? kind.word() + ":" + name : kind.word();
  }
}
