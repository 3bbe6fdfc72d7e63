-- A claim is known by its job, the number of its turn and its worker. A standby that is promoted without the last
-- rows of its primary counts the same turns again, so the ids of workers are random: none is given twice. They fit
-- into 53 bits, which is all that JSON promises of a number.
alter table {schema}.worker alter column id drop identity;
alter table {schema}.worker alter column id
  set default 1 + ('x' || right(replace(gen_random_uuid()::text, '-', ''), 13))::bit(52)::bigint;

-- The timeline on which the worker signed on. One of another timeline may hold claims that this server never heard
-- of, and must not get the same ones again under the same id.
alter table {schema}.worker add column timeline text not null default '';

-- The timeline that is being written. The control file names the old one until the first checkpoint after a promotion.
create function {schema}.timeline() returns text
language sql volatile
as $$ select left(pg_walfile_name(pg_current_wal_lsn()), 8) $$;
