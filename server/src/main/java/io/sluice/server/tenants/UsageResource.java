package io.sluice.server.tenants;

import io.sluice.server.access.Access;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.Routes;
import io.sluice.server.rest.TimeTexts;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** What a tenant used, by the day. */
public final class UsageResource {
  private static final int USUAL_DAYS = 30;
  private static final int MOST_DAYS = 400;
  private static final LocalDate FIRST = LocalDate.of(1, 1, 1);

  private record Days(List<Usage.Day> items) {}

  private final Tenants tenants;
  private final Usage usage;

  public UsageResource(Tenants tenants, Usage usage) {
    this.tenants = tenants;
    this.usage = usage;
  }

  public Routes addTo(Routes routes) {
    return routes.get("/v1/tenants/{id}/usage", Access.READ, this::read);
  }

  private Answer read(Call call) {
    Query query = call.query().only("from", "to");
    Tenant tenant = tenants.seenBy(call.caller(), call.path("id"));
    LocalDate to = day(query, "to").orElse(usage.today());
    LocalDate from = day(query, "from").orElse(latest(FIRST, to.minusDays(USUAL_DAYS - 1)));
    new Checks()
        .require(!from.isAfter(to), "from", "must not be after to")
        .require(
            !from.isBefore(to.minusDays(MOST_DAYS)),
            "from",
            "must be at most " + MOST_DAYS + " days before to")
        .done();
    return Answer.ok(new Days(usage.read(tenant.id(), from, to)));
  }

  /** A day, or the day in which a time falls. */
  private static Optional<LocalDate> day(Query query, String name) {
    return query.text(name).map(text -> {
      try {
        return TimeTexts.day(text);
      } catch (DateTimeException e) {
        throw new Invalid(
            name, "must be a day such as 2026-01-31, or a time in it, in the years 1 to 9999");
      }
    });
  }

  private static LocalDate latest(LocalDate one, LocalDate other) {
    return one.isAfter(other) ? one : other;
  }
}
