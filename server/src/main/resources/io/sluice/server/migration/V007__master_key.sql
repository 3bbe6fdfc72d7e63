-- Which master key wraps data keys, and how far its last change has come. There is one row, from the
-- first start on. Every change of the key is a generation, in which each tenant gets a new data key.
create table {schema}.master_key (
  one boolean primary key default true check (one),
  current text not null,
  previous text[] not null default '{}',
  generation integer not null default 0,
  -- The generation that all data keys have.
  renewed integer not null default 0,
  phase text not null default 'DONE' check (phase in ('KEYS', 'VALUES', 'DONE')),
  actor text,
  role text,
  tenant text,
  started_at timestamptz,
  finished_at timestamptz,
  -- Rows with sealed values: how many there are, how many were looked at, values sealed anew, and those
  -- that do not open; and where to go on.
  total bigint not null default 0,
  looked bigint not null default 0,
  resealed bigint not null default 0,
  unreadable bigint not null default 0,
  changed_in_pass boolean not null default false,
  place integer not null default 0,
  after text,
  -- Who works on it, and until when nobody else does.
  runner uuid,
  runner_until timestamptz
);

insert into {schema}.master_key (current) select master from {schema}.data_key where tenant = '';

alter table {schema}.data_key add column generation integer not null default 0;

-- The servers that live: which master keys each has, and the generation it seals with.
create table {schema}.server_instance (
  id uuid primary key,
  name text not null,
  version text not null,
  masters text[] not null,
  sealing integer not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
