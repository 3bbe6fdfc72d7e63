-- name: find-data-key
select tenant, master, wrapped from {schema}.data_key where tenant = :tenant;

-- Nobody's key is overwritten: who comes second reads what the first one made. A key under a master key
-- that is not the one in force, or no longer, is not taken.
-- name: add-data-key
insert into {schema}.data_key (tenant, master, wrapped, generation)
select :tenant, m.current, :wrapped, m.generation from {schema}.master_key m
where m.current = :master
for share of m
on conflict (tenant) do nothing;

-- name: masters-in-use
select master as id from {schema}.data_key union select current from {schema}.master_key order by 1;

-- name: owner-under-master
select tenant from {schema}.data_key where master = :master order by tenant limit 1;

-- name: data-keys-to-renew
select k.tenant, k.master, k.wrapped from {schema}.data_key k cross join {schema}.master_key m
where k.master <> m.current or k.generation < m.generation
order by k.tenant
limit :limit;

-- name: renew-data-key
update {schema}.data_key k set master = m.current, wrapped = :wrapped, generation = m.generation
from {schema}.master_key m
where k.tenant = :tenant and k.wrapped = :before and m.current = :master;

-- name: begin-master-key
insert into {schema}.master_key (current) values (:master) on conflict do nothing;

-- name: master-key
select m.*, (select count(*) from {schema}.data_key) as keys_total,
  (select count(*) from {schema}.data_key k where k.master <> m.current or k.generation < m.generation)
    as keys_left
from {schema}.master_key m;

-- name: hold-master-key
select current, phase from {schema}.master_key for update;

-- name: see-master-key
select current from {schema}.master_key for share;

-- name: change-master-key
update {schema}.master_key
set previous = array(select distinct k.master from {schema}.data_key k where k.master <> :master),
  current = :master, generation = generation + 1, phase = 'KEYS', actor = :actor, role = :role,
  tenant = :tenant, started_at = now(), finished_at = null, total = 0, looked = 0, resealed = 0,
  unreadable = 0, changed_in_pass = false, place = 0, after = null, runner = null, runner_until = null;

-- name: take-rotation
update {schema}.master_key set runner = :runner, runner_until = now() + interval '10 seconds'
where phase <> 'DONE' and (runner is null or runner = :runner or runner_until < now());

-- name: keys-are-renewed
update {schema}.master_key
set renewed = generation, phase = 'VALUES', total = :total, looked = 0, unreadable = 0,
  changed_in_pass = false, place = 0, after = null
where runner = :runner and phase = 'KEYS';

-- name: note-reseal
update {schema}.master_key
set looked = looked + :looked, resealed = resealed + :resealed, unreadable = unreadable + :unreadable,
  total = greatest(total, looked + :looked), changed_in_pass = changed_in_pass or :resealed > 0,
  place = :place, after = :after, runner_until = now() + interval '10 seconds'
where runner = :runner and phase = 'VALUES';

-- name: pass-again
update {schema}.master_key
set total = :total, looked = 0, unreadable = 0, changed_in_pass = false, place = 0, after = null,
  runner_until = now() + interval '10 seconds'
where runner = :runner and phase = 'VALUES';

-- name: end-rotation
update {schema}.master_key
set phase = 'DONE', finished_at = now(), runner = null, runner_until = null
where runner = :runner and phase = 'VALUES';

-- name: beat-instance
insert into {schema}.server_instance (id, name, version, masters, sealing)
values (:id, :name, :version, :masters, :sealing)
on conflict (id) do update set masters = excluded.masters, sealing = excluded.sealing, seen_at = now();

-- name: leave-instance
delete from {schema}.server_instance where id = :id or seen_at < now() - interval '1 hour';

-- name: live-instances
select id, name, version, masters, sealing, started_at, seen_at from {schema}.server_instance
where seen_at > now() - interval '10 seconds'
order by started_at, id;

-- The sealed values of URL groups, each on its own.
-- name: sealed-in-groups
select g.id, g.tenant, v.kind, v.sealed
from (
  select * from {schema}.url_group u where :after::uuid is null or u.id > :after::uuid
  order by u.id limit :limit
) g
cross join lateral (values ('auth', g.auth), ('headers', g.headers), ('signing', g.signing)) as v(kind, sealed)
order by g.id, v.kind;

-- name: count-groups
select count(*) as rows from {schema}.url_group;

-- Only what is still the value that was read: who changed it meanwhile sealed it anew already.
-- name: reseal-in-group
update {schema}.url_group g
set auth = case when :kind = 'auth' then :renewed else g.auth end,
  headers = case when :kind = 'headers' then :renewed else g.headers end,
  signing = case when :kind = 'signing' then :renewed else g.signing end
where g.id = :id
  and case :kind when 'auth' then g.auth when 'headers' then g.headers else g.signing end = :before;

-- The HTTP jobs after one, and which of them have sealed values.
-- name: jobs-to-reseal
select j.id, j.shelf, q.tenant,
  coalesce(l.type = :type and position(:mark in j.payload::text) > 0, false) as sealed
from (
  select * from {schema}.job u where :after::uuid is null or u.id > :after::uuid order by u.id limit :limit
) j
left join {schema}.lane l on l.id = j.lane
left join {schema}.queue q on q.id = l.queue
order by j.id;

-- name: count-jobs
select count(*) as rows from {schema}.job;

-- name: payload-to-reseal
select j.payload::text as payload from {schema}.job j where j.id = :id and j.shelf = :shelf;

-- name: reseal-job
update {schema}.job j set payload = :renewed::json
where j.id = :id and j.shelf = :shelf and j.payload::text = :before;
