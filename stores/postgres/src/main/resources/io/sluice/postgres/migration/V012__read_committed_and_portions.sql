-- As before, but refuses a transaction that may not see a cap which was set after it began.
create or replace function {schema}.take_room(wanted integer) returns void
language plpgsql
set search_path = {schema}, pg_catalog
as $$
declare
  home queue;
  cap tenant_cap;
  held bigint;
begin
  if current_setting('transaction_isolation') not like 'read %' then
    raise exception 'BAD_CONFIGURATION: a transaction that writes jobs must be READ COMMITTED'
      using errcode = '25001';
  end if;
  select q.* into home from queue q where q.id = wanted;
  if home.gone then
    raise exception 'NOT_FOUND: tenant % has no queue ''%''', home.tenant, home.name using errcode = 'P0002';
  end if;
  if home.tenant_capped then
    update tenant_cap c set taken = c.taken + 1 where c.tenant = home.tenant returning c.* into cap;
    select cap.taken - coalesce(sum(z.ended), 0) into held
    from queue q join queue_size z on z.queue = q.id where q.tenant = home.tenant;
    if held > cap.max_size then
      raise exception 'QUEUE_FULL: tenant ''%'' holds, in all its queues, as many unfinished jobs as it may: %',
        home.tenant, cap.max_size using errcode = '53400';
    end if;
  end if;
  if home.max_size is not null then
    update queue_taken t set taken = t.taken + 1 where t.queue = home.id returning t.taken into held;
    select held - z.ended into held from queue_size z where z.queue = home.id;
    if held > home.max_size then
      raise exception 'QUEUE_FULL: queue ''%'' of tenant ''%'' holds as many unfinished jobs as it may: %',
        home.name, home.tenant, home.max_size using errcode = '53400';
    end if;
  end if;
end
$$;

-- True unless the transaction that wrote a row, of which this is the xmin, is under way: for rows that one
-- sees, unless it is this one or a part of it. The number of a transaction lacks its upper half, which is
-- that of now or the one before; of those that are long gone nothing is known, and they are no longer under way.
create function {schema}.is_committed(writer xid) returns boolean
language sql stable
as $$
  select pg_xact_status(w.id::text::xid8) is distinct from 'in progress'
  from (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as id) n
  cross join lateral (select n.id / 4294967296 * 4294967296 + writer::text::bigint as id) c
  cross join lateral (select case when c.id > n.id + 2147483648 then c.id - 4294967296 else c.id end as id) w
$$;

-- Jobs and batches that are over and for which more wait than one statement lets go on, with the state in
-- which they ended. Those that still have to hear of it are those with an open link; an engine's duty tells
-- them, a portion at a time. Who runs such a job again removes it here first.
create table {schema}.waking (
  predecessor uuid primary key,
  state smallint not null,
  looked_at timestamptz not null
);

-- Starts the successors of jobs that ended: at most "most" links, and "wake_more" does the rest. Each statement sees what
-- was committed before it, so also the links of an insert that it waited for. Waiting rows are locked in the order of
-- their ids, and the transaction that deletes one moves it, once. Jobs that are cancelled by their policy are the ended
-- jobs of the next round. With "jobs", the first round is about these successors only. Without "patient", successors
-- that somebody else has locked are left to "wake_more". Links are looked up by successor, whatever the statistics say.
create function {schema}.wake_links(
  ended uuid[], states smallint[], jobs uuid[], most integer, patient boolean, moment timestamptz,
  out ready uuid[], out planned boolean, out cancelled uuid[], out lanes integer[], out homes uuid[],
  out fates smallint[], out links bigint)
language plpgsql
as $$
declare
  ids uuid[] := ended;
  ends smallint[] := states;
  chosen uuid[] := jobs;
  room integer := most;
  many boolean;
  waiting uuid[];
  sought integer;
  some_ready uuid[];
  some_lanes integer[];
  some_homes uuid[];
  some_planned boolean;
  failures uuid[];
  news record;
