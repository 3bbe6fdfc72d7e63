-- A check that is set or changed is due at once; where it is another one, what was found before is gone.
-- name: set-health-check
insert into {schema}.url_group_health as h (url_group, holds, timeout_ms)
values (:id, :holds, :timeout_ms)
on conflict (url_group) do update set
  holds = excluded.holds,
  timeout_ms = excluded.timeout_ms,
  due_at = now(),
  claim = null,
  claimed_until = null,
  state = case when :anew then 'unknown' else h.state end,
  since = case when :anew then now() else h.since end,
  in_row = case when :anew then 0 else h.in_row end,
  checks = case when :anew then '[]' else h.checks end;

-- name: drop-health-check
delete from {schema}.url_group_health where url_group = :id;

-- Takes checks that are due and that nobody makes, or whose maker is gone: of each tenant no more than its share,
-- counting those that are made already, and of the tenants with the fewest first.
-- name: claim-health-checks
with busy as (
  select g.tenant, count(*) as checks
  from {schema}.url_group_health h join {schema}.url_group g on g.id = h.url_group
  where h.claimed_until > now()
  group by g.tenant
), turns as (
  select h.url_group,
    row_number() over (partition by g.tenant order by h.due_at, h.url_group) + coalesce(b.checks, 0) as turn
  from {schema}.url_group_health h
  join {schema}.url_group g on g.id = h.url_group
  left join busy b on b.tenant = g.tenant
  where h.due_at <= now() and (h.claimed_until is null or h.claimed_until <= now()) and g.enabled
), due as (
  select h.url_group
  from turns t join {schema}.url_group_health h on h.url_group = t.url_group
  where t.turn <= :share and h.due_at <= now() and (h.claimed_until is null or h.claimed_until <= now())
  order by t.turn, h.due_at
  limit :limit
  for update of h skip locked
), claimed as (
  update {schema}.url_group_health h
  set claim = :claim, claimed_until = now() + (h.timeout_ms + 5000) * interval '1 millisecond'
  from due where h.url_group = due.url_group
  returning h.*
)
select g.*, c.state as health_state, c.in_row, c.checks
from claimed c join {schema}.url_group g on g.id = c.url_group;

-- Says what a check found; one whose claim was lost says nothing.
-- name: report-health-check
update {schema}.url_group_health
set state = :state, since = case when state <> :state then now() else since end,
  in_row = :in_row, checks = :checks::json, claim = null, claimed_until = null,
  due_at = now() + :wait_ms * interval '1 millisecond'
where url_group = :id and claim = :claim;

-- name: read-health
select * from {schema}.url_group_health where url_group = :id;
