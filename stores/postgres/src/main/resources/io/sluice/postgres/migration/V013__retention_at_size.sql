-- Retention, figures and lists whose cost does not depend on how much is kept.

-- Outcomes that may be kept longer than the bodies' day: those of a job that ended within a day of its creation
-- and is kept for a day are not in this index, so most jobs cost no entry.
create index done_outlives on {schema}.done (job_shelf, lane, id) where shelf = 0 or shelf - job_shelf > 1;

-- What one process at a time does now and then, for all: when it was begun last, and when it ended.
create table {schema}.duty (
  name text primary key,
  begun_at timestamptz not null,
  ended_at timestamptz
);

-- Keeps what some jobs that are not over name as their predecessors for two days from now when it would go within
-- one: outcomes, on shelf 0, and batches.
create function {schema}.keep_needed(successors uuid[], moment timestamptz) returns void
language sql
as $$
  with needed as materialized (
    select distinct l.predecessor as id from unnest(successors) as s(id)
    cross join lateral (select l.predecessor from {schema}.link l where l.successor = s.id offset 0) l
  ),
  kept as (
    update {schema}.done d set shelf = 0, expires_at = moment + interval '2 days'
    from (
      select x.lane, x.id, x.shelf
      from needed n
      cross join lateral (select j.lane from {schema}.job j where j.id = n.id limit 1) j
      cross join lateral (
        select d.lane, d.id, d.shelf, d.expires_at from {schema}.done d
        where d.lane = j.lane and d.id = n.id
        limit 1
        for update skip locked
      ) x
    ) x
    where d.lane = x.lane and d.id = x.id and d.shelf = x.shelf and d.expires_at < moment + interval '1 day'
  )
  update {schema}.batch b set expires_at = moment + interval '2 days'
  where b.id = any (array(select n.id from needed n)) and b.expires_at < moment + interval '1 day'
$$;

-- What is to be looked at goes with the body of its job, which lies on this shelf.
alter table {schema}.expiry add column shelf integer;
update {schema}.expiry e set shelf = coalesce((select j.shelf from {schema}.job j where j.id = e.id limit 1), 0);
alter table {schema}.expiry alter column shelf set not null;

-- The moment of its own that a job was planned for which waits for others as well.
alter table {schema}.job add column planned_for timestamptz;

-- As before, but a job that comes back waits for its own moment, too.
create or replace function {schema}.come_back(
  jobs uuid[], lanes integer[], homes uuid[], missing integer[], successors uuid[], places integer[],
  moment timestamptz,
  out ready uuid[], out planned boolean)
language plpgsql
as $$
begin
  update {schema}.link l set open = false, broke = false
  where l.successor = any (jobs) and (l.open or l.broke);
  update {schema}.link l set open = true
  where l.successor = any (successors) and ((l.successor, l.place) in (
    select g.successor, g.place from unnest(successors, places) as g(successor, place))) is true;

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
      suspect, batch, waits, failed, policy, due_at)
    select g.id, g.lane, 'infinity', g.job_shelf, 0, g.turn, g.replays, g.priority, 0, 1,
      0, g.home, g.waits, 0, 1, (
        select j.planned_for from {schema}.job j where j.shelf = g.job_shelf and j.id = g.id)
    from gone g
  )
  insert into {schema}.expiry (id, look_at, lane, priority, shelf)
  select j.id, j.expires_at, j.lane, j.priority, j.shelf
  from gone g join {schema}.job j on j.shelf = g.job_shelf and j.id = g.id
  where j.expires_at > moment
  on conflict (id) do nothing;

  insert into {schema}.job_order (id, queue, limit_key, lane, priority, waiting)
  select w.id, q.id, l.limit_key, w.lane, w.priority, true
  from unnest(jobs) as g(id)
  cross join lateral (select w.id, w.lane, w.priority from {schema}.later w where w.id = g.id limit 1) w
  join {schema}.lane l on l.id = w.lane
  join {schema}.queue q on q.id = l.queue
  where q.ordered <> 'NONE'
  on conflict (id) do update set waiting = true;

  perform {schema}.wait_again(jobs, array_fill(8::smallint, array[cardinality(jobs)]), homes);
  select t.ready, t.planned into come_back.ready, come_back.planned
  from {schema}.take_turns(jobs, '{}', '{}', moment) t;
end
$$;

