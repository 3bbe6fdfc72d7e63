-- The key that seals the secrets of one tenant, wrapped under the master key of this name. The tenant
-- with the empty name is the server itself: its key is opened at every start, to learn at once whether
-- the master key is the right one.
create table {schema}.data_key (
  tenant text primary key,
  master text not null,
  wrapped text not null,
  created_at timestamptz not null default now()
);

-- What many HTTP jobs share. The settings are what may be read back; what must not be is sealed, each
-- column for its own place: the credentials, the values of headers that are credentials, and the secrets
-- that sign, of which the second one, if any, is used until previous_until.
create table {schema}.url_group (
  id uuid primary key,
  tenant text not null,
  name text not null,
  settings json not null,
  auth text,
  headers text,
  signing text,
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant, name)
);
