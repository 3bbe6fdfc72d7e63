-- name: save-breaker
insert into {schema}.breaker as b (tenant, kind, name, changed_at, error_threshold, window_ms, minimum_calls,
  slow_call_ms, trip_ms, half_open_max)
select :tenant, :kind, :name, t.now, :threshold::double precision, :window::bigint, :minimum::integer,
  :slow::bigint, :trip::bigint, :probes::integer
from (select coalesce(:now::timestamptz, now()) as now) t
on conflict (tenant, kind, name) do update
set error_threshold = excluded.error_threshold, window_ms = excluded.window_ms,
  minimum_calls = excluded.minimum_calls, slow_call_ms = excluded.slow_call_ms, trip_ms = excluded.trip_ms,
  half_open_max = excluded.half_open_max,
  state = case when excluded.trip_ms is null and b.state in ('OPEN', 'HALF_OPEN') then 'CLOSED' else b.state end,
  version = case when excluded.trip_ms is null and b.state in ('OPEN', 'HALF_OPEN') then b.version + 1
    else b.version end,
  changed_at = case when excluded.trip_ms is null and b.state in ('OPEN', 'HALF_OPEN') then excluded.changed_at
    else b.changed_at end,
  open_until = case when excluded.trip_ms is null then null else b.open_until end;

-- name: delete-breaker
delete from {schema}.breaker where tenant = :tenant and kind = :kind and name = :name;

-- name: list-breakers
select b.*, coalesce(c.calls, 0) as calls, coalesce(c.failures, 0) as failures, t.now as as_of
from (select coalesce(:now::timestamptz, now()) as now) t
cross join {schema}.breaker b
left join lateral (
  select sum(n.calls)::bigint as calls, sum(n.failures)::bigint as failures
  from {schema}.breaker_count n
  where n.tenant = b.tenant and n.kind = b.kind and n.name = b.name and n.version = b.version
    and n.counted_at > t.now - b.window_ms * interval '1 millisecond'
) c on true
where (:tenant::text is null or b.tenant = :tenant::text)
  and (:kind::text is null or (b.kind = :kind::text and b.name = :name::text))
order by b.tenant collate "C", array_position(array['URL_GROUP', 'TYPE'], b.kind), b.name collate "C";

-- Whatever was counted before is of an older version, and may go.
-- name: move-breaker
with moved as (
  update {schema}.breaker b
  set state = :state, version = b.version + 1, changed_at = t.now, granted = 0, passed = 0,
    open_until = case when :state = 'OPEN' then t.now + b.trip_ms * interval '1 millisecond' end
  from (select coalesce(:now::timestamptz, now()) as now) t
  where b.tenant = :tenant and b.kind = :kind and b.name = :name and b.version = :version
    and (:state <> 'OPEN' or b.trip_ms is not null)
  returning b.tenant, b.kind, b.name
), forgotten as (
  delete from {schema}.breaker_count n using moved m
  where n.tenant = m.tenant and n.kind = m.kind and n.name = m.name
)
select count(*) as moved from moved;

-- A period begins when the breaker was open for its time, or when the one before did not report in its.
-- name: probe-breaker
with seen as (
  select b.tenant, b.kind, b.name, t.now, b.version, b.state, b.granted, b.passed,
    b.open_until <= t.now as due
  from {schema}.breaker b, (select coalesce(:now::timestamptz, now()) as now) t
  where b.tenant = :tenant and b.kind = :kind and b.name = :name and b.trip_ms is not null
    and b.state in ('OPEN', 'HALF_OPEN')
  for no key update of b
), kept as (
  select s.*, case when s.state = 'OPEN' then 0 when s.due then s.passed else s.granted end as taken,
    case when s.state = 'OPEN' then 0 else s.passed end as well
  from seen s
  where s.state = 'HALF_OPEN' or s.due
)
update {schema}.breaker b
set state = 'HALF_OPEN', granted = k.taken + least(:wanted, b.half_open_max - k.taken), passed = k.well,
  version = case when k.due then b.version + 1 else b.version end,
  changed_at = case when k.due then k.now else b.changed_at end,
  open_until = case when k.due then k.now + b.trip_ms * interval '1 millisecond' else b.open_until end
from kept k
where b.tenant = k.tenant and b.kind = k.kind and b.name = k.name and k.taken < b.half_open_max
returning b.version, b.granted - k.taken as probes, k.due as begun;

-- name: report-probes
update {schema}.breaker
set passed = passed + :passed, granted = greatest(passed + :passed, granted - :unused)
where tenant = :tenant and kind = :kind and name = :name and version = :version and state = 'HALF_OPEN';

-- One instance writes its own rows, in the order of their keys, so that nobody waits for anybody.
-- name: count-calls
insert into {schema}.breaker_count as n (tenant, kind, name, instance, version, calls, failures, counted_at)
select b.tenant, b.kind, b.name, :instance::uuid, o.version, o.calls, o.failures, t.now
from (select coalesce(:now::timestamptz, now()) as now) t,
  unnest(:tenants::text[], :kinds::text[], :names::text[], :versions::bigint[], :calls::bigint[],
    :failures::bigint[]) as o(tenant, kind, name, version, calls, failures)
join {schema}.breaker b on b.tenant = o.tenant and b.kind = o.kind and b.name = o.name and b.version = o.version
order by b.tenant, b.kind, b.name
on conflict (tenant, kind, name, instance) do update
set version = excluded.version, calls = excluded.calls, failures = excluded.failures,
  counted_at = excluded.counted_at;

-- name: counts-of-others
select b.tenant, b.kind, b.name, b.version, coalesce(sum(n.calls), 0)::bigint as calls,
  coalesce(sum(n.failures), 0)::bigint as failures
from (select coalesce(:now::timestamptz, now()) as now) t,
  unnest(:tenants::text[], :kinds::text[], :names::text[]) as o(tenant, kind, name)
join {schema}.breaker b on b.tenant = o.tenant and b.kind = o.kind and b.name = o.name
left join {schema}.breaker_count n on n.tenant = b.tenant and n.kind = b.kind and n.name = b.name
  and n.version = b.version and n.instance <> :instance::uuid
  and n.counted_at > coalesce(:now::timestamptz, now()) - b.window_ms * interval '1 millisecond'
group by b.tenant, b.kind, b.name;

-- name: forget-old-counts
delete from {schema}.breaker_count n
using unnest(:tenants::text[], :kinds::text[], :names::text[]) as o(tenant, kind, name)
where n.tenant = o.tenant and n.kind = o.kind and n.name = o.name
  and n.counted_at < coalesce(:now::timestamptz, now()) - interval '25 hours';

-- name: hold-scope
insert into {schema}.breaker as b (tenant, kind, name, changed_at, held_until)
select :tenant, :kind, :name, t.now, t.now + :micros * interval '1 microsecond'
from (select coalesce(:now::timestamptz, now()) as now) t
on conflict (tenant, kind, name) do update set held_until = excluded.held_until
where b.held_until is null or b.held_until < excluded.held_until;

-- name: release-scope
update {schema}.breaker b set held_until = null
from (select held_until from {schema}.breaker
  where tenant = :tenant and kind = :kind and name = :name and held_until is not null for no key update) old
where b.tenant = :tenant and b.kind = :kind and b.name = :name
returning old.held_until > coalesce(:now::timestamptz, now()) as held;
