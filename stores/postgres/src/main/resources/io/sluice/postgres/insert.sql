-- Statements that take new jobs. Arrays come through "(select :x)": so the planner does not see how
-- long they are and keeps to one plan.

-- name: insert
with given as materialized (
  select g.*, coalesce(g.at, m.now + g.delay_us * interval '1 microsecond', m.now) as due_at, m.now, m.shelf,
    case when g.waits > 0 then 'infinity'
      else coalesce(g.at, m.now + g.delay_us * interval '1 microsecond', m.now) end as run_at
  from (
    select t.now, coalesce((
      select s.day from {schema}.shelf s
      where s.kind = 'job' and s.day = floor(extract(epoch from t.now) / 86400)::integer), 0) as shelf
    from (select coalesce(:now::timestamptz, now()) as now) t
  ) m
  cross join rows from (
    unnest((select :ids::uuid[])), unnest((select :lanes::integer[])),
    unnest((select :priorities::smallint[])), unnest((select :payloads::text[])),
    unnest((select :metadata::text[])), unnest((select :retries::text[])),
    unnest((select :timeouts::bigint[])), unnest((select :keys::text[])),
    unnest((select :costs::integer[])), unnest((select :expiries::timestamptz[])), unnest((select :delays::bigint[])),
    unnest((select :ats::timestamptz[])), unnest((select :batches::uuid[])), unnest((select :afters::text[])),
    unnest((select :waits::integer[])), unnest((select :policies::smallint[]))
  ) as g(id, lane, priority, payload, metadata, retry, timeout_ms, key, cost, expires_at, delay_us, at,
    batch, after, waits, policy)
),
-- Setting a cap and deleting a queue lock the tables written below, so this answer stays true. It is up to date
-- only where each statement has a snapshot of its own, which is checked for transactions of callers.
stale as materialized (
  select i.level, i.level not like 'read %' or exists (
    select 1 from {schema}.queue q
    where q.id = any (:queues::integer[])
      and (q.gone or q.max_size is not null and q.id <> all (:counted::integer[])
        or q.tenant_capped and q.id <> all (:held::integer[]))
  ) or (select e.epoch from {schema}.lane_epoch e) <> :epoch as yes
  from (
    select case when :checked then 'read committed' else current_setting('transaction_isolation') end as level
  ) i
),
bodies as (
  insert into {schema}.job (shelf, id, lane, priority, created_at, timeout_ms, expires_at,
    idempotency_key, metadata, retry, payload, cost, batch, after, planned_for)
  select g.shelf, g.id, g.lane, g.priority, g.now, g.timeout_ms, g.expires_at, g.key,
    g.metadata::jsonb, g.retry::json, g.payload::json, g.cost, g.batch, g.after::json,
    case when g.waits > 0 and g.due_at > g.now then g.due_at end
  from given g where not (select yes from stale)
),
soon as (
  insert into {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect, batch)
  select g.lane, g.priority, g.id, g.shelf, 0, 0, 0, 0, 0, g.batch
  from given g where g.run_at <= g.now and not (select yes from stale)
),
late as (
  insert into {schema}.later (id, lane, run_at, shelf, attempt, turn, replays, priority, strikes,
    kind, suspect, batch, waits, failed, policy, due_at)
  select g.id, g.lane, g.run_at, g.shelf, 0, 0, 0, g.priority, 0, 1, 0, g.batch, g.waits,
    case when g.waits > 0 then 0 end, g.policy, case when g.waits > 0 and g.due_at > g.now then g.due_at end
  from given g where g.run_at > g.now and not (select yes from stale)
),
expiring as (
  insert into {schema}.expiry (id, look_at, lane, priority, shelf)
  select g.id, g.expires_at, g.lane, g.priority, g.shelf
  from given g where g.expires_at is not null and not (select yes from stale)
)
select s.yes as stale, s.level, array(select g.id from given g where g.run_at > g.now) as late from stale s;

