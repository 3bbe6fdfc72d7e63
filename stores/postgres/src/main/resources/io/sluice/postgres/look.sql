-- What people look at.

-- name: now
select coalesce(:now::timestamptz, now()) as now;

-- name: find
select v.*, w.name as worker_name, coalesce(v.own_lease, w.lease_until) as lease_until,
  array(select e.error::text from {schema}.job_error e where e.shelf = v.shelf and e.job = v.id order by e.turn)
    as errors,
  p.percent, p.message, p.at as progress_at
from {schema}.job_view v
left join {schema}.worker w on w.id = v.worker
left join lateral (
  select * from {schema}.job_progress p where p.shelf = v.shelf and p.job = v.id limit 1
) p on true
where v.id = :id and (v.kept_until is null or v.kept_until > coalesce(:now::timestamptz, now()));

-- How many of these jobs, in their order, have at most this many bytes together, or 1 if the first has more. It stops at the
-- first that is one too many. What a job has beside its texts is put at 1,500 bytes, as JobBytes does.
-- name: fitting
with recursive fit as (
  select 0 as jobs, 0::bigint as bytes
  union all
  select f.jobs + 1, f.bytes + coalesce(s.bytes, 0)
  from fit f
  left join lateral (
    select 1500 + octet_length(v.payload::text) + coalesce(octet_length(v.result::text), 0)
      + coalesce(octet_length(v.metadata::text), 0) + coalesce(octet_length(v.after::text), 0)
      + coalesce(octet_length(v.reason), 0) + coalesce((
        select sum(octet_length(e.error::text)) from {schema}.job_error e where e.shelf = v.shelf and e.job = v.id
      ), 0) as bytes
    from {schema}.job_view v
    where v.shelf = (:shelves::integer[])[f.jobs + 1] and v.id = (:ids::uuid[])[f.jobs + 1]
    limit 1
  ) s on true
  where f.jobs < cardinality(:ids::uuid[]) and f.bytes <= :bytes
)
select max(f.jobs) as jobs from fit f where f.bytes <= :bytes or f.jobs = 1;

-- The states of the jobs that a page found, without payloads, results and stack traces, and no more of them than have so
-- many bytes together. The payload of an HTTP job says where it goes: with calls, only the body is left out of it.
-- name: find-summaries
select s.* from (
  select v.shelf, v.id, v.lane, v.tenant, v.queue, v.type, v.url_group, v.limit_key, v.priority, v.created_at,
    v.timeout_ms, v.expires_at, v.idempotency_key, v.metadata, v.retry, v.cost, v.batch, v.after, v.state, v.attempt,
    v.strikes, v.replays, v.run_at, v.started_at, v.finished_at, v.reason, null::text as result, h.payload, e.errors,
    w.name as worker_name, coalesce(v.own_lease, w.lease_until) as lease_until,
    p.percent, p.message, p.at as progress_at,
    row_number() over newest as place,
    sum(1500 + coalesce(octet_length(h.payload), 0) + coalesce(octet_length(v.metadata::text), 0)
      + coalesce(octet_length(v.after::text), 0) + coalesce(octet_length(v.reason), 0) + e.bytes) over newest as bytes
  from rows from (unnest((select :ids::uuid[])), unnest((select :shelves::integer[]))) as g(id, shelf)
  cross join lateral (
    select * from {schema}.job_view v where v.shelf = g.shelf and v.id = g.id limit 1
  ) v
  cross join lateral (
    select json_object_agg(b.key, b.value)::text as payload
    from json_each(case when :calls and v.type = 'http' and json_typeof(v.payload) = 'object' then v.payload end) b
    where b.key not in ('body', 'bodyBase64')
  ) h
  cross join lateral (
    select coalesce(array_agg(t.error order by t.turn), '{}') as errors, coalesce(sum(octet_length(t.error)), 0) as bytes
    from (
      select e.turn, (e.error::jsonb - 'stack')::text as error
      from {schema}.job_error e where e.shelf = v.shelf and e.job = v.id
    ) t
  ) e
  left join {schema}.worker w on w.id = v.worker
  left join lateral (
    select * from {schema}.job_progress p where p.shelf = v.shelf and p.job = v.id limit 1
  ) p on true
  window newest as (order by v.id desc rows unbounded preceding)
) s
where s.bytes <= :bytes or s.place = 1
order by s.id desc;

