-- A migration that reads a large table takes as long as it takes, and so does the wait for another's.
-- name: migrate-without-limit
set local statement_timeout = 0;

-- name: migration-lock
select pg_advisory_xact_lock(hashtext('sluice migration'), hashtext(:schema));

-- name: migration-there
select to_regclass(format('%I.migration', :schema::text)) is not null as there;

-- name: migrations
select version, checksum from {schema}.migration where part = :part;

-- name: note-migration
insert into {schema}.migration (part, version, file, checksum)
values (:part, :version, :file, :checksum);
