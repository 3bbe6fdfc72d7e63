-- The way of a job from ready to its end.

-- The first job of each lane and priority. A place that is known is entered at its mark. In the gaps
-- between those, where others may be that nobody knows of yet, one step leads from each to the next: to
-- the next priority of the lane, or else to the next lane, until so many lanes of a gap are seen. Before
-- version 18, bounds on a row of columns do not stop a walk over an index, so there are none here.
-- name: heads
with recursive gap as materialized (
  select * from rows from (
    unnest((select :gap_lanes::integer[])), unnest((select :gap_priorities::smallint[])),
    unnest((select :lane_ends::integer[])), unnest((select :priority_ends::smallint[]))
  ) with ordinality as g(lane, priority, lane_end, priority_end, n)
),
other as (
  select g.n, g.lane, g.priority, null::uuid as id, g.lane_end, g.priority_end, 0 as seen from gap g
  union all
  select o.n, n.lane, n.priority, n.id, o.lane_end, n.priority_end, n.seen
  from other o
  cross join lateral (
    (select r.lane, r.priority, r.id, o.priority_end, o.seen from {schema}.ready r
     where r.lane = o.lane and r.priority > o.priority and r.priority < o.priority_end
     order by r.priority, r.id
     limit 1)
    union all
    (select r.lane, r.priority, r.id, 32767::smallint, o.seen + 1 from {schema}.ready r
     where r.lane > o.lane and r.lane < o.lane_end and o.seen < :max
     order by r.lane, r.priority, r.id
     limit 1)
    limit 1
  ) n
)
select f.lane, f.priority, f.id, 0 as seen, 0 as gap
from rows from (
  unnest((select :lanes::integer[])), unnest((select :priorities::smallint[])), unnest((select :lows::uuid[]))
) as k(lane, priority, low)
cross join lateral (
  select r.lane, r.priority, r.id from {schema}.ready r
  where r.lane = k.lane and r.priority = k.priority and r.id > k.low
  order by r.id
  limit 1
) f
union all
select o.lane, o.priority, o.id, o.seen, o.n from other o where o.id is not null;

-- The first job of each lane and priority of one queue. A lane without work costs one probe; where that might walk
-- over much that is gone, each priority is entered at its mark, if it has one.
-- name: heads-of-queue
select l.id as lane_id, q.tenant, q.name as queue, l.type, l.url_group, l.limit_key, f.priority, f.id as first
from {schema}.queue q
cross join lateral (select * from {schema}.lane l where l.queue = q.id offset 0) l
cross join lateral (
  select 1 where not :full or (select r.lane from {schema}.ready r where r.lane = l.id limit 1) is not null
) filled
cross join generate_series(0, 20) as p(priority)
left join rows from (
  unnest((select :lanes::integer[])), unnest((select :priorities::smallint[])), unnest((select :lows::uuid[]))
) as k(lane, priority, low) on k.lane = l.id and k.priority = p.priority
cross join lateral (
  select r.priority, r.id from {schema}.ready r
  where r.lane = l.id and r.priority = p.priority
    and r.id > coalesce(k.low, '00000000-0000-0000-0000-000000000000')
  order by r.id
  limit 1
) f
where q.tenant = :tenant and q.name = :queue and not q.gone;

