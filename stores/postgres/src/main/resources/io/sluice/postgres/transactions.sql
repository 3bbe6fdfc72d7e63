-- How transactions begin on connections whose sessions are not set up: see Guard. None of this takes a snapshot, so
-- that a transaction may still ask for one moment for all it looks at.

-- name: begin-guarded
set transaction isolation level read committed;
set local statement_timeout = {limit}; set local lock_timeout = {lock};
set local idle_in_transaction_session_timeout = {limit};

-- name: begin-by-index
set transaction isolation level read committed;
set local statement_timeout = {limit}; set local lock_timeout = {lock};
set local idle_in_transaction_session_timeout = {limit};
set local enable_seqscan = off; set local enable_bitmapscan = off; set local plan_cache_mode = force_generic_plan;