-- Most jobs are due at once and carry no expiry of their own: fewer tables are touched for them.
-- name: insert-due
with given as materialized (
  select g.*, m.now, m.shelf
  from (
    select t.now, coalesce((
      select s.day from {schema}.shelf s
      where s.kind = 'job' and s.day = floor(extract(epoch from t.now) / 86400)::integer), 0) as shelf
    from (select coalesce(:now::timestamptz, now()) as now) t
  ) m
  cross join rows from (
    unnest((select :ids::uuid[])), unnest((select :lanes::integer[])),
    unnest((select :priorities::smallint[])), unnest((select :payloads::text[])),
    unnest((select :metadata::text[])), unnest((select :retries::text[])),
    unnest((select :timeouts::bigint[])), unnest((select :keys::text[])),
    unnest((select :costs::integer[]))
  ) as g(id, lane, priority, payload, metadata, retry, timeout_ms, key, cost)
),
-- Setting a cap and deleting a queue lock the tables written below, so this answer stays true. It is up to date
-- only where each statement has a snapshot of its own, which is checked for transactions of callers.
stale as materialized (
  select i.level, i.level not like 'read %' or exists (
    select 1 from {schema}.queue q
    where q.id = any (:queues::integer[])
      and (q.gone or q.max_size is not null and q.id <> all (:counted::integer[])
        or q.tenant_capped and q.id <> all (:held::integer[]))
  ) or (select e.epoch from {schema}.lane_epoch e) <> :epoch as yes
  from (
    select case when :checked then 'read committed' else current_setting('transaction_isolation') end as level
  ) i
),
bodies as (
  insert into {schema}.job (shelf, id, lane, priority, created_at, timeout_ms,
    idempotency_key, metadata, retry, payload, cost)
  select g.shelf, g.id, g.lane, g.priority, g.now, g.timeout_ms, g.key,
    g.metadata::jsonb, g.retry::json, g.payload::json, g.cost
  from given g where not (select yes from stale)
),
soon as (
  insert into {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect)
  select g.lane, g.priority, g.id, g.shelf, 0, 0, 0, 0, 0
  from given g where not (select yes from stale)
)
select s.yes as stale, s.level from stale s;

-- name: moment
select t.now, {schema}.shelf_at('job', t.now) as shelf
from (select coalesce(:now::timestamptz, now()) as now) t;

-- name: copy-job
copy {schema}.job (shelf, id, lane, priority, created_at, timeout_ms, expires_at, metadata, retry, payload,
  cost, batch, after, planned_for)
from stdin with (format binary);

-- name: copy-ready
copy {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect, batch)
from stdin with (format binary);

-- name: copy-later
copy {schema}.later (id, lane, run_at, shelf, attempt, turn, replays, priority, strikes, kind, suspect,
  batch, waits, failed, policy, due_at)
from stdin with (format binary);

-- name: insert-expiry
insert into {schema}.expiry (id, look_at, lane, priority, shelf)
select g.id, g.look_at, g.lane, g.priority, :shelf
from rows from (
  unnest((select :ids::uuid[])), unnest((select :expiries::timestamptz[])),
  unnest((select :lanes::integer[])), unnest((select :priorities::smallint[]))
) as g(id, look_at, lane, priority);

-- In the order in which they are given.
-- name: order-jobs
insert into {schema}.job_order (id, queue, limit_key, lane, priority, waiting)
select g.id, g.queue, g.limit_key, g.lane, g.priority, g.id = any (:late::uuid[])
from rows from (
  unnest((select :ids::uuid[])), unnest((select :queues::integer[])), unnest((select :keys::text[])),
  unnest((select :lanes::integer[])), unnest((select :priorities::smallint[]))
) with ordinality as g(id, queue, limit_key, lane, priority, n)
order by g.n;

