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

-- A lane that has no jobs is closed, and removed some time later unless jobs came for it. Whoever knows its number by
-- heart learns of it by the epoch, which every insert compares.
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
