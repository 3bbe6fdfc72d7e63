-- name: server
select
  current_setting('server_version') as version,
  current_setting('server_version_num')::integer as number,
  pg_is_in_recovery() as standby,
  (select pg_encoding_to_char(encoding) from pg_database where datname = current_database()) as encoding,
  clock_timestamp() as now,
  pg_backend_pid() as backend;

-- name: durability
select
  current_setting('fsync') as fsync,
  current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_commit') as synchronous_commit,
  current_setting('autovacuum') as autovacuum;

-- Of other users' sessions not everybody may see what they are; how many there are, everybody.
-- name: connections
select
  current_setting('max_connections')::integer as most,
  current_setting('max_connections')::integer
    - current_setting('superuser_reserved_connections')::integer
    - (select sum(numbackends) from pg_stat_database)::integer + 1 as remaining,
  (select count(*) from pg_stat_activity
   where application_name like 'sluice%' and pid <> pg_backend_pid()) as ours;

-- name: sees-all
select pg_has_role('pg_read_all_stats', 'usage') as sees_all;

-- name: longest-transaction
select pid, coalesce(nullif(application_name, ''), usename::text, '') as program, xact_start
from pg_stat_activity
where backend_type = 'client backend'
  and pid <> pg_backend_pid()
  and xact_start < clock_timestamp() - make_interval(secs => :seconds)
order by xact_start
limit 1;

-- name: rights
select
  current_user as name,
  has_database_privilege(current_database(), 'create') as may_make_schema,
  n.oid is not null as there,
  coalesce(has_schema_privilege(n.oid, 'usage'), false) as may_use,
  coalesce(has_schema_privilege(n.oid, 'create'), false) as may_create,
  (select count(*) from pg_class c
   where c.relnamespace = n.oid and c.relkind in ('r', 'p') and not pg_has_role(c.relowner, 'usage')) as foreign_tables,
  exists (select from pg_class c where c.relnamespace = n.oid and c.relname = 'migration') as migrated
from (select :schema::name as wanted) w left join pg_namespace n on n.nspname = w.wanted;

-- name: schema-versions
select part, max(version) as version from {schema}.migration group by part order by part;

-- name: master-keys
select distinct master from {schema}.data_key order by master;

-- name: expired-keys
select k.name, t.name as tenant
from {schema}.api_key k join {schema}.tenant t on t.id = k.tenant
where k.revoked_at is null and k.expires_at between now() - interval '30 days' and now()
order by k.expires_at
limit 20;

-- name: expiring-keys
select k.name, t.name as tenant
from {schema}.api_key k join {schema}.tenant t on t.id = k.tenant
where k.revoked_at is null and k.expires_at between now() and now() + interval '7 days'
order by k.expires_at
limit 20;
