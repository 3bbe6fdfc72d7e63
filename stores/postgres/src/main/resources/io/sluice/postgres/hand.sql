-- What a person does to a job, and what ends one without a claim.

-- Jobs that are not over, wherever they are. Each is kept as long as is said, or as its queue says. Those of
-- them that wait for others of them are gone when these are heard of, and do not start. Orders pass over them at once:
-- a claim looks no further than some that are over.
-- name: cancel
with body as materialized (
  select j.id, j.lane, j.priority from unnest((select :ids::uuid[])) as g(id)
  cross join lateral (select j.id, j.lane, j.priority from {schema}.job j where j.id = g.id limit 1) j
),
ran as (
  delete from {schema}.running r where r.id = any (:ids::uuid[]) returning r.*
),
waited as (
  delete from {schema}.ready r
  where r.ctid = any (array(
    select w.place from body b cross join lateral (
      select r.ctid as place from {schema}.ready r
      where r.lane = b.lane and r.priority = b.priority and r.id = b.id
      limit 1
      for update
    ) w))
  returning r.*
),
planned as (
  delete from {schema}.later l where l.id = any (:ids::uuid[]) returning l.*
),
over as (
  select id, shelf, lane, priority, attempt, turn, strikes, replays, claimed_at, batch, true as ran,
    counted as freed from ran
  union all
  select id, shelf, lane, priority, attempt, turn, strikes, replays, null, batch, false, false from waited
  union all
  select id, shelf, lane, priority, attempt, turn, strikes, replays, null, batch, false,
    turn > 0 and waits is null from planned
),
woken as materialized (
  select w.* from {schema}.wake(array(select o.id from over o), array(select 8::smallint from over o),
    array(select o.batch from over o), coalesce(:now::timestamptz, now())) w
),
terms as materialized (
  select t.*, {schema}.shelf_at('done', t.expires_at) as shelf
  from (
    select q.id as queue, n.now, n.now + coalesce(:keep::bigint * interval '1 microsecond',
      q.keep_dead_ms * interval '1 millisecond') as expires_at
    from {schema}.queue q cross join (select coalesce(:now::timestamptz, now()) as now) n
    where q.id in (select l.queue from {schema}.lane l where l.id in (select o.lane from over o))
  ) t
),
kept as (
  insert into {schema}.done (shelf, id, job_shelf, lane, priority, state, attempt, turn, strikes, replays,
    started_at, finished_at, expires_at, reason)
  select t.shelf, o.id, o.shelf, o.lane, o.priority, 8, o.attempt, o.turn, o.strikes, o.replays,
    o.claimed_at, t.now, t.expires_at, :reason
  from over o join {schema}.lane l on l.id = o.lane join terms t on t.queue = l.queue
),
ordered as (
  update {schema}.job_order o set waiting = true
  where o.id = any (array(select x.id from over x)) and (select true from {schema}.job_order limit 1)
),
sized as (
  update {schema}.queue_size z set ended = z.ended + n.jobs
  from (
    select l.queue, count(*) as jobs
    from (select o.lane from over o union all select unnest(w.lanes) from woken w) e
    join {schema}.lane l on l.id = e.lane
    group by l.queue
    order by l.queue
  ) n
  where z.queue = n.queue
)
select o.id, o.attempt, o.ran, o.freed, q.tenant, q.name as queue, l.type, l.url_group, l.limit_key,
  w.ready, w.planned, w.asked, w.cancelled
from (select *, row_number() over () = 1 as first from over) o
join {schema}.lane l on l.id = o.lane
join {schema}.queue q on q.id = l.queue
left join woken w on o.first;

-- name: state-of
select v.state from {schema}.job_view v
where v.id = :id and (v.kept_until is null or v.kept_until > coalesce(:now::timestamptz, now()));

