-- Jobs that wait for others, and batches.

alter table {schema}.job add column batch uuid, add column after json;
alter table {schema}.ready add column batch uuid;
alter table {schema}.running add column batch uuid;

-- A job that waits for others has no moment: its run_at is infinity. It knows how many of them are not over
-- (null when it waits for none) and how many did not complete, what its policy then is (1 CANCEL, 2 RUN,
-- 3 HOLD, 4 IF_FAILED), and the moment that it was planned for.
alter table {schema}.later
  add column batch uuid,
  add column waits integer,
  add column failed integer,
  add column policy smallint,
  add column due_at timestamptz;

create index job_batch on {schema}.job (batch, id) where batch is not null;
create index ready_batch on {schema}.ready (batch) where batch is not null;
create index later_batch on {schema}.later (batch, id) where batch is not null;

-- One row for each predecessor of each job, a job or a batch. It is open until that one is over; it broke the
-- job when that one had it cancelled. Kept as long as the body of the successor, which lies on this shelf.
create table {schema}.link (
  successor uuid not null,
  place integer not null,
  predecessor uuid not null,
  name text not null,
  shelf integer not null,
  open boolean not null,
  broke boolean not null default false,
  primary key (successor, place)
);

create index link_open on {schema}.link (predecessor) where open;
create index link_predecessor on {schema}.link (predecessor);
create index link_shelf on {schema}.link (shelf);

-- A batch, with the number of its members. The state is what it counts as when it is over, as of a job.
create table {schema}.batch (
  id uuid primary key,
  tenant text not null,
  name text not null,
  parent uuid,
  callback uuid,
  idempotency_key text,
  keep_us bigint not null,
  total bigint not null,
  open boolean not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  expires_at timestamptz,
  state smallint
) with (fillfactor = 50);

create unique index batch_key on {schema}.batch (tenant, idempotency_key) where idempotency_key is not null;
create index batch_tenant on {schema}.batch (tenant, id);
create index batch_parent on {schema}.batch (parent) where parent is not null and ended_at is null;
create index batch_unended on {schema}.batch (id) where ended_at is null and not open;
create index batch_expires on {schema}.batch (expires_at) where expires_at is not null;

-- What became of the members of a batch, in up to 16 rows that are to be added up: whoever finishes members
-- adds to the row of its own process, so that few wait for each other.
create table {schema}.batch_count (
  batch uuid not null,
  slot smallint not null,
  completed bigint not null,
  failed bigint not null,
  cancelled bigint not null,
  primary key (batch, slot)
) with (fillfactor = 50);

create or replace view {schema}.job_view as
select
  j.shelf, j.id, j.lane, q.id as queue_id, q.tenant, q.name as queue, l.type, l.url_group, l.limit_key,
  j.priority, j.created_at, j.timeout_ms, j.expires_at, j.idempotency_key, j.metadata, j.retry, j.payload,
  j.cost,
  s.state, s.attempt, s.strikes, s.replays, s.run_at, s.started_at, s.finished_at, s.kept_until, s.worker,
  s.own_lease, s.result, s.reason,
  j.batch, j.after, s.waits, s.failed
from {schema}.job j
join {schema}.lane l on l.id = j.lane
join {schema}.queue q on q.id = l.queue
cross join lateral (
  select u.* from (
    select 2::smallint as state, r.attempt, r.strikes, r.replays, null::timestamptz as run_at,
      null::timestamptz as started_at, null::timestamptz as finished_at, null::timestamptz as kept_until,
      null::bigint as worker, null::timestamptz as own_lease, null::json as result, null::text as reason,
      null::integer as waits, null::integer as failed
    from {schema}.ready r
    where r.lane = j.lane and r.priority = j.priority and r.id = j.id
    union all
    select t.kind, t.attempt, t.strikes, t.replays, nullif(t.run_at, 'infinity'), null, null, null, null, null,
      null, null, t.waits, t.failed
    from {schema}.later t
    where t.id = j.id
    union all
    select 3, u.attempt, u.strikes, u.replays, null, u.claimed_at, null, null, u.worker, u.lease_until,
      null, null, null, null
    from {schema}.running u
    where u.id = j.id
    union all
    select d.state, d.attempt, d.strikes, d.replays, null, d.started_at, d.finished_at, d.expires_at,
      null, null, d.result, d.reason, null, null
    from {schema}.done d
    where d.id = j.id and d.lane = j.lane
  ) u
  limit 1
) s;

