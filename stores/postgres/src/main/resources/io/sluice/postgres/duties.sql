-- What every engine does now and then: due work, and what is kept no longer.

-- name: due
select
  (select count(*) from (
    select 1 from {schema}.later l where l.run_at <= coalesce(:now::timestamptz, now()) limit :max + 1
  ) d) as due,
  (select extract(epoch from l.run_at - coalesce(:now::timestamptz, now())) * 1000000
   from {schema}.later l where l.run_at > coalesce(:now::timestamptz, now()) and l.run_at < 'infinity'
   order by l.run_at limit 1)::bigint as until_next;

-- name: promote
with gone as (
  delete from {schema}.later l
  where l.ctid = any (array(
    select d.ctid from {schema}.later d
    where d.run_at <= coalesce(:now::timestamptz, now())
    order by d.run_at
    limit :max
    for update skip locked))
  returning l.*
),
soon as (
  insert into {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect, batch)
  select g.lane, g.priority, g.id, g.shelf, g.attempt, g.turn, g.replays, g.strikes, g.suspect, g.batch
  from gone g
),
ordered as (
  update {schema}.job_order o set waiting = false
  where o.id = any (array(select g.id from gone g)) and (select true from {schema}.job_order limit 1)
)
select count(*) as moved, array(select distinct g.lane from gone g) as lanes from gone;

-- With more due than one call may move, every lane that has due work gets its share.
-- name: promote-by-lane
with recursive head as (
  (select l.lane, l.run_at from {schema}.later l order by l.lane, l.run_at, l.id limit 1)
  union all
  select n.lane, n.run_at
  from head h
  cross join lateral (
    select l.lane, l.run_at from {schema}.later l
    where l.lane > h.lane order by l.lane, l.run_at, l.id limit 1
  ) n
),
share as materialized (
  select h.lane, greatest(1, :max / greatest(1, count(*) over ()))::integer as quota
  from head h
  where h.run_at <= coalesce(:now::timestamptz, now())
  order by h.run_at
),
gone as (
  delete from {schema}.later l
  where l.ctid = any (array(
    select d.place from share s
    cross join lateral (
      select n.place from (
        select l.ctid as place from {schema}.later l
        where l.lane = s.lane and l.run_at <= coalesce(:now::timestamptz, now())
        order by l.run_at, l.id
        limit 10000
        for update skip locked
      ) n
      limit s.quota
    ) d
    limit :max))
  returning l.*
),
soon as (
  insert into {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect, batch)
  select g.lane, g.priority, g.id, g.shelf, g.attempt, g.turn, g.replays, g.strikes, g.suspect, g.batch
  from gone g
),
ordered as (
  update {schema}.job_order o set waiting = false
  where o.id = any (array(select g.id from gone g)) and (select true from {schema}.job_order limit 1)
)
select count(*) as moved, array(select distinct g.lane from gone g) as lanes from gone;

-- name: shelves
select kind, day from {schema}.shelf order by kind, day;

-- name: make-shelf
select {schema}.make_shelf(:kind, :day) as made;

-- name: purge-turn
select pg_try_advisory_xact_lock(hashtext('sluice purge'), hashtext('{schema}')) as mine;

-- name: close-shelf
delete from {schema}.shelf where kind = :kind and day = :day;

-- name: reopen-shelf
insert into {schema}.shelf (kind, day) values (:kind, :day) on conflict do nothing;

-- Finished jobs of shelf 0 that are kept no longer, with all that belongs to them.
-- name: purge-shelf-0
with gone as (
  delete from {schema}.done_0 d
  where d.ctid = any (array(
    select x.ctid from {schema}.done_0 x
    where x.expires_at <= coalesce(:now::timestamptz, now())
    order by x.expires_at
    limit :max
    for update skip locked))
  returning d.id, d.job_shelf
),
body as (
  delete from {schema}.job j
  where j.shelf = 0 and j.id = any (array(select g.id from gone g where g.job_shelf = 0))
  returning j.id, j.lane, j.idempotency_key, j.after is not null as after, j.expires_at is not null as expiring
),
errors as (
  delete from {schema}.job_error e
  where e.shelf = 0 and e.job = any (array(select g.id from gone g where g.job_shelf = 0))
),
logs as (
  delete from {schema}.job_log l
  where l.shelf = 0 and l.job = any (array(select g.id from gone g where g.job_shelf = 0))
),
progress as (
  delete from {schema}.job_progress p
  where p.shelf = 0 and p.job = any (array(select g.id from gone g where g.job_shelf = 0))
),
links as (
  delete from {schema}.link l where l.successor = any (array(select b.id from body b where b.after))
),
expiring as (
  delete from {schema}.expiry e where e.id = any (array(select b.id from body b where b.expiring))
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
)
select count(*) as gone from gone;