-- Waiting jobs of some lanes, many in one statement. What a claim is taking is left to it.
-- name: cancel-ready
with m as materialized (
  select t.now, t.expires_at, {schema}.shelf_at('done', t.expires_at) as shelf
  from (
    select n.now, n.now + :keep::bigint * interval '1 microsecond' as expires_at
    from (select coalesce(:now::timestamptz, now()) as now) n
  ) t
),
over as (
  delete from {schema}.ready r
  where r.ctid = any (array(
    select w.place from unnest((select :lanes::integer[])) as l(lane)
    cross join lateral (
      select r.ctid as place from {schema}.ready r
      where r.lane = l.lane
      order by r.priority, r.id
      limit 100000
      for update skip locked
    ) w
    limit :max))
  returning r.*
),
woken as materialized (
  select w.* from {schema}.wake(array(select o.id from over o), array(select 8::smallint from over o),
    array(select o.batch from over o), coalesce(:now::timestamptz, now())) w
),
kept as (
  insert into {schema}.done (shelf, id, job_shelf, lane, priority, state, attempt, turn, strikes, replays,
    finished_at, expires_at, reason)
  select m.shelf, o.id, o.shelf, o.lane, o.priority, 8, o.attempt, o.turn, o.strikes, o.replays, m.now,
    m.expires_at, :reason
  from over o cross join m
),
ordered as (
  update {schema}.job_order o set waiting = true
  where o.id = any (array(select x.id from over x)) and (select true from {schema}.job_order limit 1)
),
sized as (
  update {schema}.queue_size z set ended = z.ended + n.jobs
  from (
    select l.queue, count(*) as jobs
    from (select o.lane from over o union all select unnest(w.lanes) from woken w) e
    join {schema}.lane l on l.id = e.lane
    group by l.queue
    order by l.queue
  ) n
  where z.queue = n.queue
)
select o.id, w.ready, w.planned, w.asked, w.cancelled
from (select *, row_number() over () = 1 as first from over) o left join woken w on o.first;

-- name: cancel-later
with m as materialized (
  select t.now, t.expires_at, {schema}.shelf_at('done', t.expires_at) as shelf
  from (
    select n.now, n.now + :keep::bigint * interval '1 microsecond' as expires_at
    from (select coalesce(:now::timestamptz, now()) as now) n
  ) t
),
over as (
  delete from {schema}.later r
  where r.ctid = any (array(
    select w.place from unnest((select :lanes::integer[])) as l(lane)
    cross join lateral (
      select r.ctid as place from {schema}.later r
      where r.lane = l.lane
      order by r.run_at, r.id
      limit 100000
      for update skip locked
    ) w
    limit :max))
  returning r.*
),
woken as materialized (
  select w.* from {schema}.wake(array(select o.id from over o), array(select 8::smallint from over o),
    array(select o.batch from over o), coalesce(:now::timestamptz, now())) w
),
kept as (
  insert into {schema}.done (shelf, id, job_shelf, lane, priority, state, attempt, turn, strikes, replays,
    finished_at, expires_at, reason)
  select m.shelf, o.id, o.shelf, o.lane, o.priority, 8, o.attempt, o.turn, o.strikes, o.replays, m.now,
    m.expires_at, :reason
  from over o cross join m
),
ordered as (
  update {schema}.job_order o set waiting = true
  where o.id = any (array(select x.id from over x)) and (select true from {schema}.job_order limit 1)
),
sized as (
  update {schema}.queue_size z set ended = z.ended + n.jobs
  from (
    select l.queue, count(*) as jobs
    from (select o.lane from over o union all select unnest(w.lanes) from woken w) e
    join {schema}.lane l on l.id = e.lane
    group by l.queue
    order by l.queue
  ) n
  where z.queue = n.queue
)
select o.id, w.ready, w.planned, w.asked, w.cancelled
from (select *, row_number() over () = 1 as first from over) o left join woken w on o.first;

