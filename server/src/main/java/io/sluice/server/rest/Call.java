package io.sluice.server.rest;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.access.Caller;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request that was let in: who makes it, for which tenant, and what it says. */
public final class Call {
  /** The texts themselves, what is shown of them, and the answer that is written. */
  private static final int COPIES = 3;

  /** What came with the request beside its caller; header names are in lower case. */
  record Request(
      Map<String, String> path, Query query, Function<String, Optional<String>> header) {}

  private final @Nullable Caller caller;
  private final String tenant;
  private final Request request;
  private final Content content;

  Call(@Nullable Caller caller, String tenant, Request request, Content content) {
    this.caller = caller;
    this.tenant = tenant;
    this.request = request;
    this.content = content;
  }

  public Caller caller() {
    if (caller == null) {
      throw new SluiceException(ErrorCode.FORBIDDEN, "this route is open to all and has no caller");
    }
    return caller;
  }

  /** The name of the tenant that the call is about: the caller's, or the one an admin named. */
  public String tenant() {
    return tenant;
  }

  /** The same call, about another tenant: for a route that has checked that the caller may. */
  public Call about(String other) {
    return new Call(caller, other, request, content);
  }

  public String path(String parameter) {
    String value = request.path.get(parameter);
    if (value == null) {
      throw new IllegalArgumentException("the route has no parameter " + parameter);
    }
    return value;
  }

  public Query query() {
    return request.query;
  }

  public Optional<String> header(String name) {
    return request.header.apply(name);
  }

  /** The body as a record; a field that it does not have is refused. */
  public <T> T body(Class<T> type) {
    return content.json().read(content.take(), type);
  }

  /** The body as a record, where none at all stands for an empty one. */
  public <T> T bodyOrEmpty(Class<T> type) {
    return content.isEmpty() ? content.json().read("{}".getBytes(Json.UTF_8), type) : body(type);
  }

  /** What there is, with the fields that the body gives changed: null there takes a value away. */
  public <T> T changed(T current, Class<T> type) {
    return changed(current, type, Set.of());
  }

  /**
   * What there is, with the fields that the body gives changed: null there takes a value away.
   *
   * @param inner fields that are objects, of which again only what is given is changed
   */
  public <T> T changed(T current, Class<T> type, Set<String> inner) {
    return content.json().merge(current, content.take(), type, inner);
  }

  /**
   * Makes room for an answer that is about to be put together of this many bytes of text: OVERLOADED where there is
   * none. To be called as soon as that is known.
   */
  public void answering(long bytes) {
    content.answering(COPIES * bytes);
  }
}
