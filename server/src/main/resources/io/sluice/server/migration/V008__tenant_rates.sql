-- The rate of a tenant is for a second, a minute or an hour.

alter table {schema}.tenant rename column rate_per_second to rate_amount;

alter table {schema}.tenant add column rate_per text check (rate_per in ('SECOND', 'MINUTE', 'HOUR'));

update {schema}.tenant set rate_per = 'SECOND' where rate_amount is not null;