-- As of when a rate is used so far: a clock that is before that was set back.
alter table {schema}.flow_bucket add column as_of timestamptz not null default 'epoch';
alter table {schema}.flow_bucket alter column as_of drop default;

-- What a limit or an order covers whose running jobs are yet to be counted, and since which version of the rules.
-- Nothing under it is claimed meanwhile. Of limit keys, those of the whole tenant are.
create table {schema}.flow_pending (
  kind text not null,
  tenant text not null,
  name text not null,
  version bigint not null,
  primary key (kind, tenant, name)
);

-- A lane that has no jobs is closed, and removed some time later unless jobs came for it. A process
-- that has its number in the cache finds out by the epoch, which every insert compares.
alter table {schema}.lane add column closed bigint;
create index lane_closed on {schema}.lane (id) where closed is not null;

create table {schema}.lane_epoch (
  one boolean primary key default true check (one),
  epoch bigint not null,
  marker bigint not null
);

insert into {schema}.lane_epoch (epoch, marker) values (1, 0);

create or replace function {schema}.lane_for(
  wanted_queue integer, wanted_type text, wanted_group text, wanted_key text)
returns integer
language plpgsql
set search_path = {schema}, pg_catalog
as $$
declare
  found_lane integer;
  closed_by bigint;
begin
  loop
    select l.id, l.closed into found_lane, closed_by from lane l
    where l.queue = wanted_queue and l.type = wanted_type and l.url_group = wanted_group
      and l.limit_key = wanted_key;
    if found_lane is not null and closed_by is null then
      if current_setting('transaction_isolation') <> 'read committed' then
        -- With a snapshot of before, it may be gone by now: then this fails.
        perform 1 from lane l where l.id = found_lane for key share;
      end if;
      return found_lane;
    end if;
    if found_lane is not null then
      update lane l set closed = null where l.id = found_lane;
      if found then
        return found_lane;
      end if;
    end if;
    insert into lane (queue, type, url_group, limit_key)
    values (wanted_queue, wanted_type, wanted_group, wanted_key)
    on conflict do nothing
    returning id into found_lane;
    if found_lane is not null then
      return found_lane;
    end if;
  end loop;
end
$$;

-- The jobs of ordered queues, by the number that each was given when it came in: what was acknowledged earlier has a
-- lower one, whatever the clocks of producers say. Jobs of other queues are not here. One that waits has not been ready
-- yet, or was found to have ended. Rows go when the outcome has gone.
create table {schema}.job_order (
  id uuid primary key,
  queue integer not null,
  limit_key text not null,
  seq bigint generated always as identity (cache 1),
  lane integer not null,
  priority smallint not null,
  waiting boolean not null
) with (fillfactor = 80);

create index job_order_queue on {schema}.job_order (queue, seq) where not waiting;
create index job_order_key on {schema}.job_order (queue, limit_key, seq) where not waiting;

insert into {schema}.job_order (id, queue, limit_key, lane, priority, waiting)
select s.id, q.id, l.limit_key, l.id, s.priority, s.waiting
from (
  select r.id, r.lane, r.priority, false as waiting from {schema}.ready r
  union all
  select t.id, t.lane, t.priority, t.turn = 0 from {schema}.later t
  union all
  select r.id, r.lane, r.priority, false from {schema}.running r
) s
join {schema}.lane l on l.id = s.lane
join {schema}.queue q on q.id = l.queue
where q.ordered <> 'NONE'
order by s.id;

-- As before, but a job of an ordered queue has its turn when it becomes ready.
create or replace function {schema}.take_turns(
  waiting uuid[], ids uuid[], ends smallint[], moment timestamptz,
  out ready uuid[], out planned boolean, out cancelled uuid[], out lanes integer[], out homes uuid[])
