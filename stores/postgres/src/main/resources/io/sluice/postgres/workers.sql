-- name: register
insert into {schema}.worker (name, slots, types, fragile_types, started_at, seen_at, lease_until, timeline)
select :name, :slots, :types::text[], :fragile::text[], t.now, t.now,
  t.now + :lease::bigint * interval '1 microsecond', {schema}.timeline()
from (select coalesce(:now::timestamptz, now()) as now) t
returning id;

-- What a worker holds that signed on on another timeline stays its own, under the id of before.
-- name: visit
insert into {schema}.worker as w (name, slots, types, fragile_types, tenant, queue, started_at, seen_at,
  lease_until, timeline)
select :name, :slots, :types::text[], :fragile::text[], :tenant, :queue, t.now, t.now,
  t.now + :lease::bigint * interval '1 microsecond', {schema}.timeline()
from (select coalesce(:now::timestamptz, now()) as now) t
on conflict (tenant, queue, name) where tenant is not null do update
set id = case when w.timeline = excluded.timeline then w.id else excluded.id end,
  timeline = excluded.timeline, slots = excluded.slots, types = excluded.types, fragile_types = excluded.fragile_types,
  started_at = case when w.lease_until > excluded.seen_at then w.started_at else excluded.started_at end,
  seen_at = excluded.seen_at, lease_until = excluded.lease_until
returning id;

-- name: heartbeat
with beat as (
  update {schema}.worker w
  set seen_at = t.now, lease_until = t.now + :lease::bigint * interval '1 microsecond'
  from (select coalesce(:now::timestamptz, now()) as now) t
  where w.id = :worker and w.lease_until > t.now and w.timeline = {schema}.timeline()
  returning w.id
)
select exists (select 1 from beat) as alive,
  array(
    select g.n from rows from (
      unnest((select :ids::uuid[])), unnest((select :turns::integer[])), unnest((select :workers::bigint[]))
    ) with ordinality as g(id, turn, worker, n)
    where g.worker <> :worker or not exists (
      select 1 from {schema}.running r where r.id = g.id and r.turn = g.turn and r.worker = :worker
    )
  ) as gone;

-- name: leave
update {schema}.worker set lease_until = coalesce(:now::timestamptz, now()) where id = :worker;

-- name: live
select w.*, (select count(*) from {schema}.running r where r.worker = w.id) as running
from {schema}.worker w
where w.lease_until > coalesce(:now::timestamptz, now())
order by w.started_at, w.id;

-- A lease that ran out is ended for good before anybody is told: the heartbeat that is still on its way
-- finds it gone, and a worker whose heartbeat is being written right now is left alone.
-- name: end-leases
update {schema}.worker set lease_until = seen_at
where id = any (array(
  select w.id from {schema}.worker w
  where w.lease_until <= coalesce(:now::timestamptz, now()) and w.lease_until > w.seen_at
  for update skip locked));

-- The same for the leases of claims.
-- name: end-own-leases
update {schema}.running set lease_until = claimed_at
where ctid = any (array(
  select r.ctid from {schema}.running r
  where r.lease_until <= coalesce(:now::timestamptz, now()) and r.lease_until > r.claimed_at
  for update skip locked));

-- name: lost
with holder as (
  select distinct r.worker from {schema}.running r
  where r.lease_until <= r.claimed_at or r.lease_until is null and not exists (
    select 1 from {schema}.worker w where w.id = r.worker and w.lease_until > w.seen_at
  )
  order by r.worker
  limit :max
)
select h.worker, w.name, w.fragile_types, r.id, r.turn, r.lane, r.attempt, r.strikes, r.suspect, r.started,
  r.alone, r.lease_until is not null as own_lease
from holder h
left join {schema}.worker w on w.id = h.worker
join {schema}.running r on r.worker = h.worker
  and (r.lease_until <= r.claimed_at
    or r.lease_until is null and not coalesce(w.lease_until > w.seen_at, false))
order by h.worker, r.id;

-- name: have-lapsed
select exists (
  select 1 from {schema}.running r where r.lease_until <= coalesce(:now::timestamptz, now())
) as lapsed;

-- name: forget-workers
delete from {schema}.worker w
where w.lease_until < coalesce(:now::timestamptz, now()) - interval '1 hour'
  and not exists (select 1 from {schema}.running r where r.worker = w.id);

-- name: held
select r.worker, null::text as name, null::text[] as fragile_types, r.id, r.turn, r.lane, r.attempt,
  r.strikes, r.suspect, r.started, r.alone, r.lease_until is not null as own_lease
from {schema}.running r where r.worker = :worker
order by r.id;