-- The bodies in shelf 0 whose outcomes are on a day of "done" that is about to go.
-- name: purge-bodies-of-day
with gone as materialized (
  select d.lane, d.id from {schema}.done d
  where d.shelf = :day and d.job_shelf = 0 and (d.shelf = 0 or d.shelf - d.job_shelf > 1)
    and (d.lane, d.id) > (:lane, :id)
  order by d.lane, d.id limit :max
),
body as (
  delete from {schema}.job j
  where j.shelf = 0 and j.id = any (array(select g.id from gone g))
  returning j.id, j.lane, j.idempotency_key, j.after is not null as after, j.expires_at is not null as expiring
),
errors as (
  delete from {schema}.job_error e where e.shelf = 0 and e.job = any (array(select g.id from gone g))
),
logs as (
  delete from {schema}.job_log l where l.shelf = 0 and l.job = any (array(select g.id from gone g))
),
progress as (
  delete from {schema}.job_progress p where p.shelf = 0 and p.job = any (array(select g.id from gone g))
),
links as (
  delete from {schema}.link l where l.successor = any (array(select b.id from body b where b.after))
),
expiring as (
  delete from {schema}.expiry e where e.id = any (array(select b.id from body b where b.expiring))
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
)
select g.lane, g.id from gone g order by g.lane desc, g.id desc limit 1;

-- name: blocks
select (pg_relation_size(to_regclass(format('%I.%I', :schema::text, :table::text)))
  / current_setting('block_size')::integer)::integer as blocks;

-- Jobs of an old day among some blocks of a table of states.
-- name: stragglers-in-blocks
select s.id from {schema}.{table} s where s.ctid >= :from::tid and s.ctid < :to::tid and s.shelf = :day;

-- Outcomes of jobs of an old day that may still be kept. Others ended, and were kept, before the day was old.
-- name: straggling-outcomes
select d.lane, d.id, d.expires_at > coalesce(:now::timestamptz, now()) as kept from {schema}.done d
where d.job_shelf = :day and (d.shelf = 0 or d.shelf - d.job_shelf > 1) and (d.lane, d.id) > (:lane, :id)
order by d.lane, d.id
limit :max;

-- name: look-at-one-moment
set transaction isolation level repeatable read;