language plpgsql
as $$
declare
  failures uuid[] := array(select e.id from unnest(ids, ends) as e(id, state) where e.state <> 5);
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
    select g.*, c.place, c.predecessor, ends[array_position(ids, c.predecessor)] as state
    from gone g
    left join lateral (
      select l.place, l.predecessor from {schema}.link l
      where l.successor = g.id and l.predecessor = any (failures)
      order by l.place
      limit 1
    ) c on g.policy = 1
    where g.dropped
  ),
  broken as (
    update {schema}.link l set broke = true
    where l.successor = any (array(select o.id from over o)) and ((l.successor, l.place) in (
      select o.id, o.place from over o)) is true
  ),
  soon as (
    insert into {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect, batch)
    select g.lane, g.priority, g.id, g.shelf, g.attempt, g.turn, g.replays, g.strikes, g.suspect, g.batch
    from gone g where not g.dropped
  ),
  ordered as (
    update {schema}.job_order o set waiting = false
    where o.id = any (array(select g.id from gone g where not g.dropped)) and (select true from {schema}.job_order limit 1)
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

-- Takes a job from plain SQL, in the caller's transaction. Answers the id of the job that has the key
-- when the key is known.
create or replace function {schema}.enqueue(
  type text,
  payload jsonb default '{}',
  queue text default 'default',
  tenant text default 'default',
  priority integer default 10,
  run_at timestamptz default now(),
  idempotency_key text default null,
  metadata jsonb default '{}')
returns uuid
language plpgsql
set search_path = {schema}, pg_catalog
as $$
#variable_conflict use_column
declare
  home queue;
  home_lane integer;
  home_shelf integer := shelf_at('job', now());
  new_id uuid := uuid7();
  known uuid;
  alive boolean;
begin
  if enqueue.type is null or enqueue.type !~ '^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$' then
    raise exception 'INVALID_MESSAGE: type must be 1 to 128 of A-Z a-z 0-9 . _ : / -' using errcode = '22023';
  end if;
  if enqueue.tenant is null or enqueue.tenant !~ '^[a-z0-9][a-z0-9._-]{0,63}$' then
    raise exception 'INVALID_MESSAGE: tenant must be 1 to 64 of a-z 0-9 . _ -' using errcode = '22023';
  end if;
  if enqueue.priority is null or enqueue.priority not between 0 and 20 then
    raise exception 'INVALID_MESSAGE: priority must be 0 to 20' using errcode = '22023';
  end if;
  if enqueue.payload is null or octet_length(enqueue.payload::text) > 1048576 then
    raise exception 'INVALID_MESSAGE: payload must be given and at most 1 MiB' using errcode = '22023';
  end if;
  if enqueue.idempotency_key = '' or length(enqueue.idempotency_key) > 512 then
    raise exception 'INVALID_MESSAGE: idempotency_key must be 1 to 512 characters' using errcode = '22023';
  end if;
  home := queue_for(enqueue.tenant, enqueue.queue);
  home_lane := lane_for(home.id, enqueue.type, '', '');

  if enqueue.idempotency_key is not null then
    loop
      insert into idempotency (queue, key, id, shelf)
      values (home.id, enqueue.idempotency_key, new_id, home_shelf)
      on conflict do nothing;
      exit when found;
      select i.id,
        exists (
          select 1 from job_view v
          where v.shelf = i.shelf and v.id = i.id and (v.kept_until is null or v.kept_until > now()))
      into known, alive
      from idempotency i where i.queue = home.id and i.key = enqueue.idempotency_key;
      if alive then
        return known;
      end if;
      update idempotency i set id = new_id, shelf = home_shelf
      where i.queue = home.id and i.key = enqueue.idempotency_key and i.id = known;
      exit when found;
    end loop;
  end if;

  insert into job (shelf, id, lane, priority, created_at, idempotency_key, metadata, payload)
  values (home_shelf, new_id, home_lane, enqueue.priority, now(), enqueue.idempotency_key,
    nullif(enqueue.metadata, '{}'), enqueue.payload::text::json);
  if enqueue.run_at is null or enqueue.run_at <= now() then
    insert into ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect)
    values (home_lane, enqueue.priority, new_id, home_shelf, 0, 0, 0, 0, 0);
    perform pg_notify('{channel}', 'w');
  else
    insert into later (id, lane, run_at, shelf, attempt, turn, replays, priority, strikes, kind, suspect)
    values (new_id, home_lane, enqueue.run_at, home_shelf, 0, 0, 0, enqueue.priority, 0, 1, 0);
    perform pg_notify('{channel}', 'l');
  end if;
  if home.ordered <> 'NONE' then
    insert into job_order (id, queue, limit_key, lane, priority, waiting)
    values (new_id, home.id, '', home_lane, enqueue.priority, enqueue.run_at > now());
  end if;
  -- Counted last: setting a cap and deleting the queue lock the tables written above.
  perform take_room(home.id);
  return new_id;
end
$$;
