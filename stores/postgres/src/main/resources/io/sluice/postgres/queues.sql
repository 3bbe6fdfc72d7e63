-- name: save-queue
insert into {schema}.queue as q (tenant, name, created_at, updated_at, paused, priority, max_concurrent,
  max_size, rate_amount, rate_per, rate_burst, ordered, timeout_ms, retry, dead_letter, keep_completed_ms,
  keep_dead_ms, url_group, warning_level, high_level)
select :tenant, :name, t.now, t.now, :paused, :priority::smallint, :max_concurrent::integer, :max_size::bigint,
  :rate::double precision, :per::text, :burst::integer, :ordered, :timeout::bigint, :retry::json, :dead_letter,
  :completed, :dead, :url_group::text, :warning::double precision, :high::double precision
from (select coalesce(:now::timestamptz, now()) as now) t
on conflict (tenant, name) do update
set updated_at = excluded.updated_at, paused = excluded.paused, priority = excluded.priority,
  max_concurrent = excluded.max_concurrent, max_size = excluded.max_size,
  rate_amount = excluded.rate_amount, rate_per = excluded.rate_per, rate_burst = excluded.rate_burst,
  ordered = excluded.ordered,
  timeout_ms = excluded.timeout_ms, retry = excluded.retry, dead_letter = excluded.dead_letter,
  keep_completed_ms = excluded.keep_completed_ms, keep_dead_ms = excluded.keep_dead_ms,
  url_group = excluded.url_group, warning_level = excluded.warning_level, high_level = excluded.high_level,
  gone = false,
  uid = case when q.gone then excluded.uid else q.uid end,
  created_at = case when q.gone then excluded.created_at else q.created_at end
returning *;

-- name: hold-queue
select q.*, exists (select 1 from {schema}.queue_taken t where t.queue = q.id) as counted
from {schema}.queue q
where q.tenant = :tenant and q.name = :name and not q.gone
for no key update;

-- Nobody takes, moves or ends a job while these are held, so a count is exact.
-- name: hold-states
lock table {schema}.ready, {schema}.later, {schema}.running in share mode;

-- Others queue behind a waiting table lock.
-- name: wait-a-moment
set local lock_timeout = '50ms';

-- name: wait-briefly
set local lock_timeout = '2s';

-- name: count-ends
insert into {schema}.queue_size (queue, ended) values (:queue, 0) on conflict do nothing;

-- name: count-queue
insert into {schema}.queue_taken (queue, taken)
select :queue, (select z.ended from {schema}.queue_size z where z.queue = :queue)
  + (select count(*) from {schema}.ready r join {schema}.lane l on l.id = r.lane where l.queue = :queue)
  + (select count(*) from {schema}.later r join {schema}.lane l on l.id = r.lane where l.queue = :queue)
  + (select count(*) from {schema}.running r join {schema}.lane l on l.id = r.lane where l.queue = :queue)
on conflict (queue) do update set taken = excluded.taken;

-- name: uncount-queue
delete from {schema}.queue_taken where queue = :queue;

-- name: uncount-ends
delete from {schema}.queue_size z using {schema}.queue q
where z.queue = :queue and q.id = z.queue and not q.tenant_capped;

-- name: follow-cap
select {schema}.follow_cap(:queue) as capped;

-- name: holds-jobs
select exists (select 1 from {schema}.lane l where l.queue = :queue and (
  exists (select 1 from {schema}.ready r where r.lane = l.id)
  or exists (select 1 from {schema}.later r where r.lane = l.id)
  or exists (select 1 from {schema}.running r where r.lane = l.id))) as holds;

-- name: close-queue
update {schema}.queue
set gone = true, paused = default, priority = default, max_concurrent = null, max_size = null,
  rate_amount = null, rate_per = null, rate_burst = null, ordered = default, timeout_ms = null, retry = null,
  dead_letter = default, keep_completed_ms = 86400000, keep_dead_ms = 604800000, url_group = null,
  warning_level = null, high_level = null
where id = :queue;

-- name: find-queue
select * from {schema}.queue where tenant = :tenant and name = :name and not gone;

-- name: find-queue-by-id
select * from {schema}.queue where tenant = :tenant and uid = :uid and not gone;