-- The batches that the job is in are held before it is taken. The body is found by its id alone: somebody may be moving it
-- to another shelf, and then the outcome names a shelf where this statement does not see it yet.
-- name: replay
with body as materialized (
  select j.* from unnest((select :ids::uuid[])) as g(id)
  cross join lateral (
    select j.id, j.lane, j.batch, j.expires_at from {schema}.job j where j.id = g.id limit 1
  ) j
),
held as materialized (
  select count(*) as batches from {schema}.hold_batches(array(
    select b.batch from body b where b.batch is not null))
),
finished as materialized (
  select d.* from (select b.lane, b.id from body b cross join held h where h.batches >= 0 order by b.id) b
  cross join lateral (
    select d.shelf, d.lane, d.id from {schema}.done d
    where d.lane = b.lane and d.id = b.id and d.state <> 5 and d.expires_at > coalesce(:now::timestamptz, now())
    limit 1
    for update
  ) d
),
gone as (
  delete from {schema}.done d using finished f
  where d.shelf = f.shelf and d.lane = f.lane and d.id = f.id
  returning d.*
),
soon as (
  insert into {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect, batch)
  select g.lane, g.priority, g.id, g.job_shelf, 0, g.turn, g.replays + 1, 0, 0, b.batch
  from gone g join body b on b.id = g.id
),
expiring as (
  insert into {schema}.expiry (id, look_at, lane, priority, shelf)
  select g.id, b.expires_at, g.lane, g.priority, g.job_shelf
  from gone g join body b on b.id = g.id
  where b.expires_at > coalesce(:now::timestamptz, now())
  on conflict (id) do nothing
),
-- In an ordered queue it has its old place.
ordered as (
  insert into {schema}.job_order (id, queue, limit_key, lane, priority, waiting)
  select g.id, q.id, l.limit_key, g.lane, g.priority, false
  from gone g join {schema}.lane l on l.id = g.lane join {schema}.queue q on q.id = l.queue
  where q.ordered <> 'NONE'
  on conflict (id) do update set waiting = false
),
-- A job that is replayed past its expiry runs all the same.
outlived as (
  delete from {schema}.expiry e using gone g, body b
  where e.id = g.id and b.id = g.id and b.expires_at <= coalesce(:now::timestamptz, now())
),
sized as (
  update {schema}.queue_size z set ended = z.ended - n.jobs
  from (
    select l.queue, count(*) as jobs
    from gone g join {schema}.lane l on l.id = g.lane
    group by l.queue
    order by l.queue
  ) n
  where z.queue = n.queue
),
again as materialized (
  select {schema}.wait_again(array_agg(g.id), array_agg(g.state), array_agg(b.batch)) as waits
  from gone g join body b on b.id = g.id
  having count(*) > 0
)
select g.id, a.waits from gone g cross join again a;

-- A job that was tried before and waits for its next attempt; what promotes it first leaves nothing here.
-- name: hurry
with gone as (
  delete from {schema}.later l where l.id = :id and l.turn > 0 and l.waits is null returning l.*
),
soon as (
  insert into {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect, batch)
  select g.lane, g.priority, g.id, g.shelf, g.attempt, g.turn, g.replays, g.strikes, g.suspect, g.batch
  from gone g
)
select g.id from gone g;

-- The statement after this one sees the bodies where they are, also when somebody was just moving them.
-- name: hold-outcomes
select d.id from (
  select j.lane, j.id from unnest((select :ids::uuid[])) as g(id)
  cross join lateral (select j.lane, j.id from {schema}.job j where j.id = g.id limit 1) j
  order by j.id
) b
cross join lateral (
  select d.id from {schema}.done d where d.lane = b.lane and d.id = b.id limit 1 for update
) d;

