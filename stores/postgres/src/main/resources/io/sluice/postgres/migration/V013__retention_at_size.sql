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
