-- Jobs that wait for others, and batches. Who takes rows of several tables takes batches first, then those
-- that run, are ready and wait, each in the order of their ids, and counts last. Walks from job to job look up
-- each step, also with a plan made while tables were small: "offset 0" and "limit 1" keep the planner from joining
-- the whole of a table to what was found so far.

-- name: hold-predecessors
select p.held, p.outcome, p.ready
from {schema}.hold_predecessors(:ids::uuid[], :tenant, coalesce(:now::timestamptz, now())) p;

-- Those of some jobs and batches that cannot end before a batch does.
-- name: behind-batch
select h.id from (select b.id from {schema}.behind(array[:batch::uuid]) b limit :most) h
where h.id = any (:ids::uuid[]);

-- All that cannot end before a batch does, nearest first, each with those that lead to it.
-- name: ways-behind-batch
with recursive walk as (
  select :batch::uuid as id, :batch::uuid as via
  union
  select n.id, k.id from walk k cross join lateral (
    select w.id from {schema}.link l
    cross join lateral (
      select w.id from {schema}.later w where w.id = l.successor and w.waits is not null limit 1
    ) w
    where l.predecessor = k.id and l.open
    union all
    select w.batch from {schema}.later w where w.id = k.id and w.batch is not null
    union all
    select b.parent from {schema}.batch b where b.id = k.id and b.parent is not null
    offset 0
  ) n
)
select k.id, k.via, exists (select 1 from {schema}.batch b where b.id = k.id) as is_batch
from walk k limit :most;

-- name: insert-links
insert into {schema}.link (successor, place, predecessor, name, shelf, open)
select g.successor, g.place, g.predecessor, g.name,
  {schema}.shelf_at('job', coalesce(:now::timestamptz, now())), true
from rows from (
  unnest((select :successors::uuid[])), unnest((select :places::integer[])),
  unnest((select :predecessors::uuid[])), unnest((select :names::text[]))
) as g(successor, place, predecessor, name);

-- name: copy-link
copy {schema}.link (successor, place, predecessor, name, shelf, open) from stdin with (format binary);

-- Those that new jobs wait for and that are over already.
-- name: wake-new
with woken as materialized (
  select w.* from {schema}.wake_new(:ids::uuid[], :states::smallint[], :jobs::uuid[],
    coalesce(:now::timestamptz, now())) w
),
sized as (
  update {schema}.queue_size z set ended = z.ended + n.jobs
  from (
    select l.queue, count(*) as jobs
    from (select unnest(w.lanes) as lane from woken w) e join {schema}.lane l on l.id = e.lane
    group by l.queue
    order by l.queue
  ) n
  where z.queue = n.queue
)
select w.ready, w.planned, w.asked, w.cancelled from woken w;

-- name: wake-more
with woken as materialized (
  select w.* from {schema}.wake_more(:max, coalesce(:now::timestamptz, now())) w
),
sized as (
  update {schema}.queue_size z set ended = z.ended + n.jobs
  from (
    select l.queue, count(*) as jobs
    from (select unnest(w.lanes) as lane from woken w) e join {schema}.lane l on l.id = e.lane
    group by l.queue
    order by l.queue
  ) n
  where z.queue = n.queue
)
select w.links, w.ready, coalesce(w.planned, false) as planned, w.asked, w.cancelled from woken w;

-- Who brings jobs back keeps others from telling more that these have ended.
-- name: hold-waking
select k.predecessor from {schema}.waking k where k.predecessor = any (:ids::uuid[])
order by k.predecessor
for update;

-- name: insert-batch
insert into {schema}.batch (id, tenant, name, parent, callback, idempotency_key, keep_us, total, open, created_at)
values (:id, :tenant, :name, :parent::uuid, :callback::uuid, :key::text, :keep, 0, :open,
  coalesce(:now::timestamptz, now()))
on conflict (tenant, idempotency_key) where idempotency_key is not null do nothing
returning id;

