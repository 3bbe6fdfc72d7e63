-- Tables with their columns, indexes, views and functions of the schema, in a fixed order. Partitions
-- by day are left out: their names change every day.
with thing as (
  select c.oid, c.relname, c.relkind, c.reloptions from pg_class c
  where c.relnamespace = 'sluice_dump'::regnamespace and c.relname !~ '_[0-9]{2,}'
)
select line from (
  select 1 as part, t.relname as name, a.attnum as n,
    format('%s.%s %s%s', t.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then ' not null' else '' end) as line
  from thing t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  where t.relkind in ('r', 'p', 'v')
  union all
  select 2, t.relname, 0, pg_get_indexdef(t.oid) from thing t where t.relkind in ('i', 'I')
  union all
  select 3, t.relname, 0, format('%s partition by %s', t.relname, pg_get_partkeydef(t.oid))
  from thing t where t.relkind = 'p'
  union all
  select 4, t.relname, 0, format('%s with (%s)', t.relname, array_to_string(t.reloptions, ', '))
  from thing t where t.reloptions is not null
  union all
  select 5, p.proname, 0, format('%s(%s) returns %s', p.proname, pg_get_function_arguments(p.oid),
    pg_get_function_result(p.oid))
  from pg_proc p where p.pronamespace = 'sluice_dump'::regnamespace
) d
order by part, name collate "C", n
