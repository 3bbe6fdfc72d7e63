package io.sluice.server.audit;

import io.sluice.SluiceException;
import io.sluice.server.access.Caller;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes note of administrative writes. */
public interface Audit {
  /**
   * A line to write: that the caller does something, such as {@code queue.create}, to an object of the
   * tenant, which is named by its name or id and never by a secret.
   *
   * @param details what changes, where there is more to know, and no secret in it
   */
  record AuditLine(
      Caller caller,
      String tenant,
      String action,
      String object,
      @Nullable String details) {
    private AuditLine failed(String why) {
      return new AuditLine(caller, tenant, action + ".failed", object, why);
    }
  }

  void write(AuditLine line);

  default void write(Caller caller, String tenant, String action, String object) {
    write(new AuditLine(caller, tenant, action, object, null));
  }

  /** Writes a line in the transaction of what it reports, so that there is never one without the other. */
  default void write(Connection connection, AuditLine line) throws SQLException {
    write(line);
  }

  /**
   * Writes a line and then makes the change, which is in another store and cannot be in one transaction
   * with it: so there is no change without a line. Where the change fails, a second line says so.
   */
  default <T> T around(AuditLine line, Supplier<T> change) {
    write(line);
    try {
      return change.get();
    } catch (SluiceException e) {
      write(line.failed(e.code().name()));
      throw e;
    } catch (RuntimeException e) {
      write(line.failed(e.getClass().getSimpleName()));
      throw e;
    }
  }
}
