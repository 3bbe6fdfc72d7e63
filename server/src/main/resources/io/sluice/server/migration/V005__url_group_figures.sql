-- What one instance did for a group in one minute. The latencies are counted in buckets that grow.
create table {schema}.url_group_minute (
  url_group uuid not null references {schema}.url_group (id) on delete cascade,
  minute timestamptz not null,
  instance uuid not null,
  delivered bigint not null,
  failed bigint not null,
  classes json not null,
  latency integer[] not null,
  primary key (url_group, minute, instance)
);
create index url_group_minute_old on {schema}.url_group_minute (minute);

-- Some of the newest deliveries of a group, and of those that failed.
create table {schema}.url_group_delivery (
  id uuid primary key,
  url_group uuid not null references {schema}.url_group (id) on delete cascade,
  at timestamptz not null,
  job uuid not null,
  attempt integer not null,
  status integer,
  class text,
  code text,
  message text,
  duration_ms bigint not null,
  failed boolean not null
);
create index url_group_delivery_new on {schema}.url_group_delivery (url_group, id);
create index url_group_delivery_kind on {schema}.url_group_delivery (url_group, failed, id);
