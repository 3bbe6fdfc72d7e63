-- name: make-key
insert into {schema}.api_key (id, tenant, public_id, hash, name, role, expires_at)
values (:id, :tenant, :public_id, :hash, :name, :role, :expires_at)
returning *;

-- name: find-key
select * from {schema}.api_key where public_id = :public_id;

-- name: keys-named
select * from {schema}.api_key
where tenant = :tenant and (id = :id::uuid or (name = :name and revoked_at is null))
limit 2;

-- name: list-keys
select * from {schema}.api_key
where tenant = :tenant and (:after::uuid is null or id < :after::uuid)
order by id desc
limit :limit;

-- name: revoke-key
update {schema}.api_key set revoked_at = now() where id = :id and revoked_at is null;

-- At most once a minute for each key, however many instances see it used.
-- name: note-use
update {schema}.api_key set last_used_at = now()
where id = any (:ids::uuid[]) and (last_used_at is null or last_used_at < now() - interval '1 minute');
