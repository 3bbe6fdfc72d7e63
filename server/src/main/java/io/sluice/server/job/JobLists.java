package io.sluice.server.job;

import io.sluice.Detail;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.Summary;
import io.sluice.server.seal.Cursors;
import io.sluice.store.JobBytes;
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
  public Answer ofTenant(Call call) {
    JobFilters.checked(call.query(), true);
    return page(call, JobFilters.of(call.tenant(), call.query()));
  }

  /** The jobs of one queue that the query asks for. */
  public Answer ofQueue(Call call, String queue) {
    return page(call, JobFilters.ofQueue(call.tenant(), queue, call.query()));
  }

  Answer page(Call call, JobFilter filter) {
    Query query = call.query();
    boolean full = query.flag(JobFilters.FULL);
    String list = "jobs " + JobFilters.spelled(filter, json);
    PageSize size = PageSize.of(query.limit(), detail(filter, full));
    Page<JobRecord> page = store.page(filter, cursors.open(list, query), size);
    call.answering(page.items().stream().mapToLong(JobBytes::of).sum());
    List<JobRecord> shown =
        page.items().stream().filter(job -> views.shows(job, filter)).toList();
    Page<JobView> items = cursors.page(list, views.of(shown), page.nextCursor());
    return Answer.ok(full ? items : new Summary(items));
  }

  /** Only whole jobs can say whether the text that was found is in what is shown of them. */
  static Detail detail(JobFilter filter, boolean full) {
    return full || filter.text() != null ? Detail.FULL : Detail.SUMMARY;
  }
}