-- Takes hold of those that new jobs of a tenant are to wait for, so that none of them ends before these are
-- written, and says of each that is over how it ended. Whoever ends a batch or a job waits for this
-- transaction, and sees with a snapshot of its own what it wrote. One that is on its way from one table to
-- another is sought again; one that is not there is left out of the answer. Of those that are ready it says
-- so: a claim may have passed over them meanwhile.
create function {schema}.hold_predecessors(ids uuid[], wanted text, moment timestamptz)
returns table (held uuid, outcome smallint, ready boolean)
language plpgsql
as $$
declare
  rest uuid[];
  hits uuid[];
  hopeful uuid[];
  expired boolean;
begin
  return query
    select b.id, b.state, false from {schema}.batch b
    where b.id = any (ids) and b.tenant = wanted and (b.expires_at is null or b.expires_at > moment)
    order by b.id
    for share;
  rest := array(
    select j.id from {schema}.job j
    where j.id = any (ids) and wanted = (
      select q.tenant from {schema}.lane l join {schema}.queue q on q.id = l.queue where l.id = j.lane)
    order by j.id);
  for round in 1 .. 20 loop
    exit when cardinality(rest) = 0;
    hits := array(select r.id from {schema}.running r where r.id = any (rest) order by r.id for key share);
    hopeful := array(
      select r.id from unnest(rest) as g(id)
      cross join lateral (select j.lane, j.priority from {schema}.job j where j.id = g.id limit 1) j
      cross join lateral (
        select r.id from {schema}.ready r
        where r.lane = j.lane and r.priority = j.priority and r.id = g.id
        limit 1
        for key share
      ) r);
    hits := hits || array(select t.id from {schema}.later t where t.id = any (rest) order by t.id for key share);
    return query
      select h.id, null::smallint, false from unnest(hits) as h(id)
      union all
      select h.id, null, true from unnest(hopeful) as h(id);
    hits := hits || hopeful;
    ready := false;
    for held, outcome, expired in
      select d.id, d.state, d.expires_at <= moment from unnest(rest) as g(id)
      cross join lateral (select j.lane from {schema}.job j where j.id = g.id limit 1) j
      cross join lateral (
        select d.id, d.state, d.expires_at from {schema}.done d
        where d.lane = j.lane and d.id = g.id
        limit 1
        for key share
      ) d
    loop
      hits := hits || held;
      if not expired then
        return next;
      end if;
    end loop;
    rest := array(
      select g.id from unnest(rest) as g(id)
      where not exists (select 1 from unnest(hits) as h(id) where h.id = g.id)
      order by g.id);
  end loop;
end
$$;

-- All that cannot end before some jobs and batches do, those first: what waits for them, the batches that
-- these are in, what waits for those, and so on.
create function {schema}.behind(roots uuid[]) returns table (id uuid)
language sql stable
as $$
  with recursive walk as (
    select r.id from unnest(roots) as r(id)
    union
    select n.id from walk k cross join lateral (
      select w.id from {schema}.link l join {schema}.later w on w.id = l.successor
      where l.predecessor = k.id and l.open and w.waits is not null
      union all
      select w.batch from {schema}.later w where w.id = k.id and w.batch is not null
      union all
      select b.parent from {schema}.batch b where b.id = k.id and b.parent is not null
    ) n
  )
  select k.id from walk k
$$;

-- Adds to the counts of batches: one for each member that ended, or so many times minus one for each that is
-- no longer over.
create function {schema}.count_members(batches uuid[], states smallint[], times integer) returns void
language sql
as $$
  insert into {schema}.batch_count as c (batch, slot, completed, failed, cancelled)
  select h.batch, pg_backend_pid() % 16, times * count(*) filter (where h.state = 5),
    times * count(*) filter (where h.state in (6, 7)), times * count(*) filter (where h.state = 8)
  from unnest(batches, states) as h(batch, state)
  where h.batch is not null and exists (select 1 from {schema}.batch b where b.id = h.batch)
  group by h.batch
  order by h.batch
  on conflict (batch, slot) do update
  set completed = c.completed + excluded.completed, failed = c.failed + excluded.failed,
    cancelled = c.cancelled + excluded.cancelled
$$;