-- Whoever names the job as a predecessor holds it until that is written, and is asked for after that.
-- name: delete
with held as materialized (
  select d.* from unnest((select :ids::uuid[])) as g(id)
  cross join lateral (select j.lane, j.id from {schema}.job j where j.id = g.id limit 1) j
  cross join lateral (
    select d.shelf, d.lane, d.id from {schema}.done d
    where d.lane = j.lane and d.id = j.id and d.expires_at > coalesce(:now::timestamptz, now())
    limit 1
    for update
  ) d
),
free as materialized (
  select h.* from held h where {schema}.needing(h.id) is null
),
gone as (
  delete from {schema}.done d using free f
  where d.shelf = f.shelf and d.lane = f.lane and d.id = f.id
  returning d.id, d.job_shelf, d.lane
),
body as (
  delete from {schema}.job j using gone g
  where j.shelf = g.job_shelf and j.id = g.id
  returning j.id, j.lane, j.idempotency_key
),
errors as (
  delete from {schema}.job_error e using gone g where e.shelf = g.job_shelf and e.job = g.id
),
logs as (
  delete from {schema}.job_log l using gone g where l.shelf = g.job_shelf and l.job = g.id
),
progress as (
  delete from {schema}.job_progress p using gone g where p.shelf = g.job_shelf and p.job = g.id
),
keys as (
  delete from {schema}.idempotency i
  where i.ctid = any (array(
    select k.place from body b join {schema}.lane l on l.id = b.lane
    cross join lateral (
      select i.ctid as place from {schema}.idempotency i
      where i.queue = l.queue and i.key = b.idempotency_key and i.id = b.id
      limit 1 for update
    ) k))
),
links as (
  delete from {schema}.link l using gone g where l.successor = g.id
),
expiring as (
  delete from {schema}.expiry e using gone g where e.id = g.id
)
select g.id from gone g;

-- A job that runs may wait again later: it is looked at once more after a while. Waits for nobody's transaction.
-- name: expire
with due as materialized (
  select e.id, e.lane, e.priority from {schema}.expiry e
  where e.look_at <= coalesce(:now::timestamptz, now())
  order by e.look_at
  limit :max
  for update skip locked
),
waited as (
  delete from {schema}.ready r
  where r.ctid = any (array(
    select w.place from due e cross join lateral (
      select r.ctid as place from {schema}.ready r
      where r.lane = e.lane and r.priority = e.priority and r.id = e.id
      limit 1
      for update skip locked
    ) w))
  returning r.*
),
planned as (
  delete from {schema}.later l
  where l.ctid = any (array(
    select w.place from due e cross join lateral (
      select l.ctid as place from {schema}.later l where l.id = e.id limit 1 for update skip locked
    ) w))
  returning l.*
),
over as (
  select id, shelf, lane, priority, attempt, turn, strikes, replays, batch from waited
  union all
  select id, shelf, lane, priority, attempt, turn, strikes, replays, batch from planned
),
woken as materialized (
  select w.* from {schema}.wake(array(select o.id from over o), array(select 8::smallint from over o),
    array(select o.batch from over o), coalesce(:now::timestamptz, now()), false) w
),
kept as (
  insert into {schema}.done (shelf, id, job_shelf, lane, priority, state, attempt, turn, strikes, replays,
    finished_at, expires_at, reason)
  select {schema}.shelf_at('done', m.expires_at), o.id, o.shelf, o.lane, o.priority, 8, o.attempt, o.turn,
    o.strikes, o.replays, m.now, m.expires_at, 'expired'
  from over o
  cross join lateral (
    select t.now, t.now + q.keep_dead_ms * interval '1 millisecond' as expires_at
    from (select coalesce(:now::timestamptz, now()) as now) t
    cross join {schema}.lane l join {schema}.queue q on q.id = l.queue
    where l.id = o.lane
  ) m
),
ordered as (
  update {schema}.job_order o set waiting = true
  where o.id = any (array(select x.id from over x)) and (select true from {schema}.job_order limit 1)
),
sized as (
  update {schema}.queue_size z set ended = z.ended + n.jobs
  from (
    select l.queue, count(*) as jobs
    from (select o.lane from over o union all select unnest(w.lanes) from woken w) e
    join {schema}.lane l on l.id = e.lane
    group by l.queue
    order by l.queue
  ) n
  where z.queue = n.queue
),
settled as (
  delete from {schema}.expiry e using due d
  where e.id = d.id and (
    e.id in (select o.id from over o)
    or exists (select 1 from {schema}.done x where x.lane = d.lane and x.id = d.id)
    or not exists (select 1 from {schema}.job j where j.id = d.id))
  returning e.id
),
put_off as (
  update {schema}.expiry e set look_at = coalesce(:now::timestamptz, now()) + interval '5 seconds'
  from due d
  where e.id = d.id and e.id not in (select s.id from settled s)
)
select o.id, w.ready, w.planned, w.asked, w.cancelled
from (select *, row_number() over () = 1 as first from over) o left join woken w on o.first;
