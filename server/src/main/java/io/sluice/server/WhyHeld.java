package io.sluice.server;

import io.sluice.Background;
import io.sluice.JobRecord;
import io.sluice.Lane;
import io.sluice.Reason;
import io.sluice.RetryPolicy;
import io.sluice.http.Group;
import io.sluice.http.Groups;
import io.sluice.server.tenants.Tenants;
import io.sluice.server.urlgroup.GroupReasons;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What only the server knows of a job: that its tenant or its URL group is held, and the group's policy. */
final class WhyHeld implements Background {
  private final Tenants tenants;
  private final GroupReasons groupReasons;
  private final Groups groups;

  WhyHeld(Tenants tenants, GroupReasons groupReasons, Groups groups) {
    this.tenants = tenants;
    this.groupReasons = groupReasons;
    this.groups = groups;
  }

  @Override
  public List<Reason> reasons(JobRecord job) {
    return Stream.concat(
            tenants.whyHeld(job.tenant()).stream(), groupReasons.of(job.lane()).stream())
        .toList();
  }

  @Override
  public Optional<RetryPolicy> retry(JobRecord job) {
    Lane lane = job.lane();
    return lane.hasGroup()
        ? groups.find(lane.tenant(), lane.groupName()).map(Group::retry)
        : Optional.empty();
  }
}
