-- Keys that all instances share.

-- name: offer-server-secret
insert into {schema}.server_secret (name, value) values (:name, decode(:value, 'hex')) on conflict do nothing;

-- name: server-secret
select encode(s.value, 'hex') as value from {schema}.server_secret s where s.name = :name;