-- name: find-summary
select v.shelf, v.id, v.lane, v.tenant, v.queue, v.type, v.url_group, v.limit_key, v.priority, v.created_at,
  v.timeout_ms, v.expires_at, v.idempotency_key, v.metadata, v.retry, v.cost, v.batch, v.after, v.state, v.attempt,
  v.strikes, v.replays, v.run_at, v.started_at, v.finished_at, v.reason, null::text as result, (
    select json_object_agg(b.key, b.value)::text
    from json_each(case when :calls and v.type = 'http' and json_typeof(v.payload) = 'object' then v.payload end) b
    where b.key not in ('body', 'bodyBase64')
  ) as payload,
  array(select (e.error::jsonb - 'stack')::text from {schema}.job_error e
    where e.shelf = v.shelf and e.job = v.id order by e.turn) as errors,
  w.name as worker_name, coalesce(v.own_lease, w.lease_until) as lease_until,
  p.percent, p.message, p.at as progress_at
from {schema}.job_view v
left join {schema}.worker w on w.id = v.worker
left join lateral (
  select * from {schema}.job_progress p where p.shelf = v.shelf and p.job = v.id limit 1
) p on true
where v.id = :id and (v.kept_until is null or v.kept_until > coalesce(:now::timestamptz, now()));

-- The bodies and states of the jobs that a page found.
-- name: find-all
select v.*, w.name as worker_name, coalesce(v.own_lease, w.lease_until) as lease_until,
  array(select e.error::text from {schema}.job_error e where e.shelf = v.shelf and e.job = v.id order by e.turn)
    as errors,
  p.percent, p.message, p.at as progress_at
from rows from (unnest((select :ids::uuid[])), unnest((select :shelves::integer[]))) as g(id, shelf)
cross join lateral (
  select * from {schema}.job_view v where v.shelf = g.shelf and v.id = g.id limit 1
) v
left join {schema}.worker w on w.id = v.worker
left join lateral (
  select * from {schema}.job_progress p where p.shelf = v.shelf and p.job = v.id limit 1
) p on true
order by v.id desc;

-- Jobs of everybody, newest first.
-- name: page
select v.id, v.shelf from {schema}.job_view v
where (:before::uuid is null or v.id < :before::uuid)
  and (v.kept_until is null or v.kept_until > coalesce(:now::timestamptz, now()))
  and v.state = any (:states::smallint[])
  and (:from::timestamptz is null or v.created_at >= :from::timestamptz)
  and (:to::timestamptz is null or v.created_at < :to::timestamptz)
  and not exists (
    select 1 from unnest(:names::text[], :values::text[]) as m(name, value)
    where coalesce(v.metadata ->> m.name, v.metadata -> 'custom' ->> m.name) is distinct from m.value)
  and (:text::text is null or strpos(v.payload::text, :text::text) > 0
    or strpos(v.payload::text, :escaped::text) > 0 or strpos(v.reason, :text::text) > 0
    or strpos(v.type, :text::text) > 0)
order by v.id desc
limit :limit;

