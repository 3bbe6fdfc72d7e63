-- How many things of each kind a tenant may have; null for any number.
alter table {schema}.tenant
  add column quota_queues bigint default 1000 check (quota_queues >= 0),
  add column quota_url_groups bigint default 1000 check (quota_url_groups >= 0),
  add column quota_keys bigint default 1000 check (quota_keys >= 0),
  add column quota_schedules bigint default 1000 check (quota_schedules >= 0),
  add column quota_triggers bigint default 1000 check (quota_triggers >= 0),
  add column quota_limits bigint default 10000 check (quota_limits >= 0),
  add column quota_lanes bigint default 100000 check (quota_lanes >= 0),
  add column quota_bytes bigint check (quota_bytes >= 0);
