-- What comes in and what ends is counted in rows of its own, so that neither waits for the other: the
-- unfinished jobs of a queue are those taken less those ended, and a count of ended ones that is a moment
-- old only makes it look fuller than it is.

alter table {schema}.queue_size rename column unfinished to ended;

-- The jobs that a capped queue has taken; a queue without a cap of its own has no row.
create table {schema}.queue_taken (
  queue integer primary key references {schema}.queue,
  taken bigint not null
) with (fillfactor = 50);

insert into {schema}.queue_taken (queue, taken) select s.queue, s.ended from {schema}.queue_size s;
update {schema}.queue_size set ended = 0;

-- The jobs that a capped tenant has taken, in all its queues. What ended of them is in their rows of
-- queue_size: every queue of such a tenant has one, whether it is capped itself, or deleted, or not.
create table {schema}.tenant_cap (
  tenant text primary key,
  max_size bigint not null,
  warning_level double precision,
  high_level double precision,
  taken bigint not null
) with (fillfactor = 50);

alter table {schema}.queue
  add column warning_level double precision,
  add column high_level double precision,
  add column tenant_capped boolean not null default false;

-- Has a queue that was just made counted, when its tenant is capped.
create function {schema}.follow_cap(made integer) returns boolean
language plpgsql
set search_path = {schema}, pg_catalog
as $$
begin
  update queue q set tenant_capped = true
  where q.id = made and not q.tenant_capped and exists (select 1 from tenant_cap c where c.tenant = q.tenant);
  if found then
    insert into queue_size (queue, ended) values (made, 0) on conflict do nothing;
    return true;
  end if;
  return false;
end
$$;

create or replace function {schema}.queue_for(wanted_tenant text, wanted text, moment timestamptz default now())
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
    if follow_cap(found_queue.id) then
      found_queue.tenant_capped := true;
    end if;
  end if;
  if found_queue.id is null then
    raise exception 'NOT_FOUND: tenant % has no queue ''%''', wanted_tenant, wanted using errcode = 'P0002';
  end if;
  return found_queue;
end
$$;

-- Counts a new job of a queue, where that or its tenant is capped, and refuses it where there is no room.
create function {schema}.take_room(wanted integer) returns void
language plpgsql
set search_path = {schema}, pg_catalog
as $$
declare
  home queue;
  cap tenant_cap;
  held bigint;
begin
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
  -- Counted last: whoever sets a cap or deletes the queue holds the tables written above.
  perform take_room(home.id);
  return new_id;
end
$$;
