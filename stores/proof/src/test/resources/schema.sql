batch.id uuid not null
batch.tenant text not null
batch.name text not null
batch.parent uuid
batch.callback uuid
batch.idempotency_key text
batch.keep_us bigint not null
batch.total bigint not null
batch.open boolean not null
batch.created_at timestamp with time zone not null
batch.ended_at timestamp with time zone
batch.expires_at timestamp with time zone
batch.state smallint
batch_count.batch uuid not null
batch_count.slot smallint not null
batch_count.completed bigint not null
batch_count.failed bigint not null
batch_count.cancelled bigint not null
breaker.tenant text not null
breaker.kind text not null
breaker.name text not null
breaker.error_threshold double precision
breaker.window_ms bigint
breaker.minimum_calls integer
breaker.slow_call_ms bigint
breaker.trip_ms bigint
breaker.half_open_max integer
breaker.state text not null
breaker.version bigint not null
breaker.changed_at timestamp with time zone not null
breaker.open_until timestamp with time zone
breaker.held_until timestamp with time zone
breaker.granted integer not null
breaker.passed integer not null
breaker_count.tenant text not null
breaker_count.kind text not null
breaker_count.name text not null
breaker_count.instance uuid not null
breaker_count.version bigint not null
breaker_count.calls bigint not null
breaker_count.failures bigint not null
breaker_count.counted_at timestamp with time zone not null
done.shelf integer not null
done.id uuid not null
done.job_shelf integer not null
done.lane integer not null
done.priority smallint not null
done.state smallint not null
done.attempt integer not null
done.turn integer not null
done.strikes smallint not null
done.replays integer not null
done.started_at timestamp with time zone
done.finished_at timestamp with time zone not null
done.expires_at timestamp with time zone not null
done.reason text
done.result json
done_0.shelf integer not null
done_0.id uuid not null
done_0.job_shelf integer not null
done_0.lane integer not null
done_0.priority smallint not null
done_0.state smallint not null
done_0.attempt integer not null
done_0.turn integer not null
done_0.strikes smallint not null
done_0.replays integer not null
done_0.started_at timestamp with time zone
done_0.finished_at timestamp with time zone not null
done_0.expires_at timestamp with time zone not null
done_0.reason text
done_0.result json
duty.name text not null
duty.begun_at timestamp with time zone not null
duty.ended_at timestamp with time zone
expiry.id uuid not null
expiry.look_at timestamp with time zone not null
expiry.lane integer not null
expiry.priority smallint not null
expiry.shelf integer not null
flow_bucket.scope text not null
flow_bucket.good_at timestamp with time zone not null
flow_bucket.interval_ns bigint not null
flow_bucket.most_running bigint
flow_bucket.rules_version bigint
flow_bucket.as_of timestamp with time zone not null
flow_limit.id integer not null
flow_limit.kind text not null
flow_limit.tenant text not null
flow_limit.name text not null
flow_limit.rate_amount double precision
flow_limit.rate_per text
flow_limit.rate_burst integer
flow_limit.concurrency integer
flow_pending.kind text not null
flow_pending.tenant text not null
flow_pending.name text not null
flow_pending.version bigint not null
flow_version.one boolean not null
flow_version.version bigint not null
idempotency.queue integer not null
idempotency.key text not null
idempotency.id uuid not null
idempotency.shelf integer not null
job.shelf integer not null
job.id uuid not null
job.lane integer not null
job.priority smallint not null
job.created_at timestamp with time zone not null
job.timeout_ms bigint
job.expires_at timestamp with time zone
job.idempotency_key text
job.metadata jsonb
job.retry json
job.payload json not null
job.cost integer
job.batch uuid
job.after json
job.planned_for timestamp with time zone
job_0.shelf integer not null
job_0.id uuid not null
job_0.lane integer not null
job_0.priority smallint not null
job_0.created_at timestamp with time zone not null
job_0.timeout_ms bigint
job_0.expires_at timestamp with time zone
job_0.idempotency_key text
job_0.metadata jsonb
job_0.retry json
job_0.payload json not null
job_0.cost integer
job_0.batch uuid
job_0.after json
job_0.planned_for timestamp with time zone
job_error.shelf integer not null
job_error.job uuid not null
job_error.turn integer not null
job_error.error json not null
job_error_0.shelf integer not null
job_error_0.job uuid not null
job_error_0.turn integer not null
job_error_0.error json not null
job_log.shelf integer not null
job_log.job uuid not null
job_log.seq bigint not null
job_log.at timestamp with time zone not null
job_log.attempt integer not null
job_log.line text not null
job_log_0.shelf integer not null
job_log_0.job uuid not null
job_log_0.seq bigint not null
job_log_0.at timestamp with time zone not null
job_log_0.attempt integer not null
job_log_0.line text not null
job_order.id uuid not null
job_order.queue integer not null
job_order.limit_key text not null
job_order.seq bigint not null
job_order.lane integer not null
job_order.priority smallint not null
job_order.waiting boolean not null
job_progress.shelf integer not null
job_progress.job uuid not null
job_progress.percent smallint not null
job_progress.message text not null
job_progress.at timestamp with time zone not null
job_progress_0.shelf integer not null
job_progress_0.job uuid not null
job_progress_0.percent smallint not null
job_progress_0.message text not null
job_progress_0.at timestamp with time zone not null
job_view.shelf integer
job_view.id uuid
job_view.lane integer
job_view.queue_id integer
job_view.tenant text
job_view.queue text
job_view.type text
job_view.url_group text
job_view.limit_key text
job_view.priority smallint
job_view.created_at timestamp with time zone
job_view.timeout_ms bigint
job_view.expires_at timestamp with time zone
job_view.idempotency_key text
job_view.metadata jsonb
job_view.retry json
job_view.payload json
job_view.cost integer
job_view.state integer
job_view.attempt integer
job_view.strikes smallint
job_view.replays integer
job_view.run_at timestamp with time zone
job_view.started_at timestamp with time zone
job_view.finished_at timestamp with time zone
job_view.kept_until timestamp with time zone
job_view.worker bigint
job_view.own_lease timestamp with time zone
job_view.result json
job_view.reason text
job_view.batch uuid
job_view.after json
job_view.waits integer
job_view.failed integer
lane.id integer not null
lane.queue integer not null
lane.type text not null
lane.url_group text not null
lane.limit_key text not null
lane.closed bigint
lane_epoch.one boolean not null
lane_epoch.epoch bigint not null
lane_epoch.marker bigint not null
later.id uuid not null
later.lane integer not null
later.run_at timestamp with time zone not null
later.shelf integer not null
later.attempt integer not null
later.turn integer not null
later.replays integer not null
later.priority smallint not null
later.strikes smallint not null
later.kind smallint not null
later.suspect smallint not null
later.batch uuid
later.waits integer
later.failed integer
later.policy smallint
later.due_at timestamp with time zone
link.successor uuid not null
link.place integer not null
link.predecessor uuid not null
link.name text not null
link.shelf integer not null
link.open boolean not null
link.broke boolean not null
migration.part text not null
migration.version integer not null
migration.file text not null
migration.checksum bigint not null
migration.applied_at timestamp with time zone not null
queue.id integer not null
queue.tenant text not null
queue.name text not null
queue.uid uuid not null
queue.created_at timestamp with time zone not null
queue.updated_at timestamp with time zone not null
queue.paused boolean not null
queue.priority smallint not null
queue.max_concurrent integer
queue.max_size bigint
queue.rate_amount double precision
queue.rate_burst integer
queue.ordered text not null
queue.timeout_ms bigint
queue.retry json
queue.dead_letter boolean not null
queue.keep_completed_ms bigint not null
queue.keep_dead_ms bigint not null
queue.url_group text
queue.gone boolean not null
queue.rate_per text
queue.warning_level double precision
queue.high_level double precision
queue.tenant_capped boolean not null
queue_size.queue integer not null
queue_size.ended bigint not null
queue_taken.queue integer not null
queue_taken.taken bigint not null
ready.lane integer not null
ready.priority smallint not null
ready.id uuid not null
ready.shelf integer not null
ready.attempt integer not null
ready.turn integer not null
ready.replays integer not null
ready.strikes smallint not null
ready.suspect smallint not null
ready.batch uuid
running.id uuid not null
running.worker bigint not null
running.claimed_at timestamp with time zone not null
running.lane integer not null
running.shelf integer not null
running.attempt integer not null
running.turn integer not null
running.replays integer not null
running.priority smallint not null
running.strikes smallint not null
running.suspect smallint not null
running.started boolean not null
running.alone boolean not null
running.lease_until timestamp with time zone
running.counted boolean not null
running.batch uuid
shelf.kind text not null
shelf.day integer not null
tenant_cap.tenant text not null
tenant_cap.max_size bigint not null
tenant_cap.warning_level double precision
tenant_cap.high_level double precision
tenant_cap.taken bigint not null
waking.predecessor uuid not null
waking.state smallint not null
waking.looked_at timestamp with time zone not null
worker.id bigint not null
worker.name text not null
worker.slots integer not null
worker.types text[] not null
worker.fragile_types text[] not null
worker.tenant text
worker.queue text
worker.started_at timestamp with time zone not null
worker.seen_at timestamp with time zone not null
worker.lease_until timestamp with time zone not null
worker.timeline text not null
CREATE UNIQUE INDEX batch_count_pkey ON batch_count USING btree (batch, slot)
CREATE INDEX batch_expires ON batch USING btree (expires_at) WHERE (expires_at IS NOT NULL)
CREATE UNIQUE INDEX batch_key ON batch USING btree (tenant, idempotency_key) WHERE (idempotency_key IS NOT NULL)
CREATE INDEX batch_parent ON batch USING btree (parent) WHERE ((parent IS NOT NULL) AND (ended_at IS NULL))
CREATE UNIQUE INDEX batch_pkey ON batch USING btree (id)
CREATE INDEX batch_tenant ON batch USING btree (tenant, id)
CREATE INDEX batch_unended ON batch USING btree (id) WHERE ((ended_at IS NULL) AND (NOT open))
CREATE UNIQUE INDEX breaker_count_pkey ON breaker_count USING btree (tenant, kind, name, instance)
CREATE UNIQUE INDEX breaker_pkey ON breaker USING btree (tenant, kind, name)
CREATE INDEX done_0_expires ON done_0 USING btree (expires_at)
CREATE INDEX done_0_id_idx ON done_0 USING btree (id) WHERE (state <> 5)
CREATE INDEX done_0_job_shelf_lane_id_idx ON done_0 USING btree (job_shelf, lane, id) WHERE ((shelf = 0) OR ((shelf - job_shelf) > 1))
CREATE INDEX done_0_lane_id_idx1 ON done_0 USING btree (lane, id) WHERE (state <> 5)
CREATE UNIQUE INDEX done_0_pkey ON done_0 USING btree (lane, id, shelf)
CREATE INDEX done_not_completed ON ONLY done USING btree (id) WHERE (state <> 5)
CREATE INDEX done_not_completed_lane ON ONLY done USING btree (lane, id) WHERE (state <> 5)
CREATE INDEX done_outlives ON ONLY done USING btree (job_shelf, lane, id) WHERE ((shelf = 0) OR ((shelf - job_shelf) > 1))
CREATE UNIQUE INDEX done_pkey ON ONLY done USING btree (lane, id, shelf)
CREATE UNIQUE INDEX duty_pkey ON duty USING btree (name)
CREATE INDEX expiry_look_at ON expiry USING btree (look_at)
CREATE UNIQUE INDEX expiry_pkey ON expiry USING btree (id)
CREATE UNIQUE INDEX flow_bucket_pkey ON flow_bucket USING btree (scope)
CREATE UNIQUE INDEX flow_limit_kind_tenant_name_key ON flow_limit USING btree (kind, tenant, name)
CREATE UNIQUE INDEX flow_limit_pkey ON flow_limit USING btree (id)
CREATE UNIQUE INDEX flow_pending_pkey ON flow_pending USING btree (kind, tenant, name)
CREATE UNIQUE INDEX flow_version_pkey ON flow_version USING btree (one)
CREATE UNIQUE INDEX idempotency_pkey ON idempotency USING btree (queue, key)
CREATE INDEX idempotency_shelf ON idempotency USING btree (shelf)
CREATE INDEX job_0_batch_id_idx ON job_0 USING btree (batch, id) WHERE (batch IS NOT NULL)
CREATE UNIQUE INDEX job_0_pkey ON job_0 USING btree (id, shelf)
CREATE INDEX job_batch ON ONLY job USING btree (batch, id) WHERE (batch IS NOT NULL)
CREATE UNIQUE INDEX job_error_0_pkey ON job_error_0 USING btree (job, shelf, turn)
CREATE UNIQUE INDEX job_error_pkey ON ONLY job_error USING btree (job, shelf, turn)
CREATE UNIQUE INDEX job_log_0_pkey ON job_log_0 USING btree (job, shelf, seq)
CREATE UNIQUE INDEX job_log_pkey ON ONLY job_log USING btree (job, shelf, seq)
CREATE INDEX job_order_key ON job_order USING btree (queue, limit_key, seq) WHERE (NOT waiting)
CREATE UNIQUE INDEX job_order_pkey ON job_order USING btree (id)
CREATE INDEX job_order_queue ON job_order USING btree (queue, seq) WHERE (NOT waiting)
CREATE UNIQUE INDEX job_pkey ON ONLY job USING btree (id, shelf)
CREATE UNIQUE INDEX job_progress_0_pkey ON job_progress_0 USING btree (job, shelf)
CREATE UNIQUE INDEX job_progress_pkey ON ONLY job_progress USING btree (job, shelf)
CREATE INDEX lane_closed ON lane USING btree (id) WHERE (closed IS NOT NULL)
CREATE UNIQUE INDEX lane_epoch_pkey ON lane_epoch USING btree (one)
CREATE INDEX lane_limit_key ON lane USING btree (queue, limit_key) WHERE (limit_key <> ''::text)
CREATE UNIQUE INDEX lane_pkey ON lane USING btree (id)
CREATE UNIQUE INDEX lane_queue_type_url_group_limit_key_key ON lane USING btree (queue, type, url_group, limit_key)
CREATE INDEX later_again ON later USING btree (lane) WHERE (turn > 0)
CREATE INDEX later_batch ON later USING btree (batch, id) WHERE (batch IS NOT NULL)
CREATE INDEX later_due ON later USING btree (run_at)
CREATE INDEX later_lane ON later USING btree (lane, run_at, id)
CREATE UNIQUE INDEX later_pkey ON later USING btree (id)
CREATE INDEX link_open ON link USING btree (predecessor) WHERE open
CREATE UNIQUE INDEX link_pkey ON link USING btree (successor, place)
CREATE INDEX link_predecessor ON link USING btree (predecessor)
CREATE INDEX link_shelf ON link USING btree (shelf)
CREATE UNIQUE INDEX migration_pkey ON migration USING btree (part, version)
CREATE UNIQUE INDEX queue_pkey ON queue USING btree (id)
CREATE UNIQUE INDEX queue_size_pkey ON queue_size USING btree (queue)
CREATE UNIQUE INDEX queue_taken_pkey ON queue_taken USING btree (queue)
CREATE UNIQUE INDEX queue_tenant_name_key ON queue USING btree (tenant, name)
CREATE UNIQUE INDEX queue_uid ON queue USING btree (uid) WHERE (NOT gone)
CREATE INDEX ready_batch ON ready USING btree (batch) WHERE (batch IS NOT NULL)
CREATE UNIQUE INDEX ready_pkey ON ready USING btree (lane, priority, id)
CREATE INDEX running_counted ON running USING btree (lane) WHERE counted
CREATE INDEX running_lease ON running USING btree (lease_until) WHERE (lease_until IS NOT NULL)
CREATE UNIQUE INDEX running_pkey ON running USING btree (id)
CREATE UNIQUE INDEX shelf_pkey ON shelf USING btree (kind, day)
CREATE UNIQUE INDEX tenant_cap_pkey ON tenant_cap USING btree (tenant)
CREATE UNIQUE INDEX waking_pkey ON waking USING btree (predecessor)
CREATE UNIQUE INDEX worker_pkey ON worker USING btree (id)
CREATE UNIQUE INDEX worker_visitor ON worker USING btree (tenant, queue, name) WHERE (tenant IS NOT NULL)
done partition by LIST (shelf)
job partition by LIST (shelf)
job_error partition by LIST (shelf)
job_log partition by LIST (shelf)
job_progress partition by LIST (shelf)
batch with (fillfactor=50)
batch_count with (fillfactor=50)
breaker with (fillfactor=50)
breaker_count with (fillfactor=50)
flow_bucket with (fillfactor=50)
job_order with (fillfactor=80)
later with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000, autovacuum_vacuum_cost_delay=0)
queue_size with (fillfactor=50)
queue_taken with (fillfactor=50)
ready with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000, autovacuum_vacuum_cost_delay=0)
running with (fillfactor=80, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000, autovacuum_vacuum_cost_delay=0)
tenant_cap with (fillfactor=50)
worker with (fillfactor=50)
behind(roots uuid[]) returns TABLE(id uuid)
come_back(jobs uuid[], lanes integer[], homes uuid[], missing integer[], successors uuid[], places integer[], moment timestamp with time zone, OUT ready uuid[], OUT planned boolean) returns record
count_ended(homes uuid[], fates smallint[]) returns uuid[]
count_members(batches uuid[], states smallint[], times integer) returns void
end_batch(wanted uuid, moment timestamp with time zone, OUT ended boolean, OUT ready uuid[], OUT planned boolean, OUT asked uuid[], OUT cancelled uuid[], OUT lanes integer[]) returns record
enqueue(type text, payload jsonb DEFAULT '{}'::jsonb, queue text DEFAULT 'default'::text, tenant text DEFAULT 'default'::text, priority integer DEFAULT 10, run_at timestamp with time zone DEFAULT now(), idempotency_key text DEFAULT NULL::text, metadata jsonb DEFAULT '{}'::jsonb) returns uuid
follow_cap(made integer) returns boolean
hold_batches(ids uuid[]) returns TABLE(held uuid, home uuid, outcome smallint)
hold_predecessors(ids uuid[], wanted text, moment timestamp with time zone) returns TABLE(held uuid, outcome smallint, ready boolean)
is_committed(writer xid) returns boolean
keep_needed(successors uuid[], moment timestamp with time zone) returns void
lane_for(wanted_queue integer, wanted_type text, wanted_group text, wanted_key text) returns integer
make_shelf(kind text, day integer) returns boolean
needing(wanted uuid) returns uuid
queue_for(wanted_tenant text, wanted text, moment timestamp with time zone DEFAULT now()) returns queue
shelf_at(kind text, moment timestamp with time zone) returns integer
take_room(wanted integer) returns void
take_turns(waiting uuid[], ids uuid[], ends smallint[], moment timestamp with time zone, OUT ready uuid[], OUT planned boolean, OUT cancelled uuid[], OUT lanes integer[], OUT homes uuid[]) returns record
timeline() returns text
uuid7() returns uuid
wait_again(jobs uuid[], fates smallint[], homes uuid[]) returns void
wake(ended uuid[], states smallint[], batches uuid[], moment timestamp with time zone, patient boolean DEFAULT true, OUT ready uuid[], OUT planned boolean, OUT asked uuid[], OUT cancelled uuid[], OUT lanes integer[]) returns record
wake_links(ended uuid[], states smallint[], jobs uuid[], most integer, patient boolean, moment timestamp with time zone, OUT ready uuid[], OUT planned boolean, OUT cancelled uuid[], OUT lanes integer[], OUT homes uuid[], OUT fates smallint[], OUT links bigint) returns record
wake_more(most integer, moment timestamp with time zone, OUT links bigint, OUT ready uuid[], OUT planned boolean, OUT asked uuid[], OUT cancelled uuid[], OUT lanes integer[]) returns record
wake_new(ended uuid[], states smallint[], jobs uuid[], moment timestamp with time zone, OUT ready uuid[], OUT planned boolean, OUT asked uuid[], OUT cancelled uuid[], OUT lanes integer[]) returns record
