-- Queues and lanes. A queue that was deleted is only marked: finished jobs still name it.

create table {schema}.queue (
  id integer generated always as identity primary key,
  tenant text not null,
  name text not null,
  uid uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  paused boolean not null default false,
  priority smallint not null default 10,
  max_concurrent integer,
  max_size bigint,
  rate_per_second double precision,
  rate_burst integer,
  ordered text not null default 'NONE' check (ordered in ('NONE', 'QUEUE', 'KEY')),
  timeout_ms bigint,
  retry json,
  dead_letter boolean not null default true,
  keep_completed_ms bigint not null,
  keep_dead_ms bigint not null,
  url_group text,
  gone boolean not null default false,
  unique (tenant, name)
);

-- Partial, so that a change of the row is no change of a key: new lanes do not wait for it.
create unique index queue_uid on {schema}.queue (uid) where not gone;
create index queue_limited on {schema}.queue (id) where max_concurrent is not null;

-- The unfinished jobs of a capped queue; a queue without a cap has no row.
create table {schema}.queue_size (
  queue integer primary key references {schema}.queue,
  unfinished bigint not null
) with (fillfactor = 50);

create table {schema}.lane (
  id integer generated always as identity primary key,
  queue integer not null references {schema}.queue,
  type text not null,
  url_group text not null,
  limit_key text not null,
  unique (queue, type, url_group, limit_key)
);

create table {schema}.worker (
  id bigint generated always as identity primary key,
  name text not null,
  slots integer not null,
  types text[] not null,
  fragile_types text[] not null,
  tenant text,
  queue text,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  lease_until timestamptz not null
) with (fillfactor = 50);

-- A remote worker has a tenant and a queue, and one entry however often and wherever it calls.
create unique index worker_visitor on {schema}.worker (tenant, queue, name) where tenant is not null;

-- Shelves: the days whose partitions exist. Shelf 0 always does, and takes what fits no day.

create table {schema}.shelf (
  kind text not null check (kind in ('job', 'done')),
  day integer not null,
  primary key (kind, day)
);

-- The body of a job, written once. The shelf is the day of its creation. No cost is a cost of 1.
create table {schema}.job (
  shelf integer not null,
  id uuid not null,
  lane integer not null,
  priority smallint not null,
  created_at timestamptz not null,
  timeout_ms bigint,
  expires_at timestamptz,
  idempotency_key text,
  metadata jsonb,
  retry json,
  payload json not null,
  cost integer,
  primary key (id, shelf)
) partition by list (shelf);

create table {schema}.job_error (
  shelf integer not null,
  job uuid not null,
  turn integer not null,
  error json not null,
  primary key (job, shelf, turn)
) partition by list (shelf);

create table {schema}.job_log (
  shelf integer not null,
  job uuid not null,
  seq bigint not null,
  at timestamptz not null,
  attempt integer not null,
  line text not null,
  primary key (job, shelf, seq)
) partition by list (shelf);

create sequence {schema}.job_log_seq as bigint cache 100;

create table {schema}.job_progress (
  shelf integer not null,
  job uuid not null,
  percent smallint not null,
  message text not null,
  at timestamptz not null,
  primary key (job, shelf)
) partition by list (shelf);

-- What became of a job that is over. The shelf is the day on which its keeping ends.
create table {schema}.done (
  shelf integer not null,
  id uuid not null,
  job_shelf integer not null,
  lane integer not null,
  priority smallint not null,
  state smallint not null,
  attempt integer not null,
  turn integer not null,
  strikes smallint not null,
  replays integer not null,
  started_at timestamptz,
  finished_at timestamptz not null,
  expires_at timestamptz not null,
  reason text,
  result json,
  primary key (id, shelf)
) partition by list (shelf);

-- For the lists of one queue or tenant, which what others have must not slow, and for the few that did not
-- complete among many that did.
create index done_lane on {schema}.done (lane, id);
create index done_not_completed on {schema}.done (id) where state <> 5;
create index done_not_completed_lane on {schema}.done (lane, id) where state <> 5;

create table {schema}.job_0 partition of {schema}.job for values in (0);
create table {schema}.job_error_0 partition of {schema}.job_error for values in (0);
create table {schema}.job_log_0 partition of {schema}.job_log for values in (0);
create table {schema}.job_progress_0 partition of {schema}.job_progress for values in (0);
create table {schema}.done_0 partition of {schema}.done for values in (0);
create index done_0_expires on {schema}.done_0 (expires_at);

-- The state of a job that is not over is the table its row is in. These are small and churn: every
-- vacuum setting here says "often". Strikes are workers that died while the job alone ran on them,
-- suspect counts those that died while others ran there as well.

create table {schema}.ready (
  lane integer not null,
  priority smallint not null,
  id uuid not null,
  shelf integer not null,
  attempt integer not null,
  turn integer not null,
  replays integer not null,
  strikes smallint not null,
  suspect smallint not null,
  primary key (lane, priority, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
        autovacuum_vacuum_cost_delay = 0);

-- Kind 1 is SCHEDULED, 4 is RETRYING.
create table {schema}.later (
  id uuid primary key,
  lane integer not null,
  run_at timestamptz not null,
  shelf integer not null,
  attempt integer not null,
  turn integer not null,
  replays integer not null,
  priority smallint not null,
  strikes smallint not null,
  kind smallint not null,
  suspect smallint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
        autovacuum_vacuum_cost_delay = 0);

create index later_due on {schema}.later (run_at);
create index later_lane on {schema}.later (lane, run_at, id);

-- The claim row: whoever ends an attempt deletes it first, by job and turn. It names the queue when that
-- may run only so many jobs at once, and has an end when it is not held as long as its worker is; other
-- claims are in no index but the first.
create table {schema}.running (
  id uuid primary key,
  worker bigint not null,
  claimed_at timestamptz not null,
  lane integer not null,
  shelf integer not null,
  attempt integer not null,
  turn integer not null,
  replays integer not null,
  priority smallint not null,
  strikes smallint not null,
  suspect smallint not null,
  started boolean not null,
  alone boolean not null default false,
  limited integer,
  lease_until timestamptz
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
        autovacuum_vacuum_cost_delay = 0);

create index running_limited on {schema}.running (limited) where limited is not null;
create index running_lease on {schema}.running (lease_until) where lease_until is not null;

create table {schema}.idempotency (
  queue integer not null,
  key text not null,
  id uuid not null,
  shelf integer not null,
  primary key (queue, key)
);

create index idempotency_shelf on {schema}.idempotency (shelf);

-- Jobs that carry an expiry of their own, and when to look at them.
create table {schema}.expiry (
  id uuid primary key,
  look_at timestamptz not null,
  lane integer not null,
  priority smallint not null
);

create index expiry_look_at on {schema}.expiry (look_at);