-- name: batch-of-key
select b.id, b.callback, coalesce(b.expires_at <= coalesce(:now::timestamptz, now()), false) as expired
from {schema}.batch b where b.tenant = :tenant and b.idempotency_key = :key;

-- name: free-batch-key
update {schema}.batch set idempotency_key = null where id = :id;

-- Whoever adds to a batch holds it until that is written.
-- name: hold-batch
select b.tenant, b.open from {schema}.batch b
where b.id = :id and (b.expires_at is null or b.expires_at > coalesce(:now::timestamptz, now()))
for no key update;

-- name: hold-claim
select r.batch from {schema}.running r
where r.id = :id and r.turn = :turn and r.worker = :worker
for key share;

-- name: grow-batch
update {schema}.batch set total = total + :members where id = :id;

-- name: close-batch
update {schema}.batch set open = false where id = :id and open;

-- name: end-batch
with over as materialized (
  select e.* from {schema}.end_batch(:id, coalesce(:now::timestamptz, now())) e
),
sized as (
  update {schema}.queue_size z set ended = z.ended + n.jobs
  from (
    select l.queue, count(*) as jobs
    from (select unnest(o.lanes) as lane from over o) e join {schema}.lane l on l.id = e.lane
    group by l.queue
    order by l.queue
  ) n
  where z.queue = n.queue
)
select o.ended, o.ready, o.planned, o.asked, o.cancelled from over o;

-- Batches that are closed and not ended, after this one, and whether their members are all over.
-- name: unended-batches
select b.id, b.total = (
    select coalesce(sum(c.completed + c.failed + c.cancelled), 0)
    from {schema}.batch_count c where c.batch = b.id
  ) as over
from {schema}.batch b
where b.ended_at is null and not b.open and b.id > :after
order by b.id
limit :max;

-- Which of these batches are closed and not ended, and have no member that is not over.
-- name: batches-over
select b.id
from unnest((select :ids::uuid[])) as g(id)
cross join lateral (
  select b.id, b.total from {schema}.batch b where b.id = g.id and b.ended_at is null and not b.open limit 1
) b
where b.total = (
  select coalesce(sum(c.completed + c.failed + c.cancelled), 0)
  from {schema}.batch_count c where c.batch = b.id
);

-- name: find-batch
select b.*, c.*
from {schema}.batch b
cross join lateral (
  select coalesce(sum(c.completed), 0) as completed, coalesce(sum(c.failed), 0) as failed,
    coalesce(sum(c.cancelled), 0) as cancelled
  from {schema}.batch_count c where c.batch = b.id
) c
where b.id = :id and (b.expires_at is null or b.expires_at > coalesce(:now::timestamptz, now()));

