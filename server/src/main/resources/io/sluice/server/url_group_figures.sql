-- What this instance did in some minutes, as far as it knows: the newest word counts.
-- A group that is being deleted is waited for, and passed over when it is gone.
-- name: write-group-minutes
insert into {schema}.url_group_minute (url_group, minute, instance, delivered, failed, classes, latency)
select g.id, n.minute, :instance, n.delivered, n.failed, n.classes::json, n.latency::integer[]
from unnest(:groups::uuid[], :minutes::timestamptz[], :delivered::bigint[], :failed::bigint[],
  :classes::text[], :latencies::text[]) as n (id, minute, delivered, failed, classes, latency)
join {schema}.url_group g on g.id = n.id
order by g.id, n.minute
for key share of g
on conflict (url_group, minute, instance) do update set
  delivered = excluded.delivered, failed = excluded.failed,
  classes = excluded.classes, latency = excluded.latency;

-- name: read-group-minutes
select delivered, failed, classes, latency from {schema}.url_group_minute
where url_group = :id and minute > :after;

-- name: forget-group-minutes
delete from {schema}.url_group_minute where minute < :before;

-- name: write-group-deliveries
insert into {schema}.url_group_delivery (
  id, url_group, at, job, attempt, status, class, code, message, duration_ms, failed)
select n.id, g.id, n.at, n.job, n.attempt, n.status, n.class, n.code, n.message, n.duration_ms, n.failed
from unnest(:ids::uuid[], :groups::uuid[], :times::timestamptz[], :jobs::uuid[], :attempts::integer[],
  :statuses::integer[], :classes::text[], :codes::text[], :messages::text[], :durations::bigint[],
  :failed::boolean[])
  as n (id, url_group, at, job, attempt, status, class, code, message, duration_ms, failed)
join {schema}.url_group g on g.id = n.url_group
order by g.id
for key share of g
on conflict (id) do nothing;

-- Keeps the newest of each kind for these groups.
-- name: forget-group-deliveries
delete from {schema}.url_group_delivery d
using unnest(:groups::uuid[]) as n (id), (values (true), (false)) as kind (failed)
where d.url_group = n.id and d.failed = kind.failed and d.id <= (
  select k.id from {schema}.url_group_delivery k
  where k.url_group = n.id and k.failed = kind.failed
  order by k.id desc offset :keep limit 1);

-- name: read-group-deliveries
select * from {schema}.url_group_delivery
where url_group = :group and (:before::uuid is null or id < :before::uuid)
  and (not :only_failed or failed)
order by id desc
limit :limit;
