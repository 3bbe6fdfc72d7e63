-- Changes of queues.

-- One change after the other; the lock ends with the transaction.
-- name: wait-for-turn
select pg_advisory_xact_lock(hashtext(:place), hashtext(:name));