-- The constant limit inside tells the planner that few rows are wanted; without it a stale table makes
-- it sort the whole backlog. Rows are deleted where they were locked, by their place in the table. Whoever
-- does not know the limits and orders of now gets nothing. A high mark names the one job that is next in an
-- order: should it be locked, none is taken in its stead.
-- The bodies are fetched in one walk over their index, where jobs of one time are neighbours, and put to
-- their rows by hash. A payload that is stored in more than 2,000 bytes is left out: payloads-within reads as many of
-- those as there is memory for.
-- name: claim
with m as materialized (
  select t.now, t.now + :lease::bigint * interval '1 microsecond' as lease_until
  from (select coalesce(:now::timestamptz, now()) as now) t
),
picked as materialized (
  select r.place
  from rows from (
    unnest((select :lanes::integer[])), unnest((select :priorities::smallint[])),
    unnest((select :quotas::integer[])), unnest((select :lows::uuid[])), unnest((select :highs::uuid[]))
  ) as a(lane, priority, quota, low, high)
  cross join lateral (
    select n.place from (
      select r.ctid as place from {schema}.ready r
      where r.lane = a.lane and r.priority = a.priority and r.id > a.low
        and r.id <= coalesce(a.high, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      order by r.id
      limit 2000
      for update skip locked
    ) n
    limit a.quota
  ) r
  where exists (
    select 1 from {schema}.worker w
    where w.id = :worker and w.lease_until > (select m.now from m)
      and w.timeline = {schema}.timeline()
  )
  and (select v.version from {schema}.flow_version v) = :version
  and (
    select not q.paused from {schema}.lane l join {schema}.queue q on q.id = l.queue where l.id = a.lane
  )
  limit :max
),
taken as (
  delete from {schema}.ready r
  where r.ctid = any (array(select p.place from picked p))
  returning r.*
),
held as (
  insert into {schema}.running (id, worker, claimed_at, lane, shelf, attempt, turn, replays, priority,
    strikes, suspect, started, counted, lease_until, batch)
  select t.id, :worker, (select m.now from m), t.lane, t.shelf, t.attempt + 1, t.turn + 1, t.replays, t.priority,
    t.strikes, t.suspect, false, t.lane = any (:counted::integer[]), (select m.lease_until from m), t.batch
  from taken t
),
bodies as materialized (
  select j.* from {schema}.job j
  where j.id = any (array(select t.id from taken t))
    and j.shelf >= (select min(t.shelf) from taken t) and j.shelf <= (select max(t.shelf) from taken t)
)
select t.id, t.turn + 1 as turn, t.lane, t.attempt + 1 as attempt, t.strikes, t.suspect, t.priority,
  (select m.now from m) as claimed_at, j.created_at, j.timeout_ms, j.expires_at, j.idempotency_key, j.metadata, j.retry,
  case when pg_column_size(j.payload) <= 2000 then j.payload end as payload, j.cost, j.batch, j.after
from taken t
join bodies j on j.shelf = t.shelf and j.id = t.id;

-- The payloads of these claims, taken in their order: each that is small, and of the large ones as many as have at most this many
-- bytes together with all others; the first large one in any case, unless there is no room at all. One that cannot fit by the size
-- in which it is stored is not even unpacked.
-- name: payloads-within
with recursive fit as (
  select 0 as place, 0::bigint as bytes, :bytes::bigint <= 0 as large, null::text as payload
  union all
  select f.place + 1, f.bytes + coalesce(j.size, 0), f.large or coalesce(j.size > :small, false), j.payload
  from fit f
  left join lateral (
    select p.payload, octet_length(p.payload) as size
    from (
      select case when not f.large or f.bytes + pg_column_size(j.payload) <= :bytes or pg_column_size(j.payload) <= :small
        then j.payload::text end as payload
      from {schema}.running r join {schema}.job j on j.shelf = r.shelf and j.id = r.id
      where r.id = (:ids::uuid[])[f.place + 1]
      limit 1
    ) p
    where not f.large or octet_length(p.payload) <= :small or f.bytes + octet_length(p.payload) <= :bytes
  ) j on true
  where f.place < cardinality(:ids::uuid[])
)
select f.place, f.payload from fit f where f.payload is not null;

-- The clock itself is asked: a transaction that waited must not extend what ran out meanwhile.
-- name: extend
update {schema}.running r
set lease_until = coalesce(:now::timestamptz, clock_timestamp()) + :lease::bigint * interval '1 microsecond',
  started = true
where r.id = :id and r.turn = :turn and r.worker = :worker and r.lease_until > coalesce(:now::timestamptz, clock_timestamp())
returning r.lease_until;

-- name: held-claim
select r.id, r.turn, r.lane, r.attempt, r.strikes, r.suspect, r.priority, r.lease_until, r.worker, r.claimed_at,
  (extract(epoch from coalesce(:now::timestamptz, now()) - r.claimed_at) * 1000000)::bigint as held_us,
  j.created_at, j.timeout_ms, j.expires_at, j.idempotency_key, j.metadata, j.retry, j.payload,
  j.cost, j.batch, j.after
from {schema}.running r
cross join lateral (
  select * from {schema}.job j where j.shelf = r.shelf and j.id = r.id limit 1
) j
where r.id = :id and r.turn = :turn and r.worker = :worker and r.lease_until > coalesce(:now::timestamptz, now());

-- name: started
update {schema}.running set started = true, alone = :alone
where id = :id and turn = :turn and worker = :worker;

-- Claims are looked up by their ids in the index and by their turns and workers in a hash. A join of all that is given to all
-- that runs would be planned by how many ran when somebody last counted; where those were none or few, every one
-- would be compared with every other. What follows is fed by the rows that were deleted, never by rows that
-- were seen: one that somebody changed meanwhile is deleted as it is now, or not at all. So a start that is noted
-- meanwhile keeps a rescue from returning the job as one that never ran.
-- Answers with one row, however many there are: which claims it ended is said only when those are not all.
-- name: end
with given as materialized (
  select k.*, (k.expires_at at time zone 'UTC')::date - date '1970-01-01' as day
  from (
    select g.*, coalesce(:now::timestamptz, now()) as now,
      coalesce(:now::timestamptz, now()) + g.keep_us * interval '1 microsecond' as expires_at
    from rows from (
      unnest((select :ids::uuid[])), unnest((select :turns::integer[])), unnest((select :workers::bigint[])),
      unnest((select :states::smallint[])), unnest((select :results::text[])), unnest((select :reasons::text[])),
      unnest((select :errors::text[])), unnest((select :keeps::bigint[]))
    ) as g(id, turn, worker, state, result, reason, error, keep_us)
  ) k
),
gone as (
  delete from {schema}.running r
  where r.id = any (:ids::uuid[]) and ((r.id, r.turn, r.worker) in (
    select g.id, g.turn, g.worker
    from rows from (
      unnest((select :ids::uuid[])), unnest((select :turns::integer[])), unnest((select :workers::bigint[]))
    ) as g(id, turn, worker)
  )) is true and (not r.started or r.id <> all (:unstarted::uuid[]))
  returning r.id, r.turn, r.worker, r.shelf, r.lane, r.priority, r.attempt, r.strikes, r.replays, r.claimed_at,
    r.counted, r.batch
),
over as materialized (
  select r.*, g.state, g.result, g.reason, g.error, g.now, g.expires_at, g.day
  from gone r join given g on g.id = r.id and g.turn = r.turn and g.worker = r.worker
),
ended as materialized (
  select count(*) as jobs, coalesce(bool_or(o.counted), false) as freed, array_agg(o.id) as ids,
    array_agg(o.state) as states, array_agg(o.batch) as batches
  from over o
),
-- Called when all claims of this statement are deleted, once.
woken as materialized (
  select w.* from ended e
  cross join lateral {schema}.wake(e.ids, e.states, e.batches, coalesce(:now::timestamptz, now())) w
),
kept as (
  insert into {schema}.done (shelf, id, job_shelf, lane, priority, state, attempt, turn, strikes, replays,
    started_at, finished_at, expires_at, reason, result)
  select case when o.day = any (array(select s.day from {schema}.shelf s where s.kind = 'done')) then o.day else 0 end,
    o.id, o.shelf, o.lane, o.priority, o.state, o.attempt, o.turn, o.strikes, o.replays, o.claimed_at, o.now,
    o.expires_at, o.reason, o.result::json
  from over o
),
failed as (
  insert into {schema}.job_error (shelf, job, turn, error)
  select o.shelf, o.id, o.turn, o.error::json from over o where o.error is not null
),
sized as (
  update {schema}.queue_size z set ended = z.ended + n.jobs
  from (
    select l.queue, count(*) as jobs
    from (select o.lane from over o union all select unnest(w.lanes) from woken w) e
    join {schema}.lane l on l.id = e.lane
    where exists (select 1 from {schema}.queue_size)
    group by l.queue
    order by l.queue
  ) n
  where z.queue = n.queue
)
select e.freed, w.ready, w.planned, w.asked, w.cancelled,
  case when e.jobs < :given then array(select o.id from over o) end as ids,
  case when e.jobs < :given then array(select o.turn from over o) end as turns,
  case when e.jobs < :given then array(select o.worker from over o) end as workers
from ended e cross join woken w;

-- Most jobs complete under one worker and leave nothing but that: fewer columns are carried for them. Finds claims and
-- answers as end does. All end in one state, so that batches need not stand beside their members.
-- name: complete
with m as materialized (
  select t.now, t.expires_at, {schema}.shelf_at('done', t.expires_at) as shelf
  from (
    select n.now, n.now + :keep::bigint * interval '1 microsecond' as expires_at
    from (select coalesce(:now::timestamptz, now()) as now) n
  ) t
),
gone as (
  delete from {schema}.running r
  where r.id = any (:ids::uuid[]) and r.worker = :worker and ((r.id, r.turn) in (
    select g.id, g.turn
    from rows from (unnest((select :ids::uuid[])), unnest((select :turns::integer[]))) as g(id, turn)
  )) is true
  returning r.id, r.turn, r.shelf, r.lane, r.priority, r.attempt, r.strikes, r.replays, r.claimed_at, r.counted,
    r.batch
),
ended as materialized (
  select count(*) as jobs, coalesce(bool_or(g.counted), false) as freed, array_agg(g.id) as ids,
    array_fill(5::smallint, array[count(*)::integer]) as states,
    array_agg(g.batch) filter (where g.batch is not null) as batches
  from gone g
),
-- Called when all claims of this statement are deleted, once.
woken as materialized (
  select w.* from ended e
  cross join lateral {schema}.wake(e.ids, e.states, e.batches, coalesce(:now::timestamptz, now())) w
),
kept as (
  insert into {schema}.done (shelf, id, job_shelf, lane, priority, state, attempt, turn, strikes, replays,
    started_at, finished_at, expires_at)
  select m.shelf, g.id, g.shelf, g.lane, g.priority, 5, g.attempt, g.turn, g.strikes, g.replays, g.claimed_at,
    m.now, m.expires_at
  from gone g cross join m
),
sized as (
  update {schema}.queue_size z set ended = z.ended + n.jobs
  from (
    select l.queue, count(*) as jobs
    from (select g.lane from gone g union all select unnest(w.lanes) from woken w) e
    join {schema}.lane l on l.id = e.lane
    where exists (select 1 from {schema}.queue_size)
    group by l.queue
    order by l.queue
  ) n
  where z.queue = n.queue
)
select e.freed, w.ready, w.planned, w.asked, w.cancelled,
  case when e.jobs < :given then array(select g.id from gone g) end as ids,
  case when e.jobs < :given then array(select g.turn from gone g) end as turns,
  case when e.jobs < :given then array(select :worker::bigint from gone g) end as workers
from ended e cross join woken w;

-- Finds claims as end does.
-- name: again
with given as materialized (
  select g.*, m.now, coalesce(g.at, m.now + g.delay_us * interval '1 microsecond', m.now) as run_at
  from (select coalesce(:now::timestamptz, now()) as now) m
  cross join rows from (
    unnest((select :ids::uuid[])), unnest((select :turns::integer[])), unnest((select :workers::bigint[])),
    unnest((select :kinds::smallint[])), unnest((select :delays::bigint[])), unnest((select :ats::timestamptz[])),
    unnest((select :spent::boolean[])), unnest((select :strikes::smallint[])),
    unnest((select :suspects::smallint[])), unnest((select :errors::text[]))
  ) as g(id, turn, worker, kind, delay_us, at, spent, strikes, suspect, error)
),
gone as (
  delete from {schema}.running r
  where r.id = any (:ids::uuid[]) and ((r.id, r.turn, r.worker) in (
    select g.id, g.turn, g.worker
    from rows from (
      unnest((select :ids::uuid[])), unnest((select :turns::integer[])), unnest((select :workers::bigint[]))
    ) as g(id, turn, worker)
  )) is true and (not r.started or r.id <> all (:unstarted::uuid[]))
  returning r.id, r.turn, r.worker, r.shelf, r.lane, r.priority, r.replays, r.counted, r.batch, r.attempt as tries
),
over as materialized (
  select r.*, case when g.spent then r.tries else r.tries - 1 end as attempt,
    g.kind, g.run_at, g.now, g.strikes, g.suspect, g.error
  from gone r join given g on g.id = r.id and g.turn = r.turn and g.worker = r.worker
),
soon as (
  insert into {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect, batch)
  select o.lane, o.priority, o.id, o.shelf, o.attempt, o.turn, o.replays, o.strikes, o.suspect, o.batch
  from over o where o.run_at <= o.now
),
late as (
  insert into {schema}.later (id, lane, run_at, shelf, attempt, turn, replays, priority, strikes,
    kind, suspect, batch)
  select o.id, o.lane, o.run_at, o.shelf, o.attempt, o.turn, o.replays, o.priority, o.strikes,
    o.kind, o.suspect, o.batch
  from over o where o.run_at > o.now
),
failed as (
  insert into {schema}.job_error (shelf, job, turn, error)
  select o.shelf, o.id, o.turn, o.error::json from over o where o.error is not null
)
select o.id, o.turn, o.worker, o.lane, o.priority, o.run_at > o.now as late, o.counted as freed
from over o;

-- name: trim-errors
delete from {schema}.job_error e
using unnest((select :ids::uuid[])) as g(id)
where e.job = g.id and e.turn < (
  select min(k.turn) from (
    select n.turn from {schema}.job_error n where n.job = g.id order by n.turn desc limit :keep
  ) k
);

-- name: progress
with held as (
  select r.id, r.shelf from {schema}.running r
  where r.id = :id and r.turn = :turn and r.worker = :worker
  for no key update
)
insert into {schema}.job_progress (shelf, job, percent, message, at)
select h.shelf, h.id, :percent, :message, coalesce(:now::timestamptz, now()) from held h
on conflict (job, shelf) do update
set percent = excluded.percent, message = excluded.message, at = excluded.at;

-- name: log
with held as (
  select r.id, r.shelf, r.attempt from {schema}.running r
  where r.id = :id and r.turn = :turn and r.worker = :worker
  for no key update
),
lines as (
  insert into {schema}.job_log (shelf, job, seq, at, attempt, line)
  select h.shelf, h.id, nextval('{schema}.job_log_seq'), coalesce(:now::timestamptz, now()), h.attempt, l.line
  from held h cross join unnest(:lines::text[]) with ordinality as l(line, n)
  order by l.n
)
select h.id from held h;

-- name: trim-log
delete from {schema}.job_log l
where l.job = :id and l.seq < (
  select min(k.seq) from (
    select n.seq from {schema}.job_log n where n.job = :id order by n.seq desc limit :keep
  ) k
);