-- name: list-batches
select b.*, c.*
from {schema}.batch b
cross join lateral (
  select coalesce(sum(c.completed), 0) as completed, coalesce(sum(c.failed), 0) as failed,
    coalesce(sum(c.cancelled), 0) as cancelled
  from {schema}.batch_count c where c.batch = b.id
) c
where b.tenant = :tenant and b.id < coalesce(:before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  and (b.expires_at is null or b.expires_at > coalesce(:now::timestamptz, now()))
order by b.id desc
limit :limit;

-- A batch and those in it that are not over are closed.
-- name: close-batches
with recursive tree as (
  select :id::uuid as id
  union
  select b.id from tree t join {schema}.batch b on b.parent = t.id and b.ended_at is null
)
update {schema}.batch b set open = false
where b.id in (select t.id from tree t) and b.open
returning b.id;

-- Jobs of a batch, and of those in it, that wait, and with them all of these that wait for one of them, by
-- whatever way; once none waits, those that are ready, and then those that run. The newest first: most jobs
-- wait for older ones.
-- name: unfinished
with recursive tree as (
  select :id::uuid as id
  union
  select b.id from tree t join {schema}.batch b on b.parent = t.id and b.ended_at is null
),
waiting as materialized (
  select w.id from tree t cross join lateral (
    select w.id from {schema}.later w where w.batch = t.id order by w.id desc limit :max
  ) w
  limit :max
),
hopeful as materialized (
  select r.id from tree t cross join lateral (
    select r.id from {schema}.ready r where r.batch = t.id limit :max
  ) r
  where not exists (select 1 from waiting)
  limit :max
)
select w.id from {schema}.behind(array(select s.id from waiting s)) h
cross join lateral (select w.id, w.batch from {schema}.later w where w.id = h.id limit 1) w
where w.batch in (select t.id from tree t)
union all
select h.id from hopeful h
union all
(
  select r.id from {schema}.running r
  where r.batch in (select t.id from tree t)
    and not exists (select 1 from waiting) and not exists (select 1 from hopeful)
  limit :max
);

-- name: predecessors
select l.name, l.predecessor as id, coalesce(v.state, b.state) as state, b.*
from {schema}.link l
left join lateral (
  select v.state from {schema}.job_view v where v.id = l.predecessor limit 1
) v on true
left join lateral (
  select coalesce(b.state, 3) as state, b.total, coalesce(sum(c.completed), 0) as completed,
    coalesce(sum(c.failed), 0) as failed, coalesce(sum(c.cancelled), 0) as cancelled
  from {schema}.batch b left join {schema}.batch_count c on c.batch = b.id
  where b.id = l.predecessor
  group by b.id
) b on true
where l.successor = :id
order by l.place;

-- What these jobs left, or nothing if that is more than this many bytes: it stops at the first that is one too many.
-- name: results-within
with recursive fit as (
  select 0 as place, 0::bigint as bytes, null::text as result
  union all
  select f.place + 1, f.bytes + coalesce(octet_length(v.result), 0), v.result
  from fit f
  left join lateral (
    select v.result::text as result from {schema}.job_view v where v.id = (:ids::uuid[])[f.place + 1] limit 1
  ) v on true
  where f.place < cardinality(:ids::uuid[]) and f.bytes <= :bytes
)
select f.place, t.bytes > :bytes as too_large, case when t.bytes <= :bytes then f.result end as result
from fit f cross join (select max(m.bytes) as bytes from fit m) t
where f.place > 0 and (f.result is not null or t.bytes > :bytes);

-- All that hangs together with a job, nearest first.
-- name: hanging
with recursive hang as (
  select :id::uuid as id
  union
  select n.id from hang h cross join lateral (
    select l.predecessor as id from {schema}.link l where l.successor = h.id
    union all
    select l.successor from {schema}.link l where l.predecessor = h.id
    offset 0
  ) n
)
select h.id from hang h limit :max;

-- name: nodes
select g.id, n.name, v.type, v.queue, coalesce(v.state, b.state) as state,
  v.after ->> 'policy' as policy, v.waits as missing, (
    select count(*) from {schema}.link f
    cross join lateral (
      select v.state from {schema}.job_view v where v.id = f.predecessor
      union all
      select b.state from {schema}.batch b where b.id = f.predecessor
      limit 1
    ) s
    where f.successor = g.id and s.state > 5
  ) as failed,
  coalesce(v.created_at, b.created_at) as created_at, v.started_at,
  coalesce(v.finished_at, b.ended_at) as finished_at
from unnest((select :ids::uuid[])) with ordinality as g(id, n)
left join lateral (
  select v.type, v.queue, v.state, v.after, v.waits, v.created_at, v.started_at, v.finished_at
  from {schema}.job_view v where v.id = g.id limit 1
) v on true
left join lateral (
  select coalesce(b.state, 3) as state, b.name, b.created_at, b.ended_at from {schema}.batch b where b.id = g.id
) b on true
left join lateral (
  select l.name from {schema}.link l where l.predecessor = g.id and l.name <> g.id::text limit 1
) n on true
where v.state is not null or b.state is not null
order by g.n;

-- name: edges
select l.predecessor, l.successor from {schema}.link l
where l.successor = any (:ids::uuid[])
order by l.successor, l.place;

-- name: successors
with recursive waiting as (
  select :id::uuid as id
  union
  select n.id from waiting h cross join lateral (
    select w.id from {schema}.link l
    cross join lateral (
      select w.id from {schema}.later w where w.id = l.successor and w.waits is not null limit 1
    ) w
    where l.predecessor = h.id
    offset 0
  ) n
)
select w.id from waiting w where w.id <> :id limit :max;

-- A held job runs; one with a moment of its own to come waits for that.
-- name: release
with gone as (
  delete from {schema}.later w where w.id = :id and w.waits = 0
  returning w.*, coalesce(w.due_at > coalesce(:now::timestamptz, now()), false) as late
),
soon as (
  insert into {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect, batch)
  select g.lane, g.priority, g.id, g.shelf, g.attempt, g.turn, g.replays, g.strikes, g.suspect, g.batch
  from gone g where not g.late
),
late as (
  insert into {schema}.later (id, lane, run_at, shelf, attempt, turn, replays, priority, strikes, kind,
    suspect, batch)
  select g.id, g.lane, g.due_at, g.shelf, g.attempt, g.turn, g.replays, g.priority, g.strikes, g.kind,
    g.suspect, g.batch
  from gone g where g.late
),
ordered as (
  update {schema}.job_order o set waiting = false where o.id in (select g.id from gone g where not g.late)
)
select g.late from gone g;

-- A job and all that was cancelled because of it, of a batch around it, or of one of these; batches as well.
-- name: broken-by
with recursive back as (
  select j.id, j.shelf, j.batch as home from (select * from {schema}.job j where j.id = :id limit 1) j
  union
  select n.id, n.shelf, n.home from back b cross join lateral (
    select l.successor as id, j.shelf, j.batch as home
    from {schema}.link l
    cross join lateral (
      select j.shelf, j.batch from {schema}.job j where j.shelf = l.shelf and j.id = l.successor limit 1
    ) j
    where l.predecessor = b.id and l.broke
    union all
    select p.id, null, p.parent from {schema}.batch p where p.id = b.home
    offset 0
  ) n
)
select b.id, b.home, b.shelf is null as is_batch, t.tenant
from back b
cross join (
  select q.tenant
  from (select j.lane from {schema}.job j where j.id = :id limit 1) j
  join {schema}.lane l on l.id = j.lane
  join {schema}.queue q on q.id = l.queue
) t;

-- name: hold-batches
select h.held, h.home, h.outcome from {schema}.hold_batches(:ids::uuid[]) h;

-- Those of some jobs that are cancelled, in the order in which they are given.
-- name: hold-cancelled
select d.id, d.lane from unnest((select :ids::uuid[])) with ordinality as g(id, n)
cross join lateral (select j.lane from {schema}.job j where j.id = g.id limit 1) j
cross join lateral (
  select d.id, d.lane from {schema}.done d
  where d.lane = j.lane and d.id = g.id and d.state = 8 and d.expires_at > coalesce(:now::timestamptz, now())
  limit 1
  for update
) d;

-- name: links-of
select l.successor, l.place, l.predecessor, l.broke from {schema}.link l
where l.successor = any (:ids::uuid[])
order by l.successor, l.place;

-- name: come-back
with back as materialized (
  select r.* from {schema}.come_back(:ids::uuid[], :lanes::integer[], :homes::uuid[], :missing::integer[],
    :successors::uuid[], :places::integer[], coalesce(:now::timestamptz, now())) r
),
sized as (
  update {schema}.queue_size z set ended = z.ended - n.jobs
  from (
    select l.queue, count(*) as jobs
    from back b, unnest((select :lanes::integer[])) as e(lane) join {schema}.lane l on l.id = e.lane
    group by l.queue
    order by l.queue
  ) n
  where z.queue = n.queue
)
select b.ready, b.planned, '{}'::uuid[] as asked, '{}'::uuid[] as cancelled from back b;

-- name: needing
select n.id from {schema}.needing(:id) as n(id) where n.id is not null;
