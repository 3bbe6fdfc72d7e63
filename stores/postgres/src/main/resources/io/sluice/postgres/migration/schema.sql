create schema if not exists {schema};

create table if not exists {schema}.migration (
  version integer primary key,
  file text not null,
  checksum bigint not null,
  applied_at timestamptz not null default now()
);
