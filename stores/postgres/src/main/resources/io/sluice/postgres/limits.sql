-- Limits and orders: what is set, and what a claim asks for before it takes work that is under them.

-- name: rules
select v.version, l.id, l.kind, l.tenant, l.name, l.rate_amount, l.rate_per, l.rate_burst, l.concurrency,
  'NONE' as ordered, false as pending
from {schema}.flow_version v left join {schema}.flow_limit l on true
union all
select v.version, q.id, 'QUEUE', q.tenant, q.name, q.rate_amount, q.rate_per, q.rate_burst,
  q.max_concurrent, q.ordered, false
from {schema}.flow_version v cross join {schema}.queue q
where not q.gone and (q.max_concurrent is not null or q.rate_amount is not null or q.ordered <> 'NONE')
union all
select v.version, 0, p.kind, p.tenant, p.name, null, null, null, null, 'NONE', true
from {schema}.flow_version v cross join {schema}.flow_pending p;

-- name: rules-version
select v.version from {schema}.flow_version v;

-- Whoever changes rules waits here for others who do.
-- name: change-rules
update {schema}.flow_version set version = version + 1;

-- name: hold-limit
select l.* from {schema}.flow_limit l
where l.kind = :kind and l.tenant = :tenant and l.name = :name
for no key update;

-- name: save-limit
insert into {schema}.flow_limit (kind, tenant, name, rate_amount, rate_per, rate_burst, concurrency)
values (:kind, :tenant, :name, :rate::double precision, :per::text, :burst::integer, :concurrency::integer)
on conflict (kind, tenant, name) do update
set rate_amount = excluded.rate_amount, rate_per = excluded.rate_per, rate_burst = excluded.rate_burst,
  concurrency = excluded.concurrency;

-- name: delete-limit
delete from {schema}.flow_limit where kind = :kind and tenant = :tenant and name = :name;

-- A claim that knows this version of the rules takes no job under this scope.
-- name: await-count
insert into {schema}.flow_pending (kind, tenant, name, version)
select :kind, :tenant, :name, v.version from {schema}.flow_version v
on conflict (kind, tenant, name) do update set version = excluded.version;

-- name: awaited-counts
select p.kind, p.tenant, p.name, p.version from {schema}.flow_pending p order by p.kind, p.tenant, p.name;

-- name: end-count
delete from {schema}.flow_pending
where kind = :kind and tenant = :tenant and name = :name and version = :version;

-- Transactions that claim: they have read the version of the rules and write claims. A statement locks its tables
-- before it looks at them, so one that does not know what is committed by now is among these, or over.
-- name: claims-under-way
select l.virtualtransaction as claim
from pg_locks l
where l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and l.granted
  and l.database = (select d.oid from pg_database d where d.datname = current_database())
  and l.relation = to_regclass(format('%I.%I', :schema::text, 'running'))
  and l.virtualtransaction in (
    select v.virtualtransaction from pg_locks v
    where v.locktype = 'relation' and v.relation = to_regclass(format('%I.%I', :schema::text, 'flow_version'))
      and v.database = l.database
  );

-- What runs already counts under a limit or an order that was set. Of limit keys all are counted that have one:
-- which limit a key is under changes with others. Those that are just being ended are left for another look; those that
-- somebody's new job waits for are not, because its transaction may stay open for long.
-- name: mark-counted
update {schema}.running r set counted = true
where r.ctid = any (array(
  select u.ctid
  from {schema}.running u join {schema}.lane l on l.id = u.lane join {schema}.queue q on q.id = l.queue
  where not u.counted
    and (:kind = 'GLOBAL' or q.tenant = :tenant)
    and case :kind
      when 'QUEUE' then q.name = :name
      when 'URL_GROUP' then l.url_group = :name
      when 'TYPE' then l.type = :name
      when 'KEY' then l.limit_key <> ''
      else true
    end
  limit :max
  for no key update of u skip locked));

-- name: is-counted
select not exists (
  select 1 from {schema}.running u join {schema}.lane l on l.id = u.lane join {schema}.queue q on q.id = l.queue
  where not u.counted
    and (:kind = 'GLOBAL' or q.tenant = :tenant)
    and case :kind
      when 'QUEUE' then q.name = :name
      when 'URL_GROUP' then l.url_group = :name
      when 'TYPE' then l.type = :name
      when 'KEY' then l.limit_key <> ''
      else true
    end
) as counted;

-- A process that stands still must not keep others from work for long. Each statement must see what others
-- did before the rows were held, whatever the connection is set to.
-- name: begin-limited
set transaction isolation level read committed;
set local idle_in_transaction_session_timeout = '2s';

-- name: hold-limits
select l.id from {schema}.flow_limit l
where l.id = any (:limits::integer[])
order by l.id
for no key update skip locked;

-- name: hold-queues
select q.id from {schema}.queue q
where q.id = any (:queues::integer[])
order by q.id
for no key update skip locked;

-- The clock itself is asked: starts are granted from the moment at which the rows are held.
-- name: look-buckets
select t.now, v.version, b.scope, b.good_at, b.interval_ns, b.as_of,
  case when b.rules_version = v.version then b.most_running end as most_running
