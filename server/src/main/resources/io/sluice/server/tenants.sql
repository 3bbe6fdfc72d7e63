-- name: make-tenant
insert into {schema}.tenant (name, enabled, max_concurrent, max_size, rate_amount, rate_per, rate_burst,
  warning_level, high_level, quota_queues, quota_url_groups, quota_keys, quota_schedules, quota_triggers,
  quota_limits, quota_lanes, quota_bytes)
values (:name, :enabled, :max_concurrent::integer, :max_size, :amount::double precision, :per::text,
  :burst::integer, :warning::double precision, :high::double precision, :quota_queues, :quota_url_groups,
  :quota_keys, :quota_schedules, :quota_triggers, :quota_limits, :quota_lanes, :quota_bytes)
on conflict (name) do nothing
returning *;

-- name: change-tenant
update {schema}.tenant
set enabled = :enabled, max_concurrent = :max_concurrent::integer, max_size = :max_size,
  rate_amount = :amount::double precision, rate_per = :per::text, rate_burst = :burst::integer,
  warning_level = :warning::double precision, high_level = :high::double precision,
  quota_queues = :quota_queues, quota_url_groups = :quota_url_groups, quota_keys = :quota_keys,
  quota_schedules = :quota_schedules, quota_triggers = :quota_triggers, quota_limits = :quota_limits,
  quota_lanes = :quota_lanes, quota_bytes = :quota_bytes, updated_at = now()
where id = :id and deleted_at is null
returning *;

-- name: find-tenant
select * from {schema}.tenant
where (name = :name or id = :id::uuid) and deleted_at is null;

-- Whoever changes the limits of a tenant reads it first, and nobody else may in between.
-- name: hold-tenant
select * from {schema}.tenant where name = :name and deleted_at is null for update;

-- Who makes a thing that has a quota holds its tenant, and nobody else makes one in between.
-- name: hold-quotas
select * from {schema}.tenant where name = :name and deleted_at is null for no key update;

-- name: count-url-groups
select count(*) as things from {schema}.url_group where tenant = :tenant;

-- name: count-keys
select count(*) as things
from {schema}.api_key k join {schema}.tenant t on t.id = k.tenant
where t.name = :tenant and k.revoked_at is null and (k.expires_at is null or k.expires_at > now());

-- name: least-quota-of-lanes
select min(quota_lanes) as least from {schema}.tenant where deleted_at is null;

-- name: quotas-of-lanes
select name, quota_lanes as quota from {schema}.tenant where deleted_at is null and quota_lanes is not null;

-- name: quotas-of-bytes
select name, quota_bytes as quota from {schema}.tenant where deleted_at is null and quota_bytes is not null;

-- name: list-tenants
select * from {schema}.tenant
where deleted_at is null and (:after::text is null or name > :after::text)
order by name
limit :limit;

-- name: was-tenant
select exists (select 1 from {schema}.tenant where name = :name and deleted_at is not null) as was;

-- name: forget-tenant
delete from {schema}.tenant where name = :name and deleted_at is not null;

-- name: delete-tenant
update {schema}.tenant set deleted_at = now(), updated_at = now(), enabled = false
where id = :id and deleted_at is null;

-- name: drop-url-groups
delete from {schema}.url_group where tenant = :tenant;

-- name: held-tenants
select name from {schema}.tenant where not enabled or deleted_at is not null;

-- name: tenants-just-deleted
select name from {schema}.tenant where deleted_at > now() - interval '1 hour';

-- Those that have a size, or should have none though they do in the store.
-- name: sized-tenants
select * from {schema}.tenant
where deleted_at is null and (max_size is not null or name = any (:others::text[]));
