-- Limits on anything but a queue, whose limits are in its own row. Whoever claims under a limit holds its
-- row, or that of the queue, and decides alone how many more jobs start.
create table {schema}.flow_limit (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('GLOBAL', 'TENANT', 'URL_GROUP', 'TYPE', 'KEY')),
  tenant text not null,
  name text not null,
  rate_amount double precision,
  rate_per text check (rate_per in ('SECOND', 'MINUTE', 'HOUR')),
  rate_burst integer,
  concurrency integer,
  unique (kind, tenant, name)
);

-- How far a rate is used: by this moment all is made good that was started, one interval for each start.
-- The scope is that of the limit, or of one key of a pattern.
create table {schema}.flow_bucket (
  scope text primary key,
  good_at timestamptz not null,
  interval_ns bigint not null
) with (fillfactor = 50);

-- Counts the changes of limits and orders: a claim that knows others takes nothing.
create table {schema}.flow_version (
  one boolean primary key default true check (one),
  version bigint not null
);

insert into {schema}.flow_version (version) values (1);

alter table {schema}.queue rename column rate_per_second to rate_amount;
alter table {schema}.queue add column rate_per text check (rate_per in ('SECOND', 'MINUTE', 'HOUR'));
update {schema}.queue set rate_per = 'SECOND' where rate_amount is not null;
drop index {schema}.queue_limited;

-- A claim under a limit to what runs at once, or an order, is counted; others are in no index for it.
alter table {schema}.running add column counted boolean not null default false;
update {schema}.running r set counted = true
from {schema}.lane l, {schema}.queue q
where l.id = r.lane and q.id = l.queue and (q.max_concurrent is not null or q.ordered <> 'NONE');
alter table {schema}.running drop column limited;
create index running_counted on {schema}.running (lane) where counted;

-- What has run before and waits for its time holds up those that run in order after it.
create index later_again on {schema}.later (lane) where turn > 0;
create index lane_limit_key on {schema}.lane (queue, limit_key) where limit_key <> '';
