-- The order keeps instances that write at the same time out of each other's way.
-- name: add-usage
insert into {schema}.usage_day as u (tenant, day, processed_jobs, failed_jobs, total_requests)
select t.id, n.day::date, n.processed, n.failed, n.requests
from unnest(:tenants::text[], :days::text[], :processed::bigint[], :failed::bigint[], :requests::bigint[])
  as n (tenant, day, processed, failed, requests)
join {schema}.tenant t on t.name = n.tenant and t.deleted_at is null
order by t.id, n.day
on conflict (tenant, day) do update
set processed_jobs = u.processed_jobs + excluded.processed_jobs,
  failed_jobs = u.failed_jobs + excluded.failed_jobs,
  total_requests = u.total_requests + excluded.total_requests;

-- name: read-usage
select day::text as day, processed_jobs, failed_jobs, total_requests from {schema}.usage_day
where tenant = :tenant and day between :from::date and :to::date
order by day;
