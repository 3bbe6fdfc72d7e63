-- Breakers on URL groups and job types, as all instances share them. Kinds sort as they are declared.

create table {schema}.breaker (
  tenant text not null,
  kind text not null check (kind in ('URL_GROUP', 'TYPE')),
  name text not null,
  error_threshold double precision,
  window_ms bigint,
  minimum_calls integer,
  slow_call_ms bigint,
  trip_ms bigint,
  half_open_max integer,
  state text not null default 'CLOSED' check (state in ('CLOSED', 'OPEN', 'HALF_OPEN', 'FORCED_OPEN')),
  version bigint not null default 1,
  changed_at timestamptz not null,
  open_until timestamptz,
  held_until timestamptz,
  granted integer not null default 0,
  passed integer not null default 0,
  primary key (tenant, kind, name)
) with (fillfactor = 50);

-- What each instance counted in the window of a breaker; of another version it counts for nothing.
create table {schema}.breaker_count (
  tenant text not null,
  kind text not null,
  name text not null,
  instance uuid not null,
  version bigint not null,
  calls bigint not null,
  failures bigint not null,
  counted_at timestamptz not null,
  primary key (tenant, kind, name, instance),
  foreign key (tenant, kind, name) references {schema}.breaker on delete cascade
) with (fillfactor = 50);
