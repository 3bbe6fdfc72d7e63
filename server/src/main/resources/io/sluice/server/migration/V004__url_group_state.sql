-- Whether the jobs of a group are sent at all, and after how long of failures that ends by itself. The
-- epoch grows each time the group is switched on again: what began before counts no more.
alter table {schema}.url_group
  add column enabled boolean not null default true,
  add column disabled_at timestamptz,
  add column disabled_reason text,
  add column disable_after_ms bigint,
  add column epoch integer not null default 0;

create index url_group_disabled on {schema}.url_group (tenant, name) where not enabled;
create index url_group_impatient on {schema}.url_group (id) where enabled and disable_after_ms is not null;
create index url_group_overlap on {schema}.url_group (previous_until) where previous_until is not null;

-- The health of a group that is checked. Whoever makes a check holds it by its claim until it is done, or
-- until the claim is over because whoever held it is gone. in_row counts checks of the same outcome:
-- above zero what passed, below what failed.
create table {schema}.url_group_health (
  url_group uuid primary key references {schema}.url_group (id) on delete cascade,
  holds boolean not null default false,
  timeout_ms bigint not null default 5000,
  state text not null default 'unknown',
  since timestamptz not null default now(),
  in_row integer not null default 0,
  checks json not null default '[]',
  due_at timestamptz not null default now(),
  claim uuid,
  claimed_until timestamptz
);
create index url_group_health_due on {schema}.url_group_health (due_at);
create index url_group_health_holding on {schema}.url_group_health (url_group)
  where holds and state = 'failing';

insert into {schema}.url_group_health (url_group, holds)
select id, coalesce((settings #>> '{healthCheck,holdJobs}')::boolean, false)
from {schema}.url_group where settings #>> '{healthCheck,endpoint}' is not null;

-- How it goes with a group since its last success: the first failure after it, and how many there were.
create table {schema}.url_group_run (
  url_group uuid primary key references {schema}.url_group (id) on delete cascade,
  epoch integer not null,
  last_success_at timestamptz,
  first_failure_at timestamptz,
  failures bigint not null default 0
);
