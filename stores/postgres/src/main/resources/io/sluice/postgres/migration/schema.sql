create schema if not exists {schema};

create table if not exists {schema}.migration (
  part text not null,
  version integer not null,
  file text not null,
  checksum bigint not null,
  applied_at timestamptz not null default now(),
  primary key (part, version)
);