-- Lets go on what waits for those that ended, and counts these in their batches. Volatile, and called when
-- the rows of those that ended are deleted: each statement in it sees what was committed until then, links
-- of an insert that was waited for among them. Rows that wait are locked in the order of their ids; whoever
-- deletes one moves it, once. What is cancelled by its policy goes round again. Tells what became ready or has
-- a moment of its own to wait for, what was cancelled and in which lanes, whose queues are for the caller to
-- count, and which batches may be over once this is committed.
create function {schema}.wake(
  ended uuid[], states smallint[], batches uuid[], moment timestamptz,
  out ready uuid[], out planned boolean, out asked uuid[], out cancelled uuid[], out lanes integer[])
language plpgsql
as $$
declare
  ids uuid[] := ended;
  ends smallint[] := states;
  homes uuid[] := batches;
  fates smallint[] := states;
  waiting uuid[];
  some_ready uuid[];
  some_lanes integer[];
  some_homes uuid[];
  some_planned boolean;
begin
  ready := '{}';
  planned := false;
  asked := '{}';
  cancelled := '{}';
  lanes := '{}';
  while exists (select 1 from {schema}.link l where l.open and l.predecessor = any (ids)) loop
    waiting := array(
      select distinct l.successor from {schema}.link l where l.open and l.predecessor = any (ids) order by 1);
    perform 1 from {schema}.later w where w.id = any (waiting) order by w.id for update;

    with closed as (
      update {schema}.link l set open = false
      where l.ctid = any (array(
        select x.ctid from {schema}.link x where x.open and x.predecessor = any (ids)
        order by x.successor, x.place
        for update))
      returning l.successor, l.predecessor
    )
    update {schema}.later w set waits = w.waits - n.over, failed = w.failed + n.bad
    from (
      select c.successor, count(*) as over, count(*) filter (where e.state <> 5) as bad
      from closed c join unnest(ids, ends) as e(id, state) on e.id = c.predecessor
      group by c.successor
    ) n
    where w.id = n.successor and w.waits is not null;

    select t.ready, t.planned, t.cancelled, t.lanes, t.homes
    into some_ready, some_planned, waiting, some_lanes, some_homes
    from {schema}.take_turns(waiting, ids, ends, moment) t;
    ready := ready || some_ready;
    planned := planned or some_planned;
    cancelled := cancelled || waiting;
    lanes := lanes || some_lanes;
    ids := waiting;
    ends := array_fill(8::smallint, array[cardinality(ids)]);
    homes := homes || some_homes;
    fates := fates || ends;
  end loop;
  if cardinality(array_remove(homes, null)) > 0 then
    perform {schema}.count_members(homes, fates, 1);
    asked := array(
      select b.id from {schema}.batch b
      where b.id = any (homes) and b.ended_at is null and not b.open and b.total - (
        select sum(c.completed + c.failed + c.cancelled) from {schema}.batch_count c where c.batch = b.id
      ) <= 2000);
  end if;
end
$$;

-- Moves those of some waiting jobs whose turn it is: to be ready, to wait for a moment of their own, or to
-- their end, because of the first of these that ended and did not complete.
create function {schema}.take_turns(
  waiting uuid[], ids uuid[], ends smallint[], moment timestamptz,
  out ready uuid[], out planned boolean, out cancelled uuid[], out lanes integer[], out homes uuid[])
