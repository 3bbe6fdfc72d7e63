-- name: notify
select pg_notify(:channel, p.payload) from unnest(:payloads::text[]) as p(payload);

-- The same in a transaction of its own. A hint need not survive a crash, so nobody waits for the disk.
-- name: notify-lazily
select set_config('synchronous_commit', 'off', true), pg_notify(:channel, p.payload)
from unnest(:payloads::text[]) as p(payload);

-- name: listen
listen "{channel}";

-- name: unlisten
unlisten "{channel}";

-- name: alive
select 1;

-- The newest, of a lane or of all, stand at the end of an index, whatever the statistics say.
-- name: plan-for-lists
set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off;

-- Without statistics a scan of a whole table for every lane looks cheap.
-- name: plan-for-figures
set local enable_seqscan = off; set local enable_bitmapscan = off;

-- For one statement that may take longer than others.
-- name: take-time
select set_config('statement_timeout', :millis::text, true);

-- How long a statement of this transaction may wait for a lock.
-- name: wait-for-locks
select set_config('lock_timeout', :millis::text, true);

-- For walks from job to job, as connections for work have it: see Connections.
-- name: plan-by-index
set local enable_seqscan = off; set local enable_bitmapscan = off; set local plan_cache_mode = force_generic_plan;
