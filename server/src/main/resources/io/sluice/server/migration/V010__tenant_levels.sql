-- The shares of its size at which a tenant is called WARNING and HIGH, where they are not the server's.
alter table {schema}.tenant
  add column warning_level double precision,
  add column high_level double precision;
