-- At most so many jobs run under a large limit to what runs at once, as was known under the rules of this
-- version; null where nobody has counted. Claims add to it, and only a count makes it smaller.
alter table {schema}.flow_bucket
  add column most_running bigint,
  add column rules_version bigint;
