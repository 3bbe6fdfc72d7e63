-- name: add-url-group
insert into {schema}.url_group (id, tenant, name, settings, auth, headers, signing, previous_until)
values (:id, :tenant, :name, :settings::json, :auth, :headers, :signing, :previous_until)
on conflict (tenant, name) do nothing;

-- name: find-url-group
select * from {schema}.url_group where tenant = :tenant and name = :name;

-- name: find-url-group-by-id
select * from {schema}.url_group where tenant = :tenant and id = :id;

-- Whoever changes a group reads it first, and nobody else may in between.
-- name: hold-url-group
select * from {schema}.url_group where tenant = :tenant and id = :id for update;

-- name: page-url-groups
select * from {schema}.url_group
where tenant = :tenant and (:after::text is null or name collate "C" > :after::text collate "C")
order by name collate "C"
limit :limit;

-- name: change-url-group
update {schema}.url_group
set settings = :settings::json, auth = :auth, headers = :headers, signing = :signing,
  previous_until = :previous_until, updated_at = now()
where id = :id
returning *;

-- name: delete-url-group
delete from {schema}.url_group where tenant = :tenant and id = :id;

-- name: delete-url-groups
delete from {schema}.url_group where tenant = :tenant;

-- The jobs of a group by state, and how many of them ended in the last while: one look at each table.
-- name: url-group-counts
with lanes as (
  select l.id from {schema}.lane l join {schema}.queue q on q.id = l.queue
  where q.tenant = :tenant and l.url_group = :name
)
select 'PENDING' as state, count(*) as jobs, 0::bigint as recent
from {schema}.ready r where r.lane in (select id from lanes)
union all
select case r.kind when 1 then 'SCHEDULED' else 'RETRYING' end, count(*), 0
from {schema}.later r where r.lane in (select id from lanes) group by r.kind
union all
select 'RUNNING', count(*), 0 from {schema}.running r where r.lane in (select id from lanes)
union all
select case d.state when 5 then 'COMPLETED' when 6 then 'FAILED' when 7 then 'DEAD' else 'CANCELLED' end,
  count(*), count(*) filter (where d.finished_at > now() - make_interval(secs => :seconds::integer))
from {schema}.done d
where d.lane in (select id from lanes) and d.expires_at > now()
group by d.state;