-- Moves bodies to shelf 0. The state rows are locked first and say so in the same write; those that
-- somebody else is moving right now are left for the next round.
-- name: move-to-shelf-0
with given as materialized (select g.id from unnest((select :ids::uuid[])) as g(id)),
body as materialized (
  select j.* from given g
  cross join lateral (select * from {schema}.job j where j.shelf = :day and j.id = g.id limit 1) j
),
waits as (
  update {schema}.ready r set shelf = 0
  where r.ctid = any (array(
    select x.place from body b cross join lateral (
      select r.ctid as place from {schema}.ready r
      where r.lane = b.lane and r.priority = b.priority and r.id = b.id and r.shelf = :day
      limit 1 for update skip locked) x))
  returning r.id
),
planned as (
  update {schema}.later l set shelf = 0
  where l.ctid = any (array(
    select x.place from body b cross join lateral (
      select l.ctid as place from {schema}.later l where l.id = b.id and l.shelf = :day
      limit 1 for update skip locked) x))
  returning l.id
),
runs as (
  update {schema}.running r set shelf = 0
  where r.ctid = any (array(
    select x.place from body b cross join lateral (
      select r.ctid as place from {schema}.running r where r.id = b.id and r.shelf = :day
      limit 1 for update skip locked) x))
  returning r.id
),
over as (
  update {schema}.done d set job_shelf = 0
  from (
    select x.lane, x.id, x.shelf from body b cross join lateral (
      select d.lane, d.id, d.shelf from {schema}.done d
      where d.lane = b.lane and d.id = b.id and d.job_shelf = :day
      limit 1 for update skip locked) x
  ) x
  where d.lane = x.lane and d.id = x.id and d.shelf = x.shelf
  returning d.id
),
moved as materialized (
  select id from waits union all select id from planned union all select id from runs
  union all select id from over
),
new_body as (
  insert into {schema}.job (shelf, id, lane, priority, created_at, timeout_ms, expires_at, idempotency_key,
    metadata, retry, payload, cost, batch, after, planned_for)
  select 0, b.id, b.lane, b.priority, b.created_at, b.timeout_ms, b.expires_at, b.idempotency_key,
    b.metadata, b.retry, b.payload, b.cost, b.batch, b.after, b.planned_for
  from body b where b.id in (select m.id from moved m)
),
old_body as (
  delete from {schema}.job j where j.shelf = :day and j.id = any (array(select m.id from moved m))
),
old_errors as (
  delete from {schema}.job_error e
  where e.shelf = :day and e.job = any (array(select m.id from moved m)) returning e.*
),
new_errors as (
  insert into {schema}.job_error (shelf, job, turn, error)
  select 0, e.job, e.turn, e.error from old_errors e
),
old_logs as (
  delete from {schema}.job_log l
  where l.shelf = :day and l.job = any (array(select m.id from moved m)) returning l.*
),
new_logs as (
  insert into {schema}.job_log (shelf, job, seq, at, attempt, line)
  select 0, l.job, l.seq, l.at, l.attempt, l.line from old_logs l
),
old_progress as (
  delete from {schema}.job_progress p
  where p.shelf = :day and p.job = any (array(select m.id from moved m)) returning p.*
),
new_progress as (
  insert into {schema}.job_progress (shelf, job, percent, message, at)
  select 0, p.job, p.percent, p.message, p.at from old_progress p
),
links as (
  update {schema}.link l set shelf = 0
  where l.successor = any (array(select b.id from body b where b.after is not null and b.id in (
    select m.id from moved m)))
),
expiring as (
  update {schema}.expiry e set shelf = 0
  where e.id = any (array(select b.id from body b where b.expires_at is not null and b.id in (
    select m.id from moved m)))
),
keys as (
  update {schema}.idempotency i set shelf = 0
  from body b, {schema}.lane l
  where b.id in (select m.id from moved m) and b.idempotency_key is not null and l.id = b.lane
    and i.queue = l.queue and i.key = b.idempotency_key and i.id = b.id
)
select count(*) as moved from moved;

-- name: drop-keys-of-day
delete from {schema}.idempotency i
where i.ctid = any (array(
  select x.ctid from {schema}.idempotency x where x.shelf = :day limit :max for update skip locked));

-- name: drop-links-of-day
delete from {schema}.link l
where l.ctid = any (array(
  select x.ctid from {schema}.link x where x.shelf = :day limit :max for update skip locked));

-- name: drop-expiries-in-blocks
delete from {schema}.expiry e
where e.ctid >= :from::tid and e.ctid < :to::tid and e.shelf > 0 and e.shelf <= :day;

-- Takes a duty on when it was not begun for so long, by anybody. A clock that was set back does not stop it.
-- name: begin-duty
insert into {schema}.duty as d (name, begun_at)
select :name, coalesce(:now::timestamptz, now())
on conflict (name) do update set begun_at = excluded.begun_at, ended_at = null
where d.begun_at not between excluded.begun_at - :every::bigint * interval '1 microsecond' + interval '1 microsecond'
  and excluded.begun_at + :every::bigint * interval '1 microsecond'
returning d.name;

-- name: end-duty
update {schema}.duty set ended_at = coalesce(:now::timestamptz, now()) where name = :name;

