-- name: find-data-key
select tenant, master, wrapped from {schema}.data_key where tenant = :tenant;

-- Nobody's key is overwritten: who comes second reads what the first one made.
-- name: add-data-key
insert into {schema}.data_key (tenant, master, wrapped) values (:tenant, :master, :wrapped)
on conflict (tenant) do nothing;

-- name: data-keys-under-others
select tenant, master, wrapped from {schema}.data_key where master <> :master order by tenant;

-- name: rewrap-data-key
update {schema}.data_key set master = :master, wrapped = :wrapped
where tenant = :tenant and wrapped = :before;
