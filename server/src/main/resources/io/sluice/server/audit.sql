-- name: write-audit
insert into {schema}.audit (id, at, tenant, actor, role, action, object, details)
values (:id, :at, :tenant, :actor, :role, :action, :object, :details);

-- name: read-audit
select * from {schema}.audit
where (:tenant::text is null or tenant = :tenant::text)
  and (:actor::text is null or actor = :actor::text)
  and (:action::text is null or action = :action::text)
  and (:from::timestamptz is null or at >= :from::timestamptz)
  and (:to::timestamptz is null or at < :to::timestamptz)
  and (:before::uuid is null or id < :before::uuid)
order by id desc
limit :limit;
