-- Random keys that all instances share, made by whichever comes first.
create table {schema}.server_secret (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null default now()
);