-- name: changed-queues
select exists (
  select 1 from {schema}.queue q
  where q.id = any (:queues::integer[]) and (q.gone or q.max_size is not null or q.tenant_capped)
) or (select e.epoch from {schema}.lane_epoch e) <> :epoch as stale;

-- name: take-keys
insert into {schema}.idempotency (queue, key, id, shelf)
select g.queue, g.key, g.id, {schema}.shelf_at('job', coalesce(:now::timestamptz, now()))
from rows from (
  unnest((select :queues::integer[])), unnest((select :keys::text[])), unnest((select :ids::uuid[]))
) as g(queue, key, id)
on conflict do nothing
returning queue, key;

-- name: known-keys
select i.queue, i.key, i.id, v.state
from rows from (
  unnest((select :queues::integer[])), unnest((select :keys::text[]))
) as g(queue, key)
cross join lateral (
  select * from {schema}.idempotency i where i.queue = g.queue and i.key = g.key limit 1
) i
left join lateral (
  select v.state from {schema}.job_view v
  where v.shelf = i.shelf and v.id = i.id
    and (v.kept_until is null or v.kept_until > coalesce(:now::timestamptz, now()))
  limit 1
) v on true;

-- name: take-over-key
update {schema}.idempotency
set id = :id, shelf = {schema}.shelf_at('job', coalesce(:now::timestamptz, now()))
where queue = :queue and key = :key and id = :old;

-- name: drop-keys
delete from {schema}.idempotency i
where i.ctid = any (array(
  select k.place
  from rows from (
    unnest((select :queues::integer[])), unnest((select :keys::text[])), unnest((select :ids::uuid[]))
  ) as g(queue, key, id)
  cross join lateral (
    select i.ctid as place from {schema}.idempotency i
    where i.queue = g.queue and i.key = g.key and i.id = g.id
    limit 1 for update
  ) k));

-- Whoever takes room holds these to the end, and adds to them: tenants first, then queues, each in order.
-- What has ended is read as of before the wait, so that it may look fuller than it is, never emptier.
-- name: hold-capped-tenants
select c.tenant, c.max_size, c.taken, (
    select coalesce(sum(z.ended), 0)::bigint
    from {schema}.queue q join {schema}.queue_size z on z.queue = q.id
    where q.tenant = c.tenant
  ) as ended
from {schema}.tenant_cap c
where c.tenant = any (:tenants::text[])
order by c.tenant
for update of c;

-- name: hold-capped-queues
select t.queue, q.max_size, t.taken, z.ended
from {schema}.queue_taken t
join {schema}.queue q on q.id = t.queue
join {schema}.queue_size z on z.queue = t.queue
where t.queue = any (:queues::integer[])
order by t.queue
for update of t;

-- Jobs that count in their queues though nobody asked for room: as many have not ended.
-- name: count-past-caps
update {schema}.queue_size z set ended = z.ended - n.jobs
from (
  select g.queue, count(*) as jobs from unnest((select :queues::integer[])) as g(queue)
  group by g.queue
  order by g.queue
) n
where z.queue = n.queue;

-- name: ended-of-tenants
select q.tenant, sum(z.ended)::bigint as ended
from {schema}.queue q join {schema}.queue_size z on z.queue = q.id
where q.tenant = any (:tenants::text[])
group by q.tenant;

-- name: ended-of-queues
select z.queue, z.ended from {schema}.queue_size z where z.queue = any (:queues::integer[]);

-- name: add-to-tenants
update {schema}.tenant_cap c set taken = c.taken + g.jobs
from rows from (unnest((select :tenants::text[])), unnest((select :jobs::bigint[]))) as g(tenant, jobs)
where c.tenant = g.tenant;

-- name: add-to-queues
update {schema}.queue_taken t set taken = t.taken + g.jobs
from rows from (unnest((select :queues::integer[])), unnest((select :jobs::bigint[]))) as g(queue, jobs)
where t.queue = g.queue;
