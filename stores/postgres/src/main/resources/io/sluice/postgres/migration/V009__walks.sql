-- As before, but with each step a look-up, whatever the tables were like when the plan was made: "offset 0"
-- and "limit 1" keep the planner from joining the whole of a table to what was found so far.
create or replace function {schema}.behind(roots uuid[]) returns table (id uuid)
language sql stable
as $$
  with recursive walk as (
    select r.id from unnest(roots) as r(id)
    union
    select n.id from walk k cross join lateral (
      select w.id from {schema}.link l
      cross join lateral (
        select w.id from {schema}.later w where w.id = l.successor and w.waits is not null limit 1
      ) w
      where l.predecessor = k.id and l.open
      union all
      select w.batch from {schema}.later w where w.id = k.id and w.batch is not null
      union all
      select b.parent from {schema}.batch b where b.id = k.id and b.parent is not null
      offset 0
    ) n
  )
  select k.id from walk k
$$;