language plpgsql
as $$
begin
  update {schema}.later w set run_at = w.due_at, waits = null, failed = null, due_at = null
  where w.id = any (waiting) and w.waits = 0 and w.due_at > moment
    and case w.policy when 1 then w.failed = 0 when 3 then w.failed = 0 when 4 then w.failed > 0 else true end;
  planned := found;

  with gone as (
    delete from {schema}.later w
    where w.id = any (waiting) and w.waits is not null
      and case w.policy
        when 1 then w.waits = 0 or w.failed > 0
        when 3 then w.waits = 0 and w.failed = 0
        else w.waits = 0
      end
    returning w.*, w.policy = 1 and w.failed > 0 or w.policy = 4 and w.failed = 0 as dropped
  ),
  over as materialized (
    select g.*, c.place, c.predecessor, c.state
    from gone g
    left join lateral (
      select l.place, l.predecessor, e.state
      from {schema}.link l join unnest(ids, ends) as e(id, state) on e.id = l.predecessor
      where l.successor = g.id and e.state <> 5
      order by l.place
      limit 1
    ) c on g.policy = 1
    where g.dropped
  ),
  broken as (
    update {schema}.link l set broke = true from over o where l.successor = o.id and l.place = o.place
  ),
  soon as (
    insert into {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect, batch)
    select g.lane, g.priority, g.id, g.shelf, g.attempt, g.turn, g.replays, g.strikes, g.suspect, g.batch
    from gone g where not g.dropped
  ),
  kept as (
    insert into {schema}.done (shelf, id, job_shelf, lane, priority, state, attempt, turn, strikes, replays,
      finished_at, expires_at, reason)
    select {schema}.shelf_at('done', k.until), o.id, o.shelf, o.lane, o.priority, 8, o.attempt, o.turn,
      o.strikes, o.replays, moment, k.until,
      case
        when o.predecessor is null then 'all that it waits for completed'
        when exists (select 1 from {schema}.batch b where b.id = o.predecessor)
          then format('batch %s, which it waits for, failed', o.predecessor)
        else format('job %s, which it waits for, is %s', o.predecessor,
          case o.state when 6 then 'FAILED' when 7 then 'DEAD' else 'CANCELLED' end)
      end
    from over o
    cross join lateral (
      select moment + q.keep_dead_ms * interval '1 millisecond' as until
      from {schema}.lane l join {schema}.queue q on q.id = l.queue where l.id = o.lane
    ) k
  )
  select coalesce(array_agg(g.id) filter (where not g.dropped), '{}'),
    coalesce(array_agg(g.id order by g.id) filter (where g.dropped), '{}'),
    coalesce(array_agg(g.lane) filter (where g.dropped), '{}'),
    coalesce(array_agg(g.batch order by g.id) filter (where g.dropped), '{}')
  into take_turns.ready, take_turns.cancelled, take_turns.lanes, take_turns.homes
  from gone g;
end
$$;

-- Takes hold of batches and of those around them, so that none of them ends before what follows is written,
-- and says how they stand. Before anything else is held.
create function {schema}.hold_batches(ids uuid[]) returns table (held uuid, home uuid, outcome smallint)
language plpgsql
as $$
begin
  return query
    with recursive around as (
      select b.id, b.parent from {schema}.batch b where b.id = any (ids)
      union
      select b.id, b.parent from around a join {schema}.batch b on b.id = a.parent
    )
    select b.id, b.parent, b.state from {schema}.batch b
    where b.id = any (array(select a.id from around a))
    order by b.id
    for no key update;
end
$$;

-- Ends a batch that is closed and whose members are all over, and lets go on what waits for it. Whoever adds
-- a member or runs one again holds the batch, so that the counts which are read once it is held are right;
-- those read before spare all but the last the wait.
create function {schema}.end_batch(
  wanted uuid, moment timestamptz,
  out ended boolean, out ready uuid[], out planned boolean, out asked uuid[], out cancelled uuid[],
  out lanes integer[])
language plpgsql
as $$
declare
  good bigint;
  bad bigint;
  dropped bigint;
  home uuid;
  fate smallint;
begin
  perform 1 from {schema}.batch b
  where b.id = wanted and b.ended_at is null and not b.open and b.total = (
    select coalesce(sum(c.completed + c.failed + c.cancelled), 0)
    from {schema}.batch_count c where c.batch = wanted);
  ended := found;
  if not ended then
    return;
  end if;
  perform 1 from {schema}.batch b where b.id = wanted for no key update;
  select coalesce(sum(c.completed), 0), coalesce(sum(c.failed), 0), coalesce(sum(c.cancelled), 0)
  into good, bad, dropped
  from {schema}.batch_count c where c.batch = wanted;
  fate := case when bad > 0 then 7 when dropped > 0 then 8 else 5 end;
  update {schema}.batch b
  set ended_at = moment, expires_at = moment + b.keep_us * interval '1 microsecond', state = fate
  where b.id = wanted and b.ended_at is null and not b.open and b.total = good + bad + dropped
  returning b.parent into home;
  ended := found;
  if ended then
    select w.ready, w.planned, w.asked, w.cancelled, w.lanes
    into ready, planned, asked, cancelled, lanes
    from {schema}.wake(array[wanted], array[fate], array[home], moment) w;
  end if;
end
$$;

-- Takes back that jobs that are not over any more have ended. The batches they are in, which the caller holds,
-- are not over any more either, nor those around them; none of them counts any longer where it is a member; and
-- those wait for all of them again that still wait for others or are held. None of them had completed: what has
-- is not run again.
create function {schema}.wait_again(jobs uuid[], fates smallint[], homes uuid[]) returns void
language plpgsql
as $$
declare
  ids uuid[] := jobs;
  ends smallint[] := fates;
  places uuid[] := homes;
  above uuid[] := array_remove(homes, null);
  some_ids uuid[];
  some_ends smallint[];
