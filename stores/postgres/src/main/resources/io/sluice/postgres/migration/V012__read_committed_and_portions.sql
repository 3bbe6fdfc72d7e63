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