from (select coalesce(:now::timestamptz, clock_timestamp()) as now) t
cross join {schema}.flow_version v
left join {schema}.flow_bucket b on b.scope = any (:scopes::text[]);

-- name: count-running
select r.lane, count(*) as jobs from {schema}.running r where r.counted group by r.lane;

-- What is under large limits alone is in no index.
-- name: count-all-running
select r.lane, count(*) as jobs from {schema}.running r group by r.lane;

-- The first job of each order, over all its lanes and priorities, unless one runs or has run before and
-- waits for its time: that with the lowest number, or where none has one, as when the queue was not ordered
-- before, with the lowest id.
-- name: look-orders
select o.n, b.busy, coalesce(k.lane, h.lane) as lane, coalesce(k.priority, h.priority) as priority,
  coalesce(k.id, h.id) as id
from rows from (
  unnest((select :order_queues::integer[])), unnest((select :order_keys::text[]))
) with ordinality as o(queue, key, n)
cross join lateral (
  select array(
    select l.id from {schema}.lane l where o.key = '' and l.queue = o.queue
    union all
    select l.id from {schema}.lane l
    where o.key <> '' and l.queue = o.queue and l.limit_key = o.key and l.limit_key <> ''
  ) as lanes
) m
cross join lateral (
  select exists (select 1 from {schema}.running r where r.counted and r.lane = any (m.lanes))
    or exists (select 1 from {schema}.later t
      where t.turn > 0 and t.waits is null and t.lane = any (m.lanes)) as busy
) b
left join lateral (
  select f.lane, f.priority, f.id
  from (
    (select t.id, t.lane, t.priority, t.seq from {schema}.job_order t
     where o.key = '' and t.queue = o.queue and not t.waiting order by t.seq limit 100)
    union all
    (select t.id, t.lane, t.priority, t.seq from {schema}.job_order t
     where o.key <> '' and t.queue = o.queue and t.limit_key = o.key and not t.waiting order by t.seq limit 100)
  ) t
  cross join lateral (
    select r.lane, r.priority, r.id from {schema}.ready r
    where r.lane = t.lane and r.priority = t.priority and r.id = t.id
    limit 1
  ) f
  where not b.busy
  order by t.seq
  limit 1
) k on true
left join lateral (
  select f.lane, f.priority, f.id
  from unnest(m.lanes) as l(lane)
  cross join lateral (select 1 from {schema}.ready r where r.lane = l.lane limit 1) filled
  cross join generate_series(0, 20) as p(priority)
  cross join lateral (
    select r.lane, r.priority, r.id from {schema}.ready r
    where r.lane = l.lane and r.priority = p.priority
    order by r.id
    limit 1
  ) f
  where not b.busy and k.id is null
  order by f.id
  limit 1
) h on true;

-- Passes over those from now on that are over and came before some jobs that start now.
-- name: tidy-orders
update {schema}.job_order o set waiting = true
where o.id = any (array(
  select t.id
  from unnest((select :ids::uuid[])) as g(id)
  cross join lateral (
    select h.queue, h.limit_key, h.seq, q.ordered
    from {schema}.job_order h join {schema}.queue q on q.id = h.queue
    where h.id = g.id
    limit 1
  ) h
  cross join lateral (
    (select t.id, t.lane, t.priority from {schema}.job_order t
     where h.ordered = 'QUEUE' and t.queue = h.queue and not t.waiting and t.seq < h.seq
     order by t.seq limit 100)
    union all
    (select t.id, t.lane, t.priority from {schema}.job_order t
     where h.ordered = 'KEY' and t.queue = h.queue and t.limit_key = h.limit_key and not t.waiting and t.seq < h.seq
     order by t.seq limit 100)
  ) t
  where (select r.id from {schema}.ready r
      where r.lane = t.lane and r.priority = t.priority and r.id = t.id limit 1) is null
    and (select r.id from {schema}.running r where r.id = t.id) is null
    and (select w.id from {schema}.later w where w.id = t.id) is null));

-- name: keep-buckets
insert into {schema}.flow_bucket (scope, good_at, interval_ns, as_of, most_running, rules_version)
select g.scope, g.good_at, g.interval_ns, g.as_of, g.most_running, :version
from rows from (
  unnest((select :scopes::text[])), unnest((select :moments::timestamptz[])),
  unnest((select :intervals::bigint[])), unnest((select :as_of::timestamptz[])),
  unnest((select :most::bigint[]))
) as g(scope, good_at, interval_ns, as_of, most_running)
on conflict (scope) do update
set good_at = excluded.good_at, interval_ns = excluded.interval_ns, as_of = excluded.as_of,
  most_running = excluded.most_running,
  rules_version = excluded.rules_version;

-- Without its row a large limit must be counted, so it keeps that for a while after its last job was taken.
-- name: purge-buckets
delete from {schema}.flow_bucket
where good_at < coalesce(:now::timestamptz, now())
  - case when most_running is null then interval '0' else interval '1 hour' end;

-- name: running-by-lane
select r.lane, w.name, count(*) as jobs
from {schema}.running r left join {schema}.worker w on w.id = r.worker
group by r.lane, w.name;

-- name: count-ready
select count(*) as jobs from (
  select 1 from {schema}.ready r where r.lane = any (:lanes::integer[]) limit :max
) c;
