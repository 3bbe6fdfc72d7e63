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

-- The second since 2025 from which a restored world counts its turns and workers: above all that the world
-- before it can have reached, so that nothing it still holds fits anything here.
-- name: restore-epoch
select floor(extract(epoch from clock_timestamp()) - 1735689600)::bigint as epoch;

-- What ran waits again, its attempt unspent.
-- name: restore-running
with gone as (
  delete from {schema}.running returning *
)
insert into {schema}.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect, batch)
select g.lane, g.priority, g.id, g.shelf, g.attempt - 1, g.turn, g.replays, g.strikes, g.suspect, g.batch
from gone g;

-- name: restore-ready-turns
update {schema}.ready set turn = greatest(turn, :epoch::integer);

-- name: restore-later-turns
update {schema}.later set turn = greatest(turn, :epoch::integer);

-- Only these may run again, by a replay.
-- name: restore-done-turns
update {schema}.done set turn = greatest(turn, :epoch::integer) where state <> 5;

-- name: restore-workers
delete from {schema}.worker;

-- name: restore-worker-ids
select setval(pg_get_serial_sequence(format('%I.worker', :schema::text), 'id'),
  greatest(:epoch::bigint, (select last_value from pg_sequences
    where schemaname = :schema and sequencename = 'worker_id_seq')));

-- Nobody of the world before lives in this one, nor works on a change of its master key.
-- name: restore-instances
delete from {schema}.server_instance;

-- name: restore-runner
update {schema}.master_key set runner = null, runner_until = null;
