-- name: register
insert into {schema}.worker (name, slots, types, fragile_types, started_at, seen_at, lease_until)
select :name, :slots, :types::text[], :fragile::text[], t.now, t.now,
  t.now + :lease::bigint * interval '1 microsecond'
from (select coalesce(:now::timestamptz, now()) as now) t
returning id;

-- name: heartbeat
with beat as (
  update {schema}.worker w
  set seen_at = t.now, lease_until = t.now + :lease::bigint * interval '1 microsecond'
  from (select coalesce(:now::timestamptz, now()) as now) t
  where w.id = :worker and w.lease_until > t.now
  returning w.id
)
select exists (select 1 from beat) as alive,
  array(
    select g.n from rows from (
      unnest((select :ids::uuid[])), unnest((select :turns::integer[]))
    ) with ordinality as g(id, turn, n)
    where not exists (
      select 1 from {schema}.running r where r.id = g.id and r.turn = g.turn and r.worker = :worker
    )
  ) as gone;

-- name: leave
update {schema}.worker set lease_until = coalesce(:now::timestamptz, now()) where id = :worker;

-- name: live
select w.*, (select count(*) from {schema}.running r where r.worker = w.id) as running
from {schema}.worker w
where w.lease_until > coalesce(:now::timestamptz, now())
order by w.id;

-- A lease that ran out is ended for good before anybody is told: the heartbeat that is still on its way
-- finds it gone, and a worker whose heartbeat is being written right now is left alone.
-- name: end-leases
update {schema}.worker set lease_until = seen_at
where id = any (array(
  select w.id from {schema}.worker w
  where w.lease_until <= coalesce(:now::timestamptz, now()) and w.lease_until > w.seen_at
  for update skip locked));

-- name: lost
with holder as (
  select distinct r.worker from {schema}.running r
  where not exists (
    select 1 from {schema}.worker w where w.id = r.worker and w.lease_until > w.seen_at
  )
  order by r.worker
  limit :max
)
select h.worker, w.name, w.fragile_types, r.id, r.turn, r.lane, r.attempt, r.strikes, r.suspect, r.started,
  r.alone
from holder h
join {schema}.running r on r.worker = h.worker
left join {schema}.worker w on w.id = h.worker
order by h.worker, r.id;

-- name: forget-workers
delete from {schema}.worker w
where w.lease_until < coalesce(:now::timestamptz, now()) - interval '1 hour'
  and not exists (select 1 from {schema}.running r where r.worker = w.id);

-- name: held
select r.worker, null::text as name, null::text[] as fragile_types, r.id, r.turn, r.lane, r.attempt,
  r.strikes, r.suspect, r.started, r.alone
from {schema}.running r where r.worker = :worker
order by r.id;