-- The newest of each lane and state, and of these the newest: the jobs of others are not touched. Unless
-- there is more to ask, as many of each as the page has room for are enough. Lane and id are compared and
-- sorted together: only the index that begins with the lane can do that.
-- name: page-of-lanes
select s.id, s.shelf from (
  (select r.id, r.shelf, l.lane, null::text as reason
   from unnest((select :lanes::integer[])) as l(lane)
   cross join lateral (select 1 from {schema}.ready r where r.lane = l.lane limit 1) filled
   cross join generate_series(0, 20) as p(priority)
   cross join lateral (
     select r.id, r.shelf from {schema}.ready r
     where r.lane = l.lane and r.priority = p.priority and (:before::uuid is null or r.id < :before::uuid)
     order by r.id desc
     limit case when :all::boolean then null else :limit::bigint end
   ) r
   where 2 = any (:states::smallint[]))
  union all
  (select r.id, r.shelf, l.lane, null
   from unnest((select :lanes::integer[])) as l(lane)
   cross join lateral (
     select n.id, n.shelf from (
       select r.id, r.shelf from {schema}.later r
       where r.lane = l.lane and r.kind = any (:states::smallint[])
         and (:before::uuid is null or r.id < :before::uuid)
       offset 0
     ) n
     order by n.id desc
     limit case when :all::boolean then null else :limit::bigint end
   ) r
   where 1 = any (:states::smallint[]) or 4 = any (:states::smallint[]))
  union all
  (select r.id, r.shelf, r.lane, null from {schema}.running r
   where 3 = any (:states::smallint[]) and (:before::uuid is null or r.id < :before::uuid)
     and r.lane = any (:lanes::integer[]))
  union all
  (select d.id, d.job_shelf, l.lane, d.reason
   from unnest((select :lanes::integer[])) as l(lane)
   cross join lateral (
     select d.id, d.job_shelf, d.reason from {schema}.done d
     where (d.lane, d.id) >= (l.lane, '00000000-0000-0000-0000-000000000000'::uuid)
       and (d.lane, d.id) < (l.lane, coalesce(:before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
       and d.state <> 5 and d.state = any (:states::smallint[])
       and d.expires_at > coalesce(:now::timestamptz, now())
     order by d.lane desc, d.id desc
     limit case when :all::boolean then null else :limit::bigint end
   ) d
   where 5 <> all (:states::smallint[]))
  union all
  (select d.id, d.job_shelf, l.lane, d.reason
   from unnest((select :lanes::integer[])) as l(lane)
   cross join lateral (
     select d.id, d.job_shelf, d.reason from {schema}.done d
     where (d.lane, d.id) >= (l.lane, '00000000-0000-0000-0000-000000000000'::uuid)
       and (d.lane, d.id) < (l.lane, coalesce(:before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
       and d.state = any (:states::smallint[])
       and d.expires_at > coalesce(:now::timestamptz, now())
     order by d.lane desc, d.id desc
     limit case when :all::boolean then null else :limit::bigint end
   ) d
   where 5 = any (:states::smallint[]))
) s
where not :all::boolean or exists (
  select 1 from {schema}.job j
  where j.shelf = s.shelf and j.id = s.id
    and (:from::timestamptz is null or j.created_at >= :from::timestamptz)
    and (:to::timestamptz is null or j.created_at < :to::timestamptz)
    and not exists (
      select 1 from unnest(:names::text[], :values::text[]) as m(name, value)
      where coalesce(j.metadata ->> m.name, j.metadata -> 'custom' ->> m.name) is distinct from m.value)
    and (:text::text is null or strpos(j.payload::text, :text::text) > 0
      or strpos(j.payload::text, :escaped::text) > 0 or strpos(s.reason, :text::text) > 0
      or strpos((select t.type from {schema}.lane t where t.id = s.lane), :text::text) > 0))
order by s.id desc
limit :limit;

-- Among the newest of all jobs, those of some lanes: where the lanes are many, that is where most of a page is found.
-- Tells also whether there are jobs beyond those it looked at.
-- name: page-of-newest
with seen as materialized (
  select j.id, j.shelf, j.lane from {schema}.job j
  where (:before::uuid is null or j.id < :before::uuid)
  order by j.id desc
  limit :seen
)
select v.id, v.shelf, (select count(*) from seen) >= :seen as more
from (values (1)) one
left join lateral (
  select s.id, s.shelf from seen s
  cross join lateral (
    select v.id from {schema}.job_view v
    where v.shelf = s.shelf and v.id = s.id
      and (v.kept_until is null or v.kept_until > coalesce(:now::timestamptz, now()))
      and v.state = any (:states::smallint[])
      and (:from::timestamptz is null or v.created_at >= :from::timestamptz)
      and (:to::timestamptz is null or v.created_at < :to::timestamptz)
      and not exists (
        select 1 from unnest(:names::text[], :values::text[]) as m(name, value)
        where coalesce(v.metadata ->> m.name, v.metadata -> 'custom' ->> m.name) is distinct from m.value)
      and (:text::text is null or strpos(v.payload::text, :text::text) > 0
        or strpos(v.payload::text, :escaped::text) > 0 or strpos(v.reason, :text::text) > 0
        or strpos(v.type, :text::text) > 0)
    limit 1
  ) v
  where s.lane = any (:lanes::integer[])
  order by s.id desc
  limit :limit
) v on true;

-- The same among those that ended and did not complete.
-- name: page-of-newest-failures
with seen as materialized (
  select d.id, d.job_shelf as shelf, d.lane, d.state, d.expires_at from {schema}.done d
  where d.state <> 5 and (:before::uuid is null or d.id < :before::uuid)
  order by d.id desc
  limit :seen
)
select v.id, v.shelf, (select count(*) from seen) >= :seen as more
from (values (1)) one
left join lateral (
  select s.id, s.shelf from seen s
  cross join lateral (
    select v.id from {schema}.job_view v
    where v.shelf = s.shelf and v.id = s.id
      and (:from::timestamptz is null or v.created_at >= :from::timestamptz)
      and (:to::timestamptz is null or v.created_at < :to::timestamptz)
      and not exists (
        select 1 from unnest(:names::text[], :values::text[]) as m(name, value)
        where coalesce(v.metadata ->> m.name, v.metadata -> 'custom' ->> m.name) is distinct from m.value)
      and (:text::text is null or strpos(v.payload::text, :text::text) > 0
        or strpos(v.payload::text, :escaped::text) > 0 or strpos(v.reason, :text::text) > 0
        or strpos(v.type, :text::text) > 0)
    limit 1
  ) v
  where s.lane = any (:lanes::integer[]) and s.state = any (:states::smallint[])
    and s.expires_at > coalesce(:now::timestamptz, now())
  order by s.id desc
  limit :limit
) v on true;

-- A key belongs to at most one job of a queue that is kept.
-- name: page-by-key
select v.id, v.shelf
from {schema}.idempotency i
cross join lateral (
  select v.id, v.shelf from {schema}.job_view v
  where v.shelf = i.shelf and v.id = i.id and v.idempotency_key = i.key
    and (:before::uuid is null or v.id < :before::uuid)
    and (v.kept_until is null or v.kept_until > coalesce(:now::timestamptz, now()))
    and (:lanes::integer[] is null or v.lane = any (:lanes::integer[]))
    and v.state = any (:states::smallint[])
    and (:from::timestamptz is null or v.created_at >= :from::timestamptz)
    and (:to::timestamptz is null or v.created_at < :to::timestamptz)
    and not exists (
      select 1 from unnest(:names::text[], :values::text[]) as m(name, value)
      where coalesce(v.metadata ->> m.name, v.metadata -> 'custom' ->> m.name) is distinct from m.value)
    and (:text::text is null or strpos(v.payload::text, :text::text) > 0
      or strpos(v.payload::text, :escaped::text) > 0 or strpos(v.reason, :text::text) > 0
      or strpos(v.type, :text::text) > 0)
  limit 1
) v
where i.key = :key::text and (:lanes::integer[] is null or i.queue = any (array(
  select distinct l.queue from {schema}.lane l where l.id = any (:lanes::integer[]))))
order by v.id desc
limit :limit;

-- The jobs of a batch, newest first.
-- name: page-by-batch
select v.id, v.shelf from {schema}.job_view v
where v.batch = :batch::uuid
  and (:before::uuid is null or v.id < :before::uuid)
  and (v.kept_until is null or v.kept_until > coalesce(:now::timestamptz, now()))
  and (:lanes::integer[] is null or v.lane = any (:lanes::integer[]))
  and (:key::text is null or v.idempotency_key = :key::text)
  and v.state = any (:states::smallint[])
  and (:from::timestamptz is null or v.created_at >= :from::timestamptz)
  and (:to::timestamptz is null or v.created_at < :to::timestamptz)
  and not exists (
    select 1 from unnest(:names::text[], :values::text[]) as m(name, value)
    where coalesce(v.metadata ->> m.name, v.metadata -> 'custom' ->> m.name) is distinct from m.value)
  and (:text::text is null or strpos(v.payload::text, :text::text) > 0
    or strpos(v.payload::text, :escaped::text) > 0 or strpos(v.reason, :text::text) > 0
    or strpos(v.type, :text::text) > 0)
order by v.id desc
limit :limit;

-- Jobs of everybody that did not complete: the tables of their states lead the way to the bodies. Unless there
-- is more to ask, as many outcomes as the page has room for are enough, and their index has them in order.
-- name: page-by-state
select s.id, s.shelf from (
  (select r.id, r.shelf from {schema}.ready r
   where 2 = any (:states::smallint[]) and (:before::uuid is null or r.id < :before::uuid))
  union all
  (select r.id, r.shelf from {schema}.later r
   where (1 = any (:states::smallint[]) or 4 = any (:states::smallint[]))
     and r.kind = any (:states::smallint[]) and (:before::uuid is null or r.id < :before::uuid))
  union all
  (select r.id, r.shelf from {schema}.running r
   where 3 = any (:states::smallint[]) and (:before::uuid is null or r.id < :before::uuid))
  union all
  (select d.id, d.job_shelf from {schema}.done d
   where d.state = any (:states::smallint[]) and d.state <> 5
     and d.expires_at > coalesce(:now::timestamptz, now())
     and (:before::uuid is null or d.id < :before::uuid)
   order by d.id desc
   limit case when :all::boolean then null else :limit::bigint end)
) s
cross join lateral (
  select v.id from {schema}.job_view v
  where v.shelf = s.shelf and v.id = s.id
    and (:from::timestamptz is null or v.created_at >= :from::timestamptz)
    and (:to::timestamptz is null or v.created_at < :to::timestamptz)
    and not exists (
    select 1 from unnest(:names::text[], :values::text[]) as m(name, value)
    where coalesce(v.metadata ->> m.name, v.metadata -> 'custom' ->> m.name) is distinct from m.value)
    and (:text::text is null or strpos(v.payload::text, :text::text) > 0
      or strpos(v.payload::text, :escaped::text) > 0 or strpos(v.reason, :text::text) > 0
      or strpos(v.type, :text::text) > 0)
  limit 1
) v
order by s.id desc
limit :limit;

-- name: lanes-of
select l.id from {schema}.lane l join {schema}.queue q on q.id = l.queue
where (:tenant::text is null or q.tenant = :tenant::text)
  and (:queue::text is null or q.name = :queue::text)
  and (:type::text is null or l.type = :type::text)
  and (:url_group::text is null or l.url_group = :url_group::text)
  and (:limit_key::text is null or l.limit_key = :limit_key::text);

-- name: logs
select l.at, l.attempt, l.line
from {schema}.job_log l
where l.job = :id and exists (
  select 1 from {schema}.job_view v
  where v.id = :id and (v.kept_until is null or v.kept_until > coalesce(:now::timestamptz, now())))
order by l.seq;

-- name: count-unfinished
select q.tenant, q.name as queue, l.type, s.state, sum(s.jobs)::bigint as jobs
from (
  select r.lane, 2::smallint as state, count(*) as jobs from {schema}.ready r group by r.lane
  union all
  select r.lane, r.kind, count(*) from {schema}.later r group by r.lane, r.kind
  union all
  select r.lane, 3::smallint, count(*) from {schema}.running r group by r.lane
) s
join {schema}.lane l on l.id = s.lane
join {schema}.queue q on q.id = l.queue
group by q.tenant, q.name, l.type, s.state;

-- The same for one tenant: its lanes lead the way, and the jobs of others are not read.
-- name: count-unfinished-of-tenant
select s.tenant, s.queue, s.type, s.state, sum(s.jobs)::bigint as jobs
from (
  select q.tenant, q.name as queue, l.type, w.state, w.jobs
  from {schema}.queue q
  join {schema}.lane l on l.queue = q.id
  cross join lateral (
    select 2::smallint as state, count(*) as jobs from {schema}.ready r where r.lane = l.id
    union all
    select r.kind, count(*) from {schema}.later r where r.lane = l.id group by r.kind
    offset 0
  ) w
  where q.tenant = :tenant::text and w.jobs > 0
  union all
  select q.tenant, q.name, l.type, 3::smallint, r.jobs
  from (select r.lane, count(*) as jobs from {schema}.running r group by r.lane) r
  join {schema}.lane l on l.id = r.lane
  join {schema}.queue q on q.id = l.queue
  where q.tenant = :tenant::text
) s
group by s.tenant, s.queue, s.type, s.state;

-- The blocks of outcomes that may still be kept: those of days that are over may not.
-- name: blocks-of-outcomes
select (sum(pg_relation_size(to_regclass(format('%I.%I', :schema::text, 'done_' || s.day))))
  / current_setting('block_size')::integer)::bigint as blocks
from (
  select 0 as day
  union all
  select d.day from {schema}.shelf d
  where d.kind = 'done' and d.day >= floor(extract(epoch from coalesce(:now::timestamptz, now())) / 86400)::integer
) s;

-- Outcomes in a share of all blocks, the same ones every time, and how many those stand for.
-- name: count-sample
select q.tenant, q.name as queue, l.type, s.state, (sum(s.jobs) * 100 / :percent)::bigint as jobs
from (
  select d.lane, d.state, count(*) as jobs
  from {schema}.done d tablesample system (:percent) repeatable (1)
  where (d.shelf = 0 or d.shelf >= floor(extract(epoch from coalesce(:now::timestamptz, now())) / 86400)::integer)
    and d.expires_at > coalesce(:now::timestamptz, now()) and d.state = any (:states::smallint[])
  group by d.lane, d.state
) s
join {schema}.lane l on l.id = s.lane
join {schema}.queue q on q.id = l.queue
where :tenant::text is null or q.tenant = :tenant::text
group by q.tenant, q.name, l.type, s.state;

-- The few that did not complete among many that did, as long as they are few.
-- name: count-not-completed
select q.tenant, q.name as queue, l.type, s.state, sum(s.jobs)::bigint as jobs
from (
  select d.lane, d.state, count(*) as jobs
  from (
    select d.lane, d.state from {schema}.done d
    where d.state <> 5 and d.expires_at > coalesce(:now::timestamptz, now())
    limit :most
  ) d
  group by d.lane, d.state
) s
join {schema}.lane l on l.id = s.lane
join {schema}.queue q on q.id = l.queue
group by q.tenant, q.name, l.type, s.state;

-- All outcomes of one tenant, as long as they are few.
-- name: count-outcomes-of-tenant
select q.tenant, q.name as queue, l.type, s.state, sum(s.jobs)::bigint as jobs
from (
  select d.lane, d.state, count(*) as jobs
  from (
    select d.lane, d.state
    from {schema}.queue q
    join {schema}.lane l on l.queue = q.id
    cross join lateral (
      select d.lane, d.state from {schema}.done d
      where d.lane = l.id and d.expires_at > coalesce(:now::timestamptz, now())
      offset 0
    ) d
    where q.tenant = :tenant::text
    limit :most
  ) d
  group by d.lane, d.state
) s
join {schema}.lane l on l.id = s.lane
join {schema}.queue q on q.id = l.queue
group by q.tenant, q.name, l.type, s.state;

-- The first job of every lane and priority is its oldest; the ages of these are compared.
-- name: oldest-ready
with recursive head as (
  (select r.lane, r.priority, r.id, r.shelf from {schema}.ready r
   order by r.lane, r.priority, r.id limit 1)
  union all
  select n.lane, n.priority, n.id, n.shelf
  from head h
  cross join lateral (
    select r.lane, r.priority, r.id, r.shelf from {schema}.ready r
    where (r.lane, r.priority) > (h.lane, h.priority)
    order by r.lane, r.priority, r.id
    limit 1
  ) n
)
select min(j.created_at) as oldest
from head h
cross join lateral (
  select j.created_at from {schema}.job j where j.shelf = h.shelf and j.id = h.id limit 1
) j;

-- The same for the lanes of one tenant.
-- name: oldest-ready-of-tenant
select min(j.created_at) as oldest
from {schema}.queue q
join {schema}.lane l on l.queue = q.id
cross join lateral (select 1 from {schema}.ready r where r.lane = l.id limit 1) filled
cross join generate_series(0, 20) as p(priority)
cross join lateral (
  select r.id, r.shelf from {schema}.ready r
  where r.lane = l.id and r.priority = p.priority
  order by r.id
  limit 1
) h
cross join lateral (
  select j.created_at from {schema}.job j where j.shelf = h.shelf and j.id = h.id limit 1
) j
where q.tenant = :tenant::text;

-- name: count-dead
select count(*) as jobs from (
  select 1 from {schema}.done d
  where d.state = 7 and d.state <> 5 and d.expires_at > coalesce(:now::timestamptz, now())
  limit :most
) d;

-- name: dead-reasons
select coalesce(d.reason, '') as reason, count(*) as jobs
from {schema}.done d
cross join lateral (
  select v.id from {schema}.job_view v
  where v.shelf = d.job_shelf and v.id = d.id
    and (:key::text is null or v.idempotency_key = :key::text)
    and (:batch::uuid is null or v.batch = :batch::uuid)
    and (:from::timestamptz is null or v.created_at >= :from::timestamptz)
    and (:to::timestamptz is null or v.created_at < :to::timestamptz)
    and not exists (
    select 1 from unnest(:names::text[], :values::text[]) as m(name, value)
    where coalesce(v.metadata ->> m.name, v.metadata -> 'custom' ->> m.name) is distinct from m.value)
    and (:text::text is null or strpos(v.payload::text, :text::text) > 0
      or strpos(v.payload::text, :escaped::text) > 0 or strpos(v.reason, :text::text) > 0
      or strpos(v.type, :text::text) > 0)
  limit 1
) v
where d.state = 7 and d.state <> 5 and d.expires_at > coalesce(:now::timestamptz, now())
  and (:lanes::integer[] is null or d.lane = any (:lanes::integer[]))
group by 1
order by 2 desc, 1;

-- Where a ready job stands: how many go before it, no more than so many, what its lane ended lately, and which
-- job its order waits for. Ids follow the order of the lane, so that what ended last is among the newest. What is
-- counted is sorted to keep the planner from walking over all of it.
-- name: standing
with mine as materialized (
  select v.lane, v.priority, v.id,
    case
      when q.ordered = 'QUEUE' then array(select l.id from {schema}.lane l where l.queue = q.id)
      when q.ordered = 'KEY' and v.limit_key <> '' then array(
        select l.id from {schema}.lane l
        where l.queue = q.id and l.limit_key = v.limit_key and l.limit_key <> '')
    end as lanes
  from {schema}.job_view v join {schema}.queue q on q.id = v.queue_id
  where v.id = :id and v.state = 2
),
lately as materialized (
  select d.id, d.job_shelf, d.finished_at
  from mine m
  cross join lateral (
    select d.id, d.job_shelf, d.finished_at, d.state from {schema}.done d where d.lane = m.lane order by d.id desc limit :ends
  ) d
  where d.state <> 8 and d.finished_at > coalesce(:now::timestamptz, now()) - interval '1 minute'
)
select
  case when m.lanes is null then (
    select count(*) from (
      (select 1 from {schema}.ready r
       where r.lane = m.lane and r.priority < m.priority
       order by r.priority, r.id
       limit :most)
      union all
      (select 1 from {schema}.ready r
       where r.lane = m.lane and r.priority = m.priority and r.id < m.id
       order by r.id
       limit :most)
      limit :most
    ) r
  ) else (
    select count(*) from (
      select 1
      from unnest(m.lanes) as l(lane)
      cross join lateral (select 1 from {schema}.ready r where r.lane = l.lane limit 1) filled
      cross join generate_series(0, 20) as p(priority)
      cross join lateral (
        select 1 from {schema}.ready r
        where r.lane = l.lane and r.priority = p.priority and r.id < m.id
        order by r.id
        limit :most
      ) older
      limit :most
    ) r
  ) end as ahead,
  case when m.lanes is not null then coalesce(
    (select r.id from {schema}.running r where r.lane = any (m.lanes) order by r.id limit 1),
    (select t.id from {schema}.later t
     where t.turn > 0 and t.waits is null and t.lane = any (m.lanes) order by t.id limit 1),
    (
      select f.id
      from unnest(m.lanes) as l(lane)
      cross join lateral (select 1 from {schema}.ready r where r.lane = l.lane limit 1) filled
      cross join generate_series(0, 20) as p(priority)
      cross join lateral (
        select r.id from {schema}.ready r
        where r.lane = l.lane and r.priority = p.priority
        order by r.id
        limit 1
      ) f
      order by f.id
      limit 1
    )
  ) end as first,
  m.id,
  (select count(*) from lately) as ended,
  (select min(l.finished_at) from lately l) as first_end,
  (
    select j.created_at
    from (select l.id, l.job_shelf from lately l order by l.id limit 1) oldest
    join {schema}.job j on j.id = oldest.id and j.shelf = oldest.job_shelf
  ) as first_created,
  coalesce(:now::timestamptz, now()) as now
from mine m;
