-- What a backup must know of the tables, and what a restore does to jobs that ran.

-- Every table of the schema that holds rows of its own or of its partitions.
-- name: backup-tables
select c.relname as name,
  array(
    select a.attname::text from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by a.attnum
  ) as columns,
  array(
    select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
    where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid
  ) as needs
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = :schema and c.relkind in ('r', 'p') and not c.relispartition
order by c.relname;

-- name: backup-sequences
select sequencename::text as name, coalesce(last_value, 0) as value from pg_sequences
where schemaname = :schema order by sequencename;

-- name: backup-masters
select distinct master as id from {schema}.data_key order by 1;

-- For this transaction alone: a pooler may give the connection to somebody else afterwards.
-- name: backup-snapshot
set transaction isolation level repeatable read, read only;

-- name: backup-set
set local timezone = 'UTC';
set local datestyle = 'ISO, MDY';
set local extra_float_digits = 3;
set local bytea_output = 'hex';
set local statement_timeout = 0;
set local lock_timeout = '30s';
set local idle_in_transaction_session_timeout = 0;

-- name: backup-holds
select count(*) as tables from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = :schema;

-- name: restore-shelf
select {schema}.make_shelf(:kind, :day) as made;

-- name: restore-sequence
select setval(format('%I.%I', :schema::text, :name::text)::regclass, greatest(:value::bigint, 1), :value::bigint > 0);

-- What ran waits again, its attempt unspent.
-- name: restore-running
with gone as (
  delete from {schema}.running returning *
)
insert into {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect, batch)
select g.lane, g.priority, g.id, g.shelf, g.attempt - 1, g.turn, g.replays, g.strikes, g.suspect, g.batch
from gone g;

-- name: restore-running-without-batches
with gone as (
  delete from {schema}.running returning *
)
insert into {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect)
select g.lane, g.priority, g.id, g.shelf, g.attempt - 1, g.turn, g.replays, g.strikes, g.suspect from gone g;

-- Every worker that signs on after the restore gets an id that no worker before it had, which keeps their claims apart.
-- name: restore-workers
delete from {schema}.worker;

-- Nobody of the world before lives in this one, nor works on a change of its master key.
-- name: restore-instances
delete from {schema}.server_instance;

-- name: restore-runner
update {schema}.master_key set runner = null, runner_until = null;
