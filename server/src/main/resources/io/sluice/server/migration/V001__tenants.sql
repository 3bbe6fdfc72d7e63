-- Whom the server serves, what they hold keys to, what was done by whom, and how much they used.

create table {schema}.tenant (
  id uuid primary key default gen_random_uuid(),
  name text collate "C" not null unique,
  enabled boolean not null default true,
  max_concurrent integer,
  max_size bigint,
  rate_per_second double precision,
  rate_burst integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A deleted tenant keeps its name, until nothing of it is kept any more.
  deleted_at timestamptz
);

insert into {schema}.tenant (name) values ('default');

create table {schema}.api_key (
  id uuid primary key,
  tenant uuid not null references {schema}.tenant (id) on delete cascade,
  public_id text collate "C" not null unique,
  -- SHA-256 of the whole key, in hexadecimal. The key itself is nowhere.
  hash text not null,
  name text not null,
  role text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);

create index api_key_tenant on {schema}.api_key (tenant, id);

create table {schema}.audit (
  id uuid primary key,
  at timestamptz not null,
  tenant text collate "C" not null,
  actor text not null,
  role text not null,
  action text not null,
  object text not null,
  details text
);

create index audit_tenant on {schema}.audit (tenant, id);

create function {schema}.audit_stays() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is written once and not changed';
end
$$;

create trigger audit_stays before update or delete on {schema}.audit
for each row execute function {schema}.audit_stays();

create table {schema}.usage_day (
  tenant uuid not null references {schema}.tenant (id) on delete cascade,
  day date not null,
  processed_jobs bigint not null,
  failed_jobs bigint not null,
  total_requests bigint not null,
  primary key (tenant, day)
);
