-- How transactions begin on connections whose sessions are not set up: see Guard. The isolation comes first,
-- before there is a snapshot.

-- name: begin-guarded
set transaction isolation level read committed;
select set_config('statement_timeout', :limit, true), set_config('lock_timeout', :lock, true),
  set_config('idle_in_transaction_session_timeout', :limit, true);

-- name: begin-by-index
set transaction isolation level read committed;
select set_config('statement_timeout', :limit, true), set_config('lock_timeout', :lock, true),
  set_config('idle_in_transaction_session_timeout', :limit, true),
  set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('plan_cache_mode', 'force_generic_plan', true);