begin
  ready := '{}';
  planned := false;
  cancelled := '{}';
  lanes := '{}';
  homes := '{}';
  fates := '{}';
  links := 0;
  while cardinality(ids) > 0 loop
    if chosen is null then
      waiting := array(
        select l.successor from {schema}.link l where l.open and l.predecessor = any (ids) limit room + 1);
      many := cardinality(waiting) > room;
      waiting := array(select distinct w.id from unnest(waiting[1:room]) as w(id) order by 1);
    else
      waiting := array(
        select distinct l.successor from {schema}.link l
        where l.successor = any (chosen) and (l.open and l.predecessor = any (ids)) is true
        order by 1);
      many := false;
    end if;
    exit when cardinality(waiting) = 0 and not many;
    if patient then
      perform 1 from unnest(waiting) as g(id)
      cross join lateral (
        select 1 from {schema}.later w where w.id = g.id limit 1 for update
      ) w;
    else
      sought := cardinality(waiting);
      waiting := array(
        select g.id from unnest(waiting) as g(id)
        where not exists (select 1 from {schema}.later w where w.id = g.id)
        union
        select w.id from unnest(waiting) as g(id)
        cross join lateral (
          select w.id from {schema}.later w where w.id = g.id limit 1 for update skip locked
        ) w
        order by 1);
      many := many or cardinality(waiting) < sought;
    end if;

    failures := array(select e.id from unnest(ids, ends) as e(id, state) where e.state <> 5);
    for news in
      with closed as (
        update {schema}.link l set open = false
        where l.ctid = any (array(
          select x.ctid from {schema}.link x
          where x.successor = any (waiting) and (x.open and x.predecessor = any (ids)) is true
          order by (x.successor, x.place)
          for update))
        returning l.successor, l.predecessor = any (failures) as bad
      )
      select n.over, n.bad, array_agg(n.successor) as successors
      from (
        select c.successor, count(*) as over, count(*) filter (where c.bad) as bad
        from closed c group by c.successor
      ) n
      group by n.over, n.bad
    loop
      links := links + news.over * cardinality(news.successors);
      update {schema}.later w set waits = w.waits - news.over, failed = w.failed + news.bad
      where w.id = any (news.successors) and w.waits is not null;
    end loop;
    room := greatest(0, most - links);

    if many then
      insert into {schema}.waking as k (predecessor, state, looked_at)
      select e.id, e.state, clock_timestamp() from unnest(ids, ends) as e(id, state)
      where exists (select 1 from {schema}.link l where l.open and l.predecessor = e.id)
      on conflict (predecessor) do update set state = excluded.state, looked_at = excluded.looked_at;
    end if;

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
    chosen := null;
  end loop;
end
$$;

-- Counts members that ended in their batches, and says which of these may be over once this is committed.
create function {schema}.count_ended(homes uuid[], fates smallint[]) returns uuid[]
language plpgsql
as $$
begin
  if coalesce(cardinality(array_remove(homes, null)), 0) = 0 then
    return '{}';
  end if;
  perform {schema}.count_members(homes, fates, 1);
  return array(
    select b.id from {schema}.batch b
    where b.id = any (homes) and b.ended_at is null and not b.open and b.total - (
      select sum(c.completed + c.failed + c.cancelled) from {schema}.batch_count c where c.batch = b.id
    ) <= 2000);
end
$$;

-- As before, but at most 5,000 links of all that ended, and without waiting for anybody where "patient" is false. Where
-- the batches of some of those that ended are left out, all ended alike.
drop function {schema}.wake(uuid[], smallint[], uuid[], timestamptz);

create function {schema}.wake(
  ended uuid[], states smallint[], batches uuid[], moment timestamptz, patient boolean default true,
  out ready uuid[], out planned boolean, out asked uuid[], out cancelled uuid[], out lanes integer[])
language plpgsql
as $$
declare
  counted uuid[] := coalesce(batches, '{}');
  as_what smallint[] := states[1:cardinality(counted)];
