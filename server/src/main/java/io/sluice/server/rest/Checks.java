package io.sluice.server.rest;

import io.sluice.Names;
import io.sluice.SluiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects everything that is wrong with a request, to tell it at once. */
public final class Checks {
  private static final Pattern UUID_LIKE =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final List<FieldError> errors = new ArrayList<>();

  /** Notes a problem unless the condition holds; the message says what would be right. */
  public Checks require(boolean holds, String field, String message) {
    if (!holds) {
      errors.add(new FieldError(field, message));
    }
    return this;
  }

  /**
   * Takes the value of a piece of work that itself refuses what is wrong with this field; where none is
   * named here, the work names it.
   */
  public <T> @Nullable T take(String field, Supplier<T> work) {
    try {
      return work.get();
    } catch (Invalid e) {
      e.errors()
          .forEach(
              inner -> errors.add(new FieldError(join(field, inner.field()), inner.message())));
    } catch (SluiceException e) {
      String inner = e.field().orElse("");
      errors.add(new FieldError(field.isEmpty() ? inner : field, Problem.reason(e)));
    }
    return null;
  }

  /** A name that a person gives to a thing; one that looks like an id would be mistaken for it. */
  public Checks name(String field, @Nullable String name) {
    if (name == null) {
      return require(false, field, "is missing");
    }
    take(field, () -> Names.check(field, name));
    return require(!isUuid(name), field, "must not look like a UUID");
  }

  public static boolean isUuid(String text) {
    return UUID_LIKE.matcher(text).matches();
  }

  /** The id in a path, where only an id will do; what is none is the id of nothing. */
  public static UUID id(String text, Supplier<SluiceException> unknown) {
    if (!isUuid(text)) {
      throw unknown.get();
    }
    return UUID.fromString(text);
  }

  /** Throws when anything was wrong. */
  public void done() {
    if (!errors.isEmpty()) {
      throw new Invalid(errors);
    }
  }

  private static String join(String outer, String inner) {
    if (outer.isEmpty() || inner.isEmpty()) {
      return outer + inner;
    }
    return inner.startsWith("[") ? outer + inner : outer + "." + inner;
  }
}
