package io.sluice.server.job;

import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.Page;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.Query;
import io.sluice.server.seal.Cursors;
import io.sluice.store.JobStore;
import java.util.List;

/** Lists of jobs, page by page. */
public final class JobLists {
  private final JobStore store;
  private final JobViews views;
  private final Cursors cursors;
  private final Json json;

  public JobLists(JobStore store, JobViews views, Cursors cursors, Json json) {
    this.store = store;
    this.views = views;
    this.cursors = cursors;
    this.json = json;
  }

  /** The jobs of a tenant that the query asks for. */
  public Page<JobView> ofTenant(String tenant, Query query) {
    JobFilters.checked(query, true);
    return page(JobFilters.of(tenant, query), query);
  }

  /** The jobs of one queue that the query asks for. */
  public Page<JobView> ofQueue(String tenant, String queue, Query query) {
    return page(JobFilters.ofQueue(tenant, queue, query), query);
  }

  Page<JobView> page(JobFilter filter, Query query) {
    String list = "jobs " + JobFilters.spelled(filter, json);
    Page<JobRecord> page = store.page(filter, cursors.open(list, query), query.limit());
    List<JobRecord> shown =
        page.items().stream().filter(job -> views.shows(job, filter.text())).toList();
    return cursors.page(list, views.of(shown), page.nextCursor());
  }
}
