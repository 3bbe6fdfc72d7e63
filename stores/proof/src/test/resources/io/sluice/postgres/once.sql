-- A statement that is named once more in the file beside this one.
-- name: pick
select 1 as picked;