-- A process that does not end a duty within ten minutes is taken for dead.
-- name: duty-under-way
select exists (
  select 1 from {schema}.duty d
  where d.name = :name and d.ended_at is null
    and d.begun_at > coalesce(:now::timestamptz, now()) - interval '10 minutes'
) as yes;

-- Jobs that are not over, among some blocks, and may name predecessors which would go: those that wait for some, and
-- others that are not of today. What became ready today was waiting an hour before, and kept for a day then.
-- name: keep-needed
select {schema}.keep_needed(array(
  select s.id from {schema}.{table} s
  where s.ctid >= :from::tid and s.ctid < :to::tid and (s.shelf < :today or {linked})
), coalesce(:now::timestamptz, now()));

-- name: purge-batches
with gone as (
  delete from {schema}.batch b
  where b.id = any (array(
    select x.id from {schema}.batch x
    where x.expires_at <= coalesce(:now::timestamptz, now())
    order by x.expires_at
    limit :max
    for update skip locked))
  returning b.id
),
counts as (
  delete from {schema}.batch_count c where c.batch = any (array(select g.id from gone g))
)
select count(*) as gone from gone;

-- About how many outcomes a day has: counted as long as they are few.
-- name: size-of-day
select case when c.jobs < :most then c.jobs else greatest(c.jobs, (
    select p.reltuples::bigint from pg_class p
    where p.oid = to_regclass(format('%I.%I', :schema::text, :table::text))))
  end as jobs
from (select count(*) as jobs from (select 1 from {schema}.done d where d.shelf = :day limit :most) d) c;

-- name: attached
select i.inhdetachpending as pending
from pg_inherits i
where i.inhrelid = to_regclass(format('%I.%I', :schema::text, :table::text));

-- name: detach
alter table {schema}.{parent} detach partition {schema}.{partition} concurrently;

-- name: finish-detach
alter table {schema}.{parent} detach partition {schema}.{partition} finalize;

-- name: attach
alter table {schema}.{parent} attach partition {schema}.{partition} for values in ({day});

-- name: drop
drop table if exists {schema}.{partition};

-- Gives numbers to jobs of ordered queues that came in while these were not ordered yet: before the change, or in a
-- transaction that began before it. A day after the last change of a queue there are none, and nothing is looked at.
-- name: number-orders
insert into {schema}.job_order (id, queue, limit_key, lane, priority, waiting)
select n.id, n.queue, n.limit_key, n.lane, n.priority, n.waiting
from (
  select s.id, q.id as queue, l.limit_key, l.id as lane, s.priority, s.waiting
  from {schema}.queue q
  cross join lateral (select * from {schema}.lane l where l.queue = q.id offset 0) l
  cross join lateral (
    select r.id, r.priority, false as waiting from {schema}.ready r where r.lane = l.id
    union all
    select t.id, t.priority, t.turn = 0 from {schema}.later t where t.lane = l.id
    offset 0
  ) s
  where q.ordered <> 'NONE' and q.updated_at > coalesce(:now::timestamptz, now()) - interval '1 day'
    and (select o.id from {schema}.job_order o where o.id = s.id limit 1) is null
  union all
  select r.id, q.id, l.limit_key, l.id, r.priority, false
  from {schema}.running r join {schema}.lane l on l.id = r.lane join {schema}.queue q on q.id = l.queue
  where q.ordered <> 'NONE' and q.updated_at > coalesce(:now::timestamptz, now()) - interval '1 day'
    and (select o.id from {schema}.job_order o where o.id = r.id limit 1) is null
  order by 1
) n
on conflict do nothing;

-- Forgets the numbers of jobs that nobody knows any more, among some blocks.
-- name: forget-orders-in-blocks
delete from {schema}.job_order o
where o.ctid >= :from::tid and o.ctid < :to::tid
  and (select r.id from {schema}.ready r
      where r.lane = o.lane and r.priority = o.priority and r.id = o.id limit 1) is null
  and (select r.id from {schema}.running r where r.id = o.id) is null
  and (select t.id from {schema}.later t where t.id = o.id) is null
  and (select d.id from {schema}.done d where d.lane = o.lane and d.id = o.id limit 1) is null;
