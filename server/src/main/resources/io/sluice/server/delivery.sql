-- Which of these jobs are HTTP requests that want somebody told when they fail for good.
-- name: wanting-failure-callback
select j.id from {schema}.job j join {schema}.lane l on l.id = j.lane
where j.id = any (:ids) and l.type = 'http' and j.payload ->> 'failureCallbackUrl' is not null;

-- For a write that holds up others: it is tried again.
-- name: wait-for-locks-briefly
select set_config('lock_timeout', '40', true);
