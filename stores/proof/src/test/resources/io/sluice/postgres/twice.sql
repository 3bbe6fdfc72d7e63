-- name: other
select 2 as picked;

-- The name is taken.
-- name: pick
select 3 as picked;
