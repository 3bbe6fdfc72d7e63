-- A job with what became of it so far, in one row. The lateral joins with a limit leave the planner
-- only one way: an index probe per job, whatever it believes about the sizes of the tables.
create view {schema}.job_view as
select
  j.shelf, j.id, j.lane, q.id as queue_id, q.tenant, q.name as queue, l.type, l.url_group, l.limit_key,
  j.priority, j.created_at, j.timeout_ms, j.expires_at, j.idempotency_key, j.metadata, j.retry, j.payload,
  j.cost,
  s.state, s.attempt, s.strikes, s.replays, s.run_at, s.started_at, s.finished_at, s.kept_until, s.worker,
  s.own_lease, s.result, s.reason
from {schema}.job j
join {schema}.lane l on l.id = j.lane
join {schema}.queue q on q.id = l.queue
cross join lateral (
  select u.* from (
    select 2::smallint as state, r.attempt, r.strikes, r.replays, null::timestamptz as run_at,
      null::timestamptz as started_at, null::timestamptz as finished_at, null::timestamptz as kept_until,
      null::bigint as worker, null::timestamptz as own_lease, null::json as result, null::text as reason
    from {schema}.ready r
    where r.lane = j.lane and r.priority = j.priority and r.id = j.id
    union all
    select t.kind, t.attempt, t.strikes, t.replays, t.run_at, null, null, null, null, null, null, null
    from {schema}.later t
    where t.id = j.id
    union all
    select 3, u.attempt, u.strikes, u.replays, null, u.claimed_at, null, null, u.worker, u.lease_until,
      null, null
    from {schema}.running u
    where u.id = j.id
    union all
    select d.state, d.attempt, d.strikes, d.replays, null, d.started_at, d.finished_at, d.expires_at,
      null, null, d.result, d.reason
    from {schema}.done d
    where d.id = j.id and d.lane = j.lane
  ) u
  limit 1
) s;

-- The shelf for a moment: its day when that day has a partition, otherwise 0.
create function {schema}.shelf_at(kind text, moment timestamptz) returns integer
language sql stable
set search_path = {schema}, pg_catalog
as $$
  select coalesce(
    (select s.day from shelf s
     where s.kind = shelf_at.kind and s.day = floor(extract(epoch from moment) / 86400)::integer),
    0)
$$;

-- Makes the partitions of one day. Attaching, unlike creating in place, stops no reader or writer.
create function {schema}.make_shelf(kind text, day integer) returns boolean
language plpgsql
set search_path = {schema}, pg_catalog
set lock_timeout = '5s'
as $$
declare
  parent text;
begin
  perform pg_advisory_xact_lock(hashtext('sluice shelf'), hashtext('{schema}'));
  if exists (select 1 from shelf s where s.kind = make_shelf.kind and s.day = make_shelf.day) then
    return false;
  end if;
  foreach parent in array
    case kind when 'job' then array['job', 'job_error', 'job_log', 'job_progress'] else array['done'] end
  loop
    execute format('create table if not exists %I (like %I including all)', parent || '_' || day, parent);
    execute format('alter table %I attach partition %I for values in (%s)', parent, parent || '_' || day, day);
  end loop;
  insert into shelf values (kind, day);
  return true;
end
$$;

-- An id of version 7: milliseconds, then the fraction of the millisecond, then chance.
create function {schema}.uuid7() returns uuid
language sql volatile
set search_path = pg_catalog
as $$
  select (lpad(to_hex(micros / 1000), 12, '0')
      || '7' || lpad(to_hex((micros % 1000) * 4096 / 1000), 3, '0')
      || substr(encode(uuid_send(gen_random_uuid()), 'hex'), 17))::uuid
  from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as micros) t
$$;

-- The queue that jobs are to go into; the one named default comes into being when asked for.
create function {schema}.queue_for(wanted_tenant text, wanted text, moment timestamptz default now())
returns {schema}.queue
language plpgsql
set search_path = {schema}, pg_catalog
as $$
declare
  found_queue queue;
begin
  select q.* into found_queue from queue q where q.tenant = wanted_tenant and q.name = wanted and not q.gone;
  if found_queue.id is null and wanted = 'default' then
    insert into queue (tenant, name, created_at, updated_at, keep_completed_ms, keep_dead_ms)
    values (wanted_tenant, wanted, moment, moment, 86400000, 604800000)
    on conflict (tenant, name) do update
    set gone = false,
      uid = case when queue.gone then excluded.uid else queue.uid end,
      created_at = case when queue.gone then excluded.created_at else queue.created_at end
    returning * into found_queue;
  end if;
  if found_queue.id is null then
    raise exception 'NOT_FOUND: tenant % has no queue ''%''', wanted_tenant, wanted using errcode = 'P0002';
  end if;
  return found_queue;
end
$$;

create function {schema}.lane_for(wanted_queue integer, wanted_type text, wanted_group text, wanted_key text)
returns integer
language plpgsql
set search_path = {schema}, pg_catalog
as $$
declare
  found_lane integer;
begin
  loop
    select l.id into found_lane from lane l
    where l.queue = wanted_queue and l.type = wanted_type and l.url_group = wanted_group
      and l.limit_key = wanted_key;
    if found_lane is not null then
      return found_lane;
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

-- Takes a job from plain SQL, in the caller's transaction. Answers the id of the job that has the key
-- when the key is known.
create function {schema}.enqueue(
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
  held bigint;
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
  -- Counted last: whoever sets a cap or deletes the queue holds the tables written above.
  update queue_size s set unfinished = s.unfinished + 1 where s.queue = home.id returning s.unfinished into held;
  select q.* into home from queue q where q.id = home.id;
  if home.gone then
    raise exception 'NOT_FOUND: tenant % has no queue ''%''', home.tenant, home.name using errcode = 'P0002';
  end if;
  if held > home.max_size then
    raise exception 'QUEUE_FULL: queue ''%'' holds as many unfinished jobs as it may', home.name
      using errcode = '53400';
  end if;
  return new_id;
end
$$;