-- name: make-default-queue
select (q.q).* from (
  select {schema}.queue_for(:tenant, 'default', coalesce(:now::timestamptz, now())) as q offset 0
) q;

-- name: list-queues
select * from {schema}.queue where not gone order by tenant collate "C", name collate "C";

-- name: list-queues-of
select * from {schema}.queue
where tenant = :tenant and not gone and (:after::text is null or name collate "C" > :after::text collate "C")
order by name collate "C"
limit :limit;

-- name: pause-queue
update {schema}.queue set paused = :paused, updated_at = coalesce(:now::timestamptz, now())
where tenant = :tenant and name = :name and not gone;

-- name: queue-sizes
select q.tenant, q.name, t.taken - z.ended as unfinished, q.max_size, q.warning_level, q.high_level, z.ended
from {schema}.queue_taken t
join {schema}.queue_size z on z.queue = t.queue
join {schema}.queue q on q.id = t.queue
where not q.gone
order by q.tenant collate "C", q.name collate "C";

-- A lane and its queue, and whether both are there whatever becomes of this transaction.
-- name: find-lane
select q.id, q.max_size, q.tenant_capped, q.ordered, l.id as lane,
  (select e.epoch from {schema}.lane_epoch e) as epoch,
  {schema}.is_committed(q.xmin) and {schema}.is_committed(l.xmin) as committed
from {schema}.queue q join {schema}.lane l on l.queue = q.id
where q.tenant = :tenant and q.name = :queue and not q.gone
  and l.type = :type and l.url_group = :url_group and l.limit_key = :limit_key and l.closed is null;

-- name: lane-for
select {schema}.lane_for(:queue, :type, :url_group, :limit_key) as id;

-- name: lane-epoch
select e.epoch from {schema}.lane_epoch e;

-- Removes lanes that were closed before the marker, once every transaction that is older than the marker has ended.
-- Looks at one page of closed lanes, and returns the last of the page.
-- name: remove-lanes
with page as materialized (
  select l.id from {schema}.lane l where l.closed is not null and l.id > :after order by l.id limit :max
),
gone as (
  delete from {schema}.lane l
  where l.id = any (array(select p.id from page p)) and l.closed < :marker
    and pg_snapshot_xmin(pg_current_snapshot())::text::bigint > :marker
    and (select r.lane from {schema}.ready r where r.lane = l.id limit 1) is null
    and (select r.lane from {schema}.later r where r.lane = l.id limit 1) is null
    and (select d.lane from {schema}.done d where d.lane = l.id limit 1) is null
    and l.id <> all (array(select r.lane from {schema}.running r))
)
select p.id as last from page p order by p.id desc limit 1;

-- name: move-lane-marker
with before as (select e.marker from {schema}.lane_epoch e for update),
moved as (
  update {schema}.lane_epoch e set marker = pg_current_xact_id()::text::bigint
)
select b.marker from before b;

-- A limit keeps the planner from comparing all lanes with all jobs.
-- Closes the lanes of one page that have no jobs, and returns the last of the page.
-- name: close-lanes
with page as materialized (
  select l.id from {schema}.lane l where l.id > :after order by l.id limit :max
),
empty as materialized (
  select p.id from page p
  where (select r.lane from {schema}.ready r where r.lane = p.id limit 1) is null
    and (select r.lane from {schema}.later r where r.lane = p.id limit 1) is null
    and (select d.lane from {schema}.done d where d.lane = p.id limit 1) is null
    and p.id <> all (array(select r.lane from {schema}.running r))
),
closed as (
  update {schema}.lane l set closed = pg_current_xact_id()::text::bigint
  where l.id = any (array(select e.id from empty e))
    -- A number that is yet to come is of the database that a backup was made of.
    and (l.closed is null or l.closed > pg_current_xact_id()::text::bigint)
  returning l.id
),
changed as (
  update {schema}.lane_epoch e set epoch = e.epoch + 1 where exists (select 1 from closed)
)
select p.id as last from page p order by p.id desc limit 1;

-- name: lanes-by-id
select l.id, l.queue as queue_id, q.tenant, q.name as queue, l.type, l.url_group, l.limit_key
from {schema}.lane l join {schema}.queue q on q.id = l.queue
where l.id = any (:ids::integer[]);