begin
  while cardinality(above) > 0 loop
    select coalesce(array_agg(b.id), '{}'), coalesce(array_agg(b.state), '{}'), coalesce(array_agg(b.parent), '{}')
    into some_ids, some_ends, above
    from {schema}.batch b where b.id = any (above) and b.ended_at is not null;
    update {schema}.batch b set ended_at = null, expires_at = null, state = null where b.id = any (some_ids);
    ids := ids || some_ids;
    ends := ends || some_ends;
    places := places || above;
    above := array_remove(above, null);
  end loop;

  update {schema}.link l set broke = false where l.successor = any (jobs) and l.broke;
  perform 1 from {schema}.later w
  where w.id = any (array(
      select l.successor from {schema}.link l where l.predecessor = any (ids) and not l.open))
    and w.waits is not null
  order by w.id
  for update;

  with opened as (
    update {schema}.link l set open = true
    where l.predecessor = any (ids) and not l.open and exists (
      select 1 from {schema}.later w where w.id = l.successor and w.waits is not null)
    returning l.successor
  )
  update {schema}.later w set waits = w.waits + n.more, failed = w.failed - n.more
  from (select o.successor, count(*) as more from opened o group by o.successor) n
  where w.id = n.successor;

  if cardinality(array_remove(places, null)) > 0 then
    perform {schema}.count_members(places, ends, -1);
  end if;
end
$$;

-- Has jobs that their policy cancelled wait again, each for so many, by the links that are named one by one. None
-- of the others they wait for has failed, and the caller holds all of them, and the batches. Those that wait for
-- none become ready.
create function {schema}.come_back(
  jobs uuid[], lanes integer[], homes uuid[], missing integer[], successors uuid[], places integer[],
  moment timestamptz,
  out ready uuid[], out planned boolean)
language plpgsql
as $$
begin
  update {schema}.link l set open = false, broke = false
  where l.successor = any (jobs) and (l.open or l.broke);
  update {schema}.link l set open = true
  from unnest(successors, places) as g(successor, place)
  where l.successor = g.successor and l.place = g.place;

  with place as materialized (
    select d.shelf, d.lane, d.id, g.home, g.waits
    from unnest(jobs, lanes, homes, missing) as g(id, lane, home, waits)
    cross join lateral (
      select d.shelf, d.lane, d.id from {schema}.done d where d.lane = g.lane and d.id = g.id limit 1
    ) d
  ),
  gone as (
    delete from {schema}.done d using place p
    where d.shelf = p.shelf and d.lane = p.lane and d.id = p.id
    returning d.*, p.home, p.waits
  ),
  late as (
    insert into {schema}.later (id, lane, run_at, shelf, attempt, turn, replays, priority, strikes, kind,
      suspect, batch, waits, failed, policy)
    select g.id, g.lane, 'infinity', g.job_shelf, 0, g.turn, g.replays, g.priority, 0, 1,
      0, g.home, g.waits, 0, 1
    from gone g
  )
  insert into {schema}.expiry (id, look_at, lane, priority)
  select j.id, j.expires_at, j.lane, j.priority
  from gone g join {schema}.job j on j.shelf = g.job_shelf and j.id = g.id
  where j.expires_at > moment
  on conflict (id) do nothing;

  perform {schema}.wait_again(jobs, array_fill(8::smallint, array[cardinality(jobs)]), homes);
  select t.ready, t.planned into come_back.ready, come_back.planned
  from {schema}.take_turns(jobs, '{}', '{}', moment) t;
end
$$;

-- A job that names this one or this batch as a predecessor and is not over. Volatile, so that it sees the links of an
-- insert that held the predecessor before.
create function {schema}.needing(wanted uuid) returns uuid
language sql
as $$
  select l.successor from {schema}.link l
  cross join lateral (
    select j.lane from {schema}.job j where j.shelf = l.shelf and j.id = l.successor limit 1
  ) j
  where l.predecessor = wanted and not exists (
    select 1 from {schema}.done d where d.lane = j.lane and d.id = l.successor)
  limit 1
$$;

-- Connections that each draw numbers ahead would mix up the lines of one job.
alter sequence {schema}.job_log_seq cache 1;
