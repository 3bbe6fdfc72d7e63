-- name: add-url-group
insert into {schema}.url_group (
  id, tenant, name, settings, auth, headers, signing, previous_until, disable_after_ms,
  enabled, disabled_at, disabled_reason)
values (
  :id, :tenant, :name, :settings::json, :auth, :headers, :signing, :previous_until, :disable_after_ms,
  :enabled, case when :enabled then null else now() end, case when :enabled then null else :by_hand end)
on conflict (tenant, name) do nothing;

-- name: find-url-group
select * from {schema}.url_group where tenant = :tenant and name = :name;

-- name: find-url-group-by-id
select * from {schema}.url_group where tenant = :tenant and id = :id;

-- Whoever changes a group reads it first, and nobody else may in between.
-- name: hold-url-group
select * from {schema}.url_group where tenant = :tenant and id = :id for update;

-- name: all-url-groups
select * from {schema}.url_group;

-- name: page-url-groups
select * from {schema}.url_group
where tenant = :tenant and (:after::text is null or name collate "C" > :after::text collate "C")
order by name collate "C"
limit :limit;

-- name: change-url-group
update {schema}.url_group
set settings = :settings::json, auth = :auth, headers = :headers, signing = :signing,
  previous_until = :previous_until, disable_after_ms = :disable_after_ms, updated_at = now(),
  enabled = :enabled,
  epoch = epoch + case when :enabled and not enabled then 1 else 0 end,
  disabled_at = case when :enabled then null when enabled then now() else disabled_at end,
  disabled_reason = case when :enabled then null when enabled then :by_hand else disabled_reason end
where id = :id
returning *;

-- Switches a group off, unless somebody did or it was switched on again since that epoch.
-- name: disable-url-group
update {schema}.url_group
set enabled = false, disabled_at = now(), disabled_reason = :reason, updated_at = now()
where id = :id and epoch = :epoch and enabled
returning *;

-- Groups that had nothing but failures for longer than they allow.
-- name: failing-url-groups
select g.*, r.first_failure_at, r.failures
from {schema}.url_group g join {schema}.url_group_run r on r.url_group = g.id and r.epoch = g.epoch
where g.enabled and g.disable_after_ms is not null and r.failures >= :fewest
  and r.first_failure_at <= now() - g.disable_after_ms * interval '1 millisecond';

-- Groups whose jobs wait: switched off, or failing their check and held for that.
-- name: url-groups-with-breaker
select * from {schema}.url_group where json_typeof(settings -> 'circuitBreaker') = 'object';

-- name: held-url-groups
select tenant, name from {schema}.url_group where not enabled
union all
select g.tenant, g.name
from {schema}.url_group_health h join {schema}.url_group g on g.id = h.url_group
where h.holds and h.state = 'failing';

-- name: url-groups-held-by-check
select g.name
from {schema}.url_group_health h join {schema}.url_group g on g.id = h.url_group
where g.tenant = :tenant and h.holds and h.state = 'failing';

-- Groups that still keep a signing secret whose time is over.
-- name: overlapped-url-groups
select * from {schema}.url_group where previous_until <= now() order by previous_until limit 100;

-- What was seen of groups since the last time. Ages are in milliseconds; a success ends a run of failures,
-- also one that is told late, and what began in another epoch is not minded.
-- name: note-url-group-runs
insert into {schema}.url_group_run as r (url_group, epoch, last_success_at, first_failure_at, failures)
select g.id, g.epoch, now() - n.success * interval '1 millisecond',
  now() - n.failure * interval '1 millisecond', n.failures
from unnest(:groups::uuid[], :epochs::integer[], :successes::bigint[], :failures::bigint[],
  :counts::bigint[]) as n (id, epoch, success, failure, failures)
join {schema}.url_group g on g.id = n.id and g.epoch = n.epoch
order by g.id
on conflict (url_group) do update set
  epoch = excluded.epoch,
  last_success_at = greatest(r.last_success_at, excluded.last_success_at),
  first_failure_at = case
    when r.epoch <> excluded.epoch or r.first_failure_at is null
      or r.first_failure_at <= excluded.last_success_at then excluded.first_failure_at
    else r.first_failure_at end,
  failures = case
    when r.epoch <> excluded.epoch or r.first_failure_at is null
      or r.first_failure_at <= excluded.last_success_at then excluded.failures
    else r.failures + excluded.failures end;

-- Takes the turn to try the credentials of a group. Answers 0, or the milliseconds until the next turn. A
-- call that waited for another one's turn reads the row as it was before that, and gets the whole pause.
-- name: take-auth-trial
with taken as (
  update {schema}.url_group set auth_tried_at = now()
  where id = :id
    and (auth_tried_at is null or auth_tried_at <= now() - :pause_ms::bigint * interval '1 millisecond')
  returning id
)
select case
    when exists (select from taken) then 0
    else greatest(1, coalesce(
      :pause_ms::bigint - (extract(epoch from now() - g.auth_tried_at) * 1000)::bigint, :pause_ms::bigint))
  end as wait_ms
from {schema}.url_group g where g.id = :id;

-- name: delete-url-group
delete from {schema}.url_group where tenant = :tenant and id = :id;

-- name: delete-url-groups
delete from {schema}.url_group where tenant = :tenant;

-- The jobs of a group by state, and how many of them ended in the last while: one look at each table.
-- name: url-group-counts
with lanes as (
  select l.id from {schema}.lane l join {schema}.queue q on q.id = l.queue
  where q.tenant = :tenant and l.url_group = :name
)
select 'PENDING' as state, count(*) as jobs, 0::bigint as recent
from {schema}.ready r where r.lane in (select id from lanes)
union all
select case r.kind when 1 then 'SCHEDULED' else 'RETRYING' end, count(*), 0
from {schema}.later r where r.lane in (select id from lanes) group by r.kind
union all
select 'RUNNING', count(*), 0 from {schema}.running r where r.lane in (select id from lanes)
union all
select case d.state when 5 then 'COMPLETED' when 6 then 'FAILED' when 7 then 'DEAD' else 'CANCELLED' end,
  count(*), count(*) filter (where d.finished_at > now() - make_interval(secs => :seconds::integer))
from {schema}.done d
where d.lane in (select id from lanes) and d.expires_at > now()
group by d.state;