begin
  ready := '{}';
  planned := false;
  asked := '{}';
  cancelled := '{}';
  lanes := '{}';
  if exists (select 1 from {schema}.link l where l.open and l.predecessor = any (ended)) then
    select w.ready, w.planned, w.cancelled, w.lanes, counted || w.homes, as_what || w.fates
    into ready, planned, cancelled, lanes, counted, as_what
    from {schema}.wake_links(ended, states, null, 5000, patient, moment) w;
  end if;
  if cardinality(array_remove(counted, null)) > 0 then
    asked := {schema}.count_ended(counted, as_what);
  end if;
end
$$;

-- Has those count that were over before some jobs came which wait for them.
create function {schema}.wake_new(
  ended uuid[], states smallint[], jobs uuid[], moment timestamptz,
  out ready uuid[], out planned boolean, out asked uuid[], out cancelled uuid[], out lanes integer[])
language plpgsql
as $$
declare
  homes uuid[];
  fates smallint[];
begin
  select w.ready, w.planned, w.cancelled, w.lanes, w.homes, w.fates
  into ready, planned, cancelled, lanes, homes, fates
  from {schema}.wake_links(ended, states, jobs, 5000, true, moment) w;
  asked := {schema}.count_ended(homes, fates);
end
$$;

-- Starts at most "most" of the successors that one finished job has left. Takes the job that was looked at longest ago
-- and is not locked, and returns how many links it closed.
create function {schema}.wake_more(
  most integer, moment timestamptz,
  out links bigint, out ready uuid[], out planned boolean, out asked uuid[], out cancelled uuid[],
  out lanes integer[])
language plpgsql
as $$
declare
  one {schema}.waking;
  homes uuid[];
  fates smallint[];
begin
  links := 0;
  select k.* into one from {schema}.waking k
  order by k.looked_at, k.predecessor limit 1 for update skip locked;
  if one.predecessor is null then
    return;
  end if;
  select w.links, w.ready, w.planned, w.cancelled, w.lanes, w.homes, w.fates
  into links, ready, planned, cancelled, lanes, homes, fates
  from {schema}.wake_links(array[one.predecessor], array[one.state], null, most, false, moment) w;
  asked := {schema}.count_ended(homes, fates);
  if exists (select 1 from {schema}.link l where l.open and l.predecessor = one.predecessor) then
    update {schema}.waking k set looked_at = clock_timestamp() where k.predecessor = one.predecessor;
  else
    delete from {schema}.waking k where k.predecessor = one.predecessor;
  end if;
end
$$;

-- As before, but first of all nobody tells more jobs that these have ended.
create or replace function {schema}.wait_again(jobs uuid[], fates smallint[], homes uuid[]) returns void
language plpgsql
as $$
declare
  ids uuid[] := jobs;
  ends smallint[] := fates;
  places uuid[] := homes;
  above uuid[] := array_remove(homes, null);
  some_ids uuid[];
  some_ends smallint[];
  news record;
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

  -- Those that have not heard of the end wait on as they did.
  delete from {schema}.waking k where k.predecessor = any (ids);
  update {schema}.link l set broke = false where l.successor = any (jobs) and l.broke;
  perform 1 from unnest(array(
    select distinct l.successor from (
      select l.successor from {schema}.link l where l.predecessor = any (ids) and not l.open offset 0
    ) l
    order by 1)) as g(id)
  cross join lateral (
    select 1 from {schema}.later w where w.id = g.id and w.waits is not null limit 1 for update
  ) w;

  for news in
    with opened as (
      update {schema}.link l set open = true
      where l.predecessor = any (ids) and not l.open and (
        select w.waits from {schema}.later w where w.id = l.successor) is not null
      returning l.successor
    )
    select n.more, array_agg(n.successor) as successors
    from (select o.successor, count(*) as more from opened o group by o.successor) n
    group by n.more
  loop
    update {schema}.later w set waits = w.waits + news.more, failed = w.failed - news.more
    where w.id = any (news.successors);
  end loop;

  if cardinality(array_remove(places, null)) > 0 then
    perform {schema}.count_members(places, ends, -1);
  end if;
end
$$;
