-- As before, but with jobs and links looked up by their ids, whatever the tables were like when the plan was made.
-- A join of what was found to all that waits goes through all of it where little waited when somebody last
-- counted, and so does a walk along an index for the sake of its order. So rows are locked in the order of a
-- sorted array, or sorted by a row of columns, which no index has; and waiting jobs for which as many have
-- ended are told of it together.

create or replace function {schema}.wake(
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
  failures uuid[];
  news record;
begin
  ready := '{}';
  planned := false;
  asked := '{}';
  cancelled := '{}';
  lanes := '{}';
  while exists (select 1 from {schema}.link l where l.open and l.predecessor = any (ids)) loop
    waiting := array(
      select distinct l.successor from (
        select l.successor from {schema}.link l where l.open and l.predecessor = any (ids) offset 0
      ) l
      order by 1);
    perform 1 from unnest(waiting) as g(id)
    cross join lateral (
      select 1 from {schema}.later w where w.id = g.id limit 1 for update
    ) w;

    failures := array(select e.id from unnest(ids, ends) as e(id, state) where e.state <> 5);
    for news in
      with closed as (
        update {schema}.link l set open = false
        where l.ctid = any (array(
          select x.ctid from {schema}.link x where x.open and x.predecessor = any (ids)
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
      update {schema}.later w set waits = w.waits - news.over, failed = w.failed + news.bad
      where w.id = any (news.successors) and w.waits is not null;
    end loop;

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