-- What tenants have.

-- Tenants with waiting jobs in many lanes. Of those that have few lanes at all, none is looked into.
-- name: crowded-tenants
with many as materialized (
  select q.tenant
  from (select l.queue, count(*) as lanes from {schema}.lane l group by l.queue) l
  join {schema}.queue q on q.id = l.queue
  group by q.tenant
  having sum(l.lanes) >= :least
)
select q.tenant, count(*) as lanes
from many m
join {schema}.queue q on q.tenant = m.tenant
join {schema}.lane l on l.queue = q.id
where (select r.lane from {schema}.ready r where r.lane = l.id limit 1) is not null
  or (select r.lane from {schema}.later r where r.lane = l.id limit 1) is not null
group by q.tenant
having count(*) >= :least;

-- name: blocks-of-jobs
select coalesce(sum(pg_relation_size(i.inhrelid)) / current_setting('block_size')::integer, 0)::bigint as blocks
from pg_inherits i
where i.inhparent in (to_regclass(format('%I.job', :schema::text)), to_regclass(format('%I.done', :schema::text)));

-- Bytes of payloads and results in a share of all blocks, and how many those stand for. Only the sizes are read:
-- large values stay where they are, and count as they are kept, which is compressed.
-- name: bytes-of-tenants
select q.tenant, (sum(s.bytes) * 100 / :percent)::bigint as bytes
from (
  select j.lane, sum(pg_column_size(j.payload)) as bytes
  from {schema}.job j tablesample system (:percent) repeatable (1)
  group by j.lane
  union all
  select d.lane, sum(pg_column_size(d.result))
  from {schema}.done d tablesample system (:percent) repeatable (1)
  where d.result is not null
  group by d.lane
) s
join {schema}.lane l on l.id = s.lane
join {schema}.queue q on q.id = l.queue
where q.tenant = any (:tenants::text[])
group by q.tenant;

-- The caps of tenants.

-- Nobody makes, changes or removes a queue while this is held.
-- name: hold-queue-table
lock table {schema}.queue in share row exclusive mode;

-- name: change-cap
update {schema}.tenant_cap set max_size = :max_size, warning_level = :warning::double precision,
  high_level = :high::double precision
where tenant = :tenant;

-- name: cap-queues
with capped as (
  update {schema}.queue q set tenant_capped = true where q.tenant = :tenant returning q.id
)
insert into {schema}.queue_size (queue, ended) select c.id, 0 from capped c on conflict do nothing;

-- name: make-cap
insert into {schema}.tenant_cap (tenant, max_size, warning_level, high_level, taken)
select :tenant, :max_size, :warning::double precision, :high::double precision,
  coalesce((
    select sum(z.ended)::bigint from {schema}.queue_size z join {schema}.queue q on q.id = z.queue
    where q.tenant = :tenant), 0)
  + (select count(*) from {schema}.ready r join {schema}.lane l on l.id = r.lane
     join {schema}.queue q on q.id = l.queue where q.tenant = :tenant)
  + (select count(*) from {schema}.later r join {schema}.lane l on l.id = r.lane
     join {schema}.queue q on q.id = l.queue where q.tenant = :tenant)
  + (select count(*) from {schema}.running r join {schema}.lane l on l.id = r.lane
     join {schema}.queue q on q.id = l.queue where q.tenant = :tenant);

-- name: uncap-queues
with freed as (
  update {schema}.queue q set tenant_capped = false where q.tenant = :tenant and q.tenant_capped
  returning q.id, q.max_size
)
delete from {schema}.queue_size z using freed f where z.queue = f.id and f.max_size is null;

-- name: drop-cap
delete from {schema}.tenant_cap where tenant = :tenant;

-- name: tenant-sizes
select c.tenant, c.taken - coalesce(sum(z.ended), 0)::bigint as unfinished, c.max_size, c.warning_level,
  c.high_level, coalesce(sum(z.ended), 0)::bigint as ended
from {schema}.tenant_cap c
left join {schema}.queue q on q.tenant = c.tenant
left join {schema}.queue_size z on z.queue = q.id
group by c.tenant
order by c.tenant collate "C";
