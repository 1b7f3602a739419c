-- What a budget counts, in words: `tokens`.
CREATE OR REPLACE FUNCTION budget_unit(p_metric text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_metric WHEN 'llm_tokens' THEN 'tokens' WHEN 'llm_cost_usd' THEN 'US dollars'
    WHEN 'workflow_runs' THEN 'workflow runs' ELSE 'voice minutes' END
$$;

--> statement-breakpoint
-- What a budget has used in this calendar month (UTC), in millionths of its unit.
CREATE OR REPLACE FUNCTION budget_used(b budgets) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN b.counted_until >= m.began THEN b.counted_micros ELSE 0 END + CASE b.metric
    WHEN 'llm_tokens' THEN (
      SELECT coalesce(sum(u.input_tokens::bigint + u.output_tokens), 0) * 1000000 FROM usage_records u
      WHERE u.organization_id = b.organization_id AND u.created_at >= greatest(m.began, b.counted_until)
        AND (b.project_id IS NULL OR u.project_id = b.project_id))
    WHEN 'llm_cost_usd' THEN (
      SELECT coalesce(sum(u.cost_micros), 0) FROM usage_records u
      WHERE u.organization_id = b.organization_id AND u.created_at >= greatest(m.began, b.counted_until)
        AND (b.project_id IS NULL OR u.project_id = b.project_id))
    -- A call in flight counts with what it reserves, an ended one with its charge.
    WHEN 'voice_minutes' THEN (
      SELECT round(coalesce(sum(coalesce(v.charged_s, v.reserved_s)), 0) * 1000000 / 60.0) FROM voice_sessions v
      WHERE v.organization_id = b.organization_id AND v.kind = 'outbound_call'
        AND v.lease_period = (m.began AT TIME ZONE 'UTC')::date
        AND (b.project_id IS NULL OR v.project_id = b.project_id))
    ELSE 0 END
  FROM (SELECT date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' AS began) m
$$;
--> statement-breakpoint
-- The key of the advisory lock that serialises counted starts of an organization. Used with a first number of 1, so it
-- cannot collide with locks of one number. Two organizations with the same hash only wait for each other.
CREATE OR REPLACE FUNCTION starts_lock(p_organization uuid) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtext(p_organization::text)
$$;
--> statement-breakpoint
-- The reason for pausing runs of a project (null: of the organization itself) whose budget for models is used up, such as
-- `budget llm_tokens used up`; null when no budget is.
CREATE OR REPLACE FUNCTION used_up_budget(p_organization uuid, p_project uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT format('budget %s%s used up', b.metric, CASE WHEN b.project_id IS NULL THEN '' ELSE ' of the project' END)
  FROM budgets b
  WHERE b.organization_id = p_organization AND (b.project_id IS NULL OR b.project_id = p_project)
    AND b.metric IN ('llm_tokens', 'llm_cost_usd') AND budget_used(b) >= b.limit_micros
  ORDER BY b.project_id NULLS FIRST, b.metric
  LIMIT 1
$$;
--> statement-breakpoint
-- Adds the usage records up to five minutes ago to the counts of all budgets, as a start does for its own budgets, so that
-- reading a budget never sums more than some minutes of records. Transactions that write usage records are shorter than
-- that. Of two concurrent calls the second waits for the row lock, finds the budget settled and skips it.
CREATE OR REPLACE FUNCTION settle_budgets() RETURNS void LANGUAGE sql AS $$
  UPDATE budgets b SET counted_until = s.settled, counted_micros = budget_used(b) - (
    SELECT CASE b.metric
      WHEN 'llm_tokens' THEN coalesce(sum(u.input_tokens::bigint + u.output_tokens), 0) * 1000000
      ELSE coalesce(sum(u.cost_micros), 0) END
    FROM usage_records u
    WHERE u.organization_id = b.organization_id AND u.created_at >= s.settled
      AND (b.project_id IS NULL OR u.project_id = b.project_id))
  FROM (SELECT now() - interval '5 minutes' AS settled) s
  WHERE b.metric IN ('llm_tokens', 'llm_cost_usd') AND b.counted_until < s.settled - interval '5 minutes'
    AND s.settled >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
$$;
--> statement-breakpoint
-- Decides whether a workflow run may start, and writes it. This is a function because each statement in it sees what was
-- committed before that statement; a single statement would take its snapshot before it waits for the lock, and miscount.
--
-- Far from the ceiling, starts share the lock and commit side by side: at most max_connections of them are in progress
-- at once, so the ones that cannot see each other cannot exceed the ceiling. Near it, and wherever a budget counts, the
-- lock is exclusive; a caller that holds it shared gets `retry_exclusive`, and nothing is written.
--
-- A start without a key, far from the ceiling and without a budget takes one statement after the lock, because every
-- statement and every assignment in PL/pgSQL costs some microseconds. The lock comes first, so that the snapshot is
-- taken while the lock is held.
CREATE OR REPLACE FUNCTION accept_run(
  p_id uuid, p_organization uuid, p_key_project uuid, p_workflow uuid, p_source text, p_fired_node text, p_input json,
  p_api_key uuid, p_waiter text, p_worker text, p_lease_seconds float8, p_created_at timestamptz,
  p_path text, p_key text, p_body_hash text, p_exclusive boolean, p_scheduled_for timestamptz, p_started_by_user uuid,
  -- The version that the request was checked against; null: whichever is active.
  p_version uuid DEFAULT NULL,
  -- The run of an agent or a team whose tool starts it.
  p_started_by_run uuid DEFAULT NULL
) RETURNS json LANGUAGE plpgsql
-- A bitmap scan would visit every ended run that no vacuum has removed, again for every start.
SET enable_bitmapscan = off
AS $$
DECLARE
  v_project uuid;
  v_deployment uuid;
  v_version uuid;
  v_ceiling integer;
  v_busy bigint;
  v_budgeted boolean;
  v_crowded boolean;
  v_budget budgets;
  v_used numeric;
  v_settled timestamptz;
  v_status text;
  v_error text;
  v_held_run uuid;
  v_held_hash text;
  v_locked boolean;
  v_outcome json;
BEGIN
  -- An assignment: PERFORM would be one more statement.
  v_locked := CASE WHEN p_exclusive THEN pg_advisory_xact_lock(1, starts_lock(p_organization))
    ELSE pg_advisory_xact_lock_shared(1, starts_lock(p_organization)) END IS NULL;

  -- The fast path of nearly every start. A start that does not qualify inserts no row here; the statements below find
  -- out why.
  IF p_key IS NULL THEN
    INSERT INTO workflow_runs (id, organization_id, project_id, workflow_id, deployment_id, version_id, source,
      fired_node_id, scheduled_for, started_by_user_id, started_by_run_id, status, input, variables, api_key_id, waiter, worker_id,
      lease_until, dispatch_due_at, created_at, started_at)
    SELECT p_id, p_organization, w.project_id, p_workflow, d.id, d.version_id, p_source,
      p_fired_node, p_scheduled_for, p_started_by_user, p_started_by_run, CASE WHEN p_worker IS NULL THEN 'queued' ELSE 'running' END,
      p_input, '{}', p_api_key, p_waiter, p_worker,
      CASE WHEN p_worker IS NOT NULL THEN now() + make_interval(secs => p_lease_seconds) END,
      CASE WHEN p_worker IS NULL THEN now() END, p_created_at, CASE WHEN p_worker IS NOT NULL THEN p_created_at END
    FROM workflows w
    JOIN organizations o ON o.id = w.organization_id
    JOIN workflow_deployments d ON d.id = w.active_deployment_id
    WHERE w.id = p_workflow AND w.organization_id = p_organization AND w.deleted_at IS NULL
      AND (p_key_project IS NULL OR w.project_id = p_key_project)
      AND (p_version IS NULL OR d.version_id = p_version)
      AND NOT EXISTS (
        SELECT FROM budgets b
        WHERE b.organization_id = p_organization AND (b.project_id IS NULL OR b.project_id = w.project_id)
          AND b.metric IN ('workflow_runs', 'llm_tokens', 'llm_cost_usd'))
      AND (
        SELECT count(*) FROM workflow_runs r
        WHERE r.organization_id = p_organization
          AND r.status IN ('queued', 'running', 'paused', 'awaiting_approval')
      ) < o.concurrent_runs - current_setting('max_connections')::integer
    RETURNING json_build_object('kind', 'accepted', 'status', status, 'projectId', project_id,
      'deploymentId', deployment_id, 'versionId', version_id, 'crowded', false) INTO v_outcome;
    IF FOUND THEN
      RETURN v_outcome;
    END IF;
  END IF;

  v_settled := now() - interval '5 minutes';
  v_status := CASE WHEN p_worker IS NULL THEN 'queued' ELSE 'running' END;
  SELECT w.project_id, d.id, d.version_id, o.concurrent_runs INTO v_project, v_deployment, v_version, v_ceiling
  FROM workflows w
  JOIN organizations o ON o.id = w.organization_id
  LEFT JOIN workflow_deployments d ON d.id = w.active_deployment_id
  WHERE w.id = p_workflow AND w.organization_id = p_organization AND w.deleted_at IS NULL;
  IF NOT FOUND THEN
    RETURN json_build_object('kind', 'workflow_not_found');
  END IF;
  IF p_key_project IS NOT NULL AND v_project IS DISTINCT FROM p_key_project THEN
    RETURN json_build_object('kind', 'forbidden');
  END IF;
  IF v_deployment IS NULL THEN
    RETURN json_build_object('kind', 'workflow_not_published');
  END IF;
  IF v_version <> p_version THEN
    RETURN json_build_object('kind', 'version_changed');
  END IF;

  -- A repeated request gets its run, even if the ceiling is reached by now. The lookup holds the lock: of two concurrent
  -- requests with one key that compete for the last slot, the second finds the run of the first.
  IF p_key IS NOT NULL THEN
    SELECT workflow_run_id, body_hash INTO v_held_run, v_held_hash FROM idempotency_keys
    WHERE api_key_id = p_api_key AND path = p_path AND key = p_key
      AND created_at > p_created_at - interval '24 hours';
    IF FOUND THEN
      RETURN json_build_object('kind', 'idempotency_key_used', 'runId', v_held_run, 'bodyHash', v_held_hash);
    END IF;
  END IF;

  SELECT count(*) INTO v_busy FROM workflow_runs
  WHERE organization_id = p_organization AND status IN ('queued', 'running', 'paused', 'awaiting_approval');
  v_budgeted := EXISTS (
    SELECT FROM budgets
    WHERE organization_id = p_organization AND (project_id IS NULL OR project_id = v_project)
      AND metric IN ('workflow_runs', 'llm_tokens', 'llm_cost_usd'));
  v_crowded := v_budgeted OR v_busy >= v_ceiling - current_setting('max_connections')::integer;
  IF v_crowded AND NOT p_exclusive THEN
    RETURN json_build_object('kind', 'retry_exclusive');
  END IF;

  -- Budgets come before the ceiling, because a retry does not help against a budget.
  IF v_budgeted THEN
    -- Ledger rows older than five minutes are final, and none is inserted among them later: their sum is stored.
    UPDATE budgets b SET counted_until = v_settled, counted_micros = budget_used(b) - (
      SELECT CASE b.metric
        WHEN 'llm_tokens' THEN coalesce(sum(u.input_tokens::bigint + u.output_tokens), 0) * 1000000
        ELSE coalesce(sum(u.cost_micros), 0) END
      FROM usage_records u
      WHERE u.organization_id = b.organization_id AND u.created_at >= v_settled
        AND (b.project_id IS NULL OR u.project_id = b.project_id))
    WHERE b.organization_id = p_organization AND b.metric IN ('llm_tokens', 'llm_cost_usd')
      AND b.counted_until < v_settled - interval '5 minutes'
      AND v_settled >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
    FOR v_budget IN
      SELECT * FROM budgets
      WHERE organization_id = p_organization AND (project_id IS NULL OR project_id = v_project)
        AND metric IN ('workflow_runs', 'llm_tokens', 'llm_cost_usd')
      ORDER BY project_id NULLS FIRST, metric
    LOOP
      v_used := budget_used(v_budget);
      IF v_used >= v_budget.limit_micros THEN
        v_status := 'policy_blocked';
        v_error := format('The budget for %s%s is used up: %s of %s this month.', budget_unit(v_budget.metric),
          CASE WHEN v_budget.project_id IS NULL THEN '' ELSE ' of the project' END,
          trim_scale(v_used / 1000000), trim_scale(v_budget.limit_micros / 1000000.0));
        EXIT;
      END IF;
    END LOOP;
  END IF;
  IF v_error IS NULL AND v_busy >= v_ceiling THEN
    v_status := 'concurrency_limit_reached';
    v_error := format('The organization is at its ceiling of %s concurrent workflow runs.', v_ceiling);
  END IF;

  INSERT INTO workflow_runs (id, organization_id, project_id, workflow_id, deployment_id, version_id, source,
    fired_node_id, scheduled_for, started_by_user_id, started_by_run_id, status, input, variables, error, api_key_id, waiter, worker_id,
    lease_until, dispatch_due_at, created_at, started_at, completed_at)
  VALUES (p_id, p_organization, v_project, p_workflow, v_deployment, v_version, p_source,
    p_fired_node, p_scheduled_for, p_started_by_user, p_started_by_run, v_status, p_input, '{}', v_error, p_api_key, p_waiter,
    CASE WHEN v_status = 'running' THEN p_worker END,
    CASE WHEN v_status = 'running' THEN now() + make_interval(secs => p_lease_seconds) END,
    CASE WHEN v_status = 'queued' THEN now() END,
    p_created_at, CASE WHEN v_status = 'running' THEN p_created_at END,
    CASE WHEN v_error IS NOT NULL THEN p_created_at END);

  -- Of two starts with one key, the second waits here until the first commits; it returns the run of the first and
  -- deletes its own, which no other transaction has seen. A start that the ceiling rejected claims no key, because a
  -- retry may succeed.
  IF p_key IS NOT NULL AND v_status <> 'concurrency_limit_reached' THEN
    INSERT INTO idempotency_keys AS held (api_key_id, path, key, organization_id, body_hash, workflow_run_id, created_at)
    VALUES (p_api_key, p_path, p_key, p_organization, p_body_hash, p_id, p_created_at)
    ON CONFLICT (api_key_id, path, key) DO UPDATE SET
      workflow_run_id = CASE WHEN held.created_at <= excluded.created_at - interval '24 hours'
        THEN excluded.workflow_run_id ELSE held.workflow_run_id END,
      body_hash = CASE WHEN held.created_at <= excluded.created_at - interval '24 hours'
        THEN excluded.body_hash ELSE held.body_hash END,
      created_at = CASE WHEN held.created_at <= excluded.created_at - interval '24 hours'
        THEN excluded.created_at ELSE held.created_at END
    RETURNING held.workflow_run_id, held.body_hash INTO v_held_run, v_held_hash;
    IF v_held_run <> p_id THEN
      DELETE FROM workflow_runs WHERE id = p_id;
      RETURN json_build_object('kind', 'idempotency_key_used', 'runId', v_held_run, 'bodyHash', v_held_hash);
    END IF;
  END IF;
  IF v_error IS NOT NULL THEN
    RETURN json_build_object('kind', 'rejected', 'status', v_status, 'error', v_error, 'crowded', v_crowded);
  END IF;
  IF v_budgeted THEN
    UPDATE budgets SET counted_until = greatest(counted_until, now()), counted_micros = 1000000 + CASE
      WHEN counted_until >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' THEN counted_micros
      ELSE 0 END
    WHERE organization_id = p_organization AND metric = 'workflow_runs'
      AND (project_id IS NULL OR project_id = v_project);
  END IF;
  RETURN json_build_object('kind', 'accepted', 'status', v_status, 'projectId', v_project,
    'deploymentId', v_deployment, 'versionId', v_version, 'crowded', v_crowded);
END
$$;
--> statement-breakpoint
-- Why a run of an agent or a team may not start now: a budget for models of its organization or project is used up, or
-- what is left of it is reserved by runs in flight. null: it may start. The caller inserts the run, with its reservation,
-- in the same transaction: the lock makes starts take turns, and each query here sees what committed before it.
CREATE OR REPLACE FUNCTION refuse_run(p_organization uuid, p_project uuid) RETURNS text LANGUAGE plpgsql
-- A bitmap scan would visit every ended run that no vacuum has removed, again for every start.
SET enable_bitmapscan = off
AS $$
DECLARE
  v_budget budgets;
  v_used numeric;
  v_reserved numeric;
BEGIN
  PERFORM pg_advisory_xact_lock(1, starts_lock(p_organization));
  FOR v_budget IN
    SELECT * FROM budgets
    WHERE organization_id = p_organization AND (project_id IS NULL OR project_id = p_project)
      AND metric IN ('llm_tokens', 'llm_cost_usd')
    ORDER BY project_id NULLS FIRST, metric
  LOOP
    v_used := budget_used(v_budget);
    SELECT coalesce(sum(CASE v_budget.metric WHEN 'llm_tokens' THEN f.reserved_tokens * 1000000::bigint
      ELSE f.reserved_cost_micros END), 0) INTO v_reserved
    FROM (
      SELECT organization_id, project_id, reserved_tokens, reserved_cost_micros FROM runs WHERE status = 'running'
      UNION ALL
      SELECT organization_id, project_id, reserved_tokens, reserved_cost_micros FROM runs
      WHERE source = 'api_async' AND status = 'queued'
    ) f
    WHERE f.organization_id = p_organization AND (v_budget.project_id IS NULL OR f.project_id = v_budget.project_id);
    IF v_used + v_reserved >= v_budget.limit_micros THEN
      RETURN format('The budget for %s%s is used up: %s of %s this month%s.', budget_unit(v_budget.metric),
        CASE WHEN v_budget.project_id IS NULL THEN '' ELSE ' of the project' END,
        trim_scale(v_used / 1000000), trim_scale(v_budget.limit_micros / 1000000.0),
        CASE WHEN v_reserved > 0 THEN format(', and %s reserved by runs in flight', trim_scale(v_reserved / 1000000))
          ELSE '' END);
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- The key of a ledger row in a dimension of usage; null: the row belongs to none.
CREATE OR REPLACE FUNCTION usage_key(u usage_records, p_dimension text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE p_dimension
    WHEN 'day' THEN (u.created_at AT TIME ZONE 'UTC')::date::text
    WHEN 'agent' THEN u.agent_id::text
    WHEN 'team' THEN u.team_id::text
    WHEN 'workflow' THEN u.workflow_id::text
    WHEN 'model' THEN u.model_id
    WHEN 'key' THEN u.api_key_id::text
    WHEN 'user' THEN nullif(u.user_id, '')
    WHEN 'tag' THEN u.tag
    WHEN 'purpose' THEN u.purpose
  END
$$;
--> statement-breakpoint
-- Adds the next stretch of settled ledger rows, at most up to the next midnight (UTC), to the totals of its day and its
-- month, and moves the watermark past it in the same transaction. Rows older than five minutes are settled: transactions
-- that write them are shorter. Of two concurrent calls the second waits for the watermark's row and continues from the moved
-- one. A run counts once for each key, on the day of its first call. Returns whether more settled rows are left.
--
-- Planned anew for each stretch, because the planner must know its bounds. Without JIT, because compiling the plan takes
-- seconds.
CREATE OR REPLACE FUNCTION roll_up_usage() RETURNS boolean LANGUAGE plpgsql
SET jit = off
SET plan_cache_mode = force_custom_plan
AS $$
DECLARE
  v_settled timestamptz := date_trunc('milliseconds', now() - interval '5 minutes');
  v_began timestamptz;
  v_ended timestamptz;
  v_day date;
BEGIN
  INSERT INTO usage_rollup (is_only, rolled_until)
  SELECT true, coalesce((SELECT min(created_at) FROM usage_records), v_settled)
  WHERE NOT EXISTS (SELECT FROM usage_rollup)
  ON CONFLICT DO NOTHING;
  SELECT rolled_until INTO v_began FROM usage_rollup FOR UPDATE;
  IF v_began >= v_settled THEN
    RETURN false;
  END IF;
  v_ended := least(v_settled, (date_trunc('day', v_began AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC');
  v_day := (v_began AT TIME ZONE 'UTC')::date;

  WITH calls AS MATERIALIZED (
    SELECT u.* FROM organizations o CROSS JOIN LATERAL (
      SELECT * FROM usage_records r
      WHERE r.organization_id = o.id AND r.created_at >= v_began AND r.created_at < v_ended
    ) u
  ), keyed AS (
    SELECT u.organization_id, u.project_id, d.dimension, k.key, u.run_id, bool_or(u.purpose <> 'embedding') AS is_run,
      count(*) AS calls, count(*) FILTER (WHERE NOT u.ok AND u.error_code IS DISTINCT FROM 'aborted') AS failed_calls, sum(u.input_tokens::bigint) AS input_tokens, sum(u.cached_tokens::bigint) AS cached_tokens,
      sum(u.output_tokens::bigint) AS output_tokens, sum(u.cost_micros) AS cost_micros
    FROM calls u
    CROSS JOIN unnest(ARRAY['day', 'agent', 'team', 'workflow', 'model', 'key', 'user', 'tag', 'purpose']) d(dimension)
    CROSS JOIN LATERAL (SELECT CASE d.dimension
      -- No key for `day`: totals have a column for it.
      WHEN 'agent' THEN u.agent_id::text WHEN 'team' THEN u.team_id::text WHEN 'workflow' THEN u.workflow_id::text
      WHEN 'model' THEN u.model_id WHEN 'key' THEN u.api_key_id::text WHEN 'user' THEN nullif(u.user_id, '')
      WHEN 'tag' THEN u.tag WHEN 'purpose' THEN u.purpose END AS key) k
    GROUP BY u.organization_id, u.project_id, d.dimension, k.key, u.run_id
  ), older AS MATERIALIZED (
    SELECT DISTINCT e.run_id, e.agent_id::text AS agent, e.model_id AS model
    FROM (SELECT DISTINCT run_id FROM calls) c
    CROSS JOIN LATERAL (
      SELECT * FROM usage_records r WHERE r.run_id = c.run_id AND r.created_at < v_began AND r.purpose <> 'embedding'
    ) e
  ), summed AS MATERIALIZED (
    SELECT k.organization_id, k.project_id, k.dimension, k.key,
      count(*) FILTER (WHERE k.is_run AND NOT EXISTS (
        SELECT FROM older o WHERE o.run_id = k.run_id AND CASE k.dimension
          WHEN 'agent' THEN o.agent IS NOT DISTINCT FROM k.key WHEN 'model' THEN o.model = k.key ELSE true END)) AS runs,
      sum(k.calls) AS model_calls, sum(k.failed_calls) AS failed_calls, sum(k.input_tokens) AS input_tokens,
      sum(k.cached_tokens) AS cached_tokens, sum(k.output_tokens) AS output_tokens, sum(k.cost_micros) AS cost_micros
    FROM keyed k
    GROUP BY k.organization_id, k.project_id, k.dimension, k.key
  ), days AS (
    INSERT INTO usage_totals AS held (organization_id, project_id, dimension, day, key, runs, model_calls, failed_calls,
      input_tokens, cached_tokens, output_tokens, cost_micros)
    SELECT organization_id, project_id, dimension, v_day, key, runs, model_calls, failed_calls, input_tokens,
      cached_tokens, output_tokens, cost_micros
    FROM summed
    ON CONFLICT ON CONSTRAINT usage_totals_identity DO UPDATE SET
      runs = held.runs + excluded.runs, model_calls = held.model_calls + excluded.model_calls,
      failed_calls = held.failed_calls + excluded.failed_calls,
      input_tokens = held.input_tokens + excluded.input_tokens,
      cached_tokens = held.cached_tokens + excluded.cached_tokens,
      output_tokens = held.output_tokens + excluded.output_tokens,
      cost_micros = CASE WHEN held.cost_micros IS NULL THEN excluded.cost_micros
        ELSE held.cost_micros + coalesce(excluded.cost_micros, 0) END
  )
  -- The stretch is within a day, hence within a month.
  INSERT INTO usage_months AS held (organization_id, project_id, dimension, month, key, runs, model_calls, failed_calls,
    input_tokens, cached_tokens, output_tokens, cost_micros)
  SELECT organization_id, project_id, dimension, date_trunc('month', v_day::timestamp)::date, key, runs, model_calls,
    failed_calls, input_tokens, cached_tokens, output_tokens, cost_micros
  FROM summed WHERE dimension <> 'day'
  ON CONFLICT ON CONSTRAINT usage_months_identity DO UPDATE SET
    runs = held.runs + excluded.runs, model_calls = held.model_calls + excluded.model_calls,
    failed_calls = held.failed_calls + excluded.failed_calls,
    input_tokens = held.input_tokens + excluded.input_tokens,
    cached_tokens = held.cached_tokens + excluded.cached_tokens,
    output_tokens = held.output_tokens + excluded.output_tokens,
    cost_micros = CASE WHEN held.cost_micros IS NULL THEN excluded.cost_micros
      ELSE held.cost_micros + coalesce(excluded.cost_micros, 0) END;

  UPDATE usage_rollup SET rolled_until = v_ended;
  RETURN v_ended < v_settled;
END
$$;
--> statement-breakpoint
-- Sums of the ledger by the keys of a dimension, from one day to another (UTC, inclusive): the totals of whole months, the
-- daily totals before and after them, and the rows that are not in them yet. STABLE: watermark, totals and rows are of one
-- snapshot. A project sees its own calls only. The largest by p_rank come first: tokens, cost, runs or errors; equal ones by
-- tokens.
--
-- Planned anew for each report, because the planner must know the watermark and the days: a report that scans the ledger
-- takes seconds.
CREATE OR REPLACE FUNCTION usage_sums(
  p_organization uuid, p_project uuid, p_dimension text, p_from date, p_to date, p_limit integer, p_rank text
) RETURNS TABLE (
  key text, runs bigint, model_calls bigint, failed_calls bigint, input_tokens bigint, cached_tokens bigint,
  output_tokens bigint, cost_micros bigint
) LANGUAGE plpgsql STABLE
SET jit = off
SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
  v_rolled timestamptz := coalesce((SELECT rolled_until FROM usage_rollup), '-infinity');
  v_from timestamptz := greatest(v_rolled, p_from::timestamp AT TIME ZONE 'UTC');
  v_to timestamptz := (p_to + 1)::timestamp AT TIME ZONE 'UTC';
  -- Whole months, from the first day of one to before the first day of another.
  v_months_from date := date_trunc('month', p_from + interval '1 month' - interval '1 day')::date;
  v_months_to date := date_trunc('month', (p_to + 1)::timestamp)::date;
BEGIN
  -- No total is of a later day than the watermark, so the month of the watermark is whole for a report that includes it.
  IF p_to >= (v_rolled AT TIME ZONE 'UTC')::date THEN
    v_months_to := date_trunc('month', p_to + interval '1 month')::date;
  END IF;
  IF p_dimension = 'day' OR v_months_from > v_months_to THEN
    v_months_from := p_to + 1;
    v_months_to := p_to + 1;
  END IF;
  RETURN QUERY
  WITH parts AS (
    SELECT CASE p_dimension WHEN 'day' THEN t.day::text ELSE t.key END AS key, t.runs, t.model_calls, t.failed_calls,
      t.input_tokens, t.cached_tokens, t.output_tokens, t.cost_micros
    FROM (VALUES (p_from, least(v_months_from, p_to + 1)), (greatest(v_months_to, p_from), p_to + 1)) days (first, ended)
    JOIN usage_totals t ON t.organization_id = p_organization AND t.dimension = p_dimension
      AND t.day >= days.first AND t.day < days.ended
    WHERE p_project IS NULL OR t.project_id = p_project
    UNION ALL
    SELECT t.key, t.runs, t.model_calls, t.failed_calls, t.input_tokens, t.cached_tokens, t.output_tokens, t.cost_micros
    FROM usage_months t
    WHERE t.organization_id = p_organization AND t.dimension = p_dimension AND t.month >= v_months_from
      AND t.month < v_months_to AND (p_project IS NULL OR t.project_id = p_project)
    UNION ALL
    SELECT usage_key(u, p_dimension), count(DISTINCT u.run_id) FILTER (WHERE u.purpose <> 'embedding' AND NOT EXISTS (
        -- A run counts on the day of its first call.
        SELECT FROM usage_records e
        WHERE e.run_id = u.run_id AND e.purpose <> 'embedding' AND e.created_at < CASE p_dimension
          WHEN 'day' THEN greatest(v_rolled, date_trunc('day', u.created_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')
          ELSE v_from END
          AND CASE WHEN p_dimension IN ('agent', 'model')
            THEN usage_key(e, p_dimension) IS NOT DISTINCT FROM usage_key(u, p_dimension) ELSE true END)),
      count(*), count(*) FILTER (WHERE NOT u.ok AND u.error_code IS DISTINCT FROM 'aborted'), sum(u.input_tokens::bigint)::bigint, sum(u.cached_tokens::bigint)::bigint,
      sum(u.output_tokens::bigint)::bigint, sum(u.cost_micros)::bigint
    FROM usage_records u
    WHERE u.organization_id = p_organization AND u.created_at >= v_from AND u.created_at < v_to
      AND (p_project IS NULL OR u.project_id = p_project)
    GROUP BY 1
  )
  SELECT p.key, sum(p.runs)::bigint, sum(p.model_calls)::bigint, sum(p.failed_calls)::bigint,
    sum(p.input_tokens)::bigint, sum(p.cached_tokens)::bigint, sum(p.output_tokens)::bigint, sum(p.cost_micros)::bigint
  FROM parts p
  GROUP BY p.key
  ORDER BY
    CASE WHEN p_dimension = 'day' THEN NULL WHEN p_rank = 'cost' THEN coalesce(sum(p.cost_micros), 0)
      WHEN p_rank = 'runs' THEN sum(p.runs) WHEN p_rank = 'errors' THEN sum(p.failed_calls) END DESC,
    CASE WHEN p_dimension <> 'day' THEN sum(p.input_tokens) + sum(p.output_tokens) END DESC, p.key
  LIMIT p_limit;
END
$$;
--> statement-breakpoint
-- Sums of the ledger by day (UTC) for some keys of a dimension: the daily totals, and the rows that are not in them yet.
-- STABLE: watermark, totals and rows are of one snapshot. A project sees its own calls only.
--
-- Planned anew for each report, as usage_sums.
CREATE OR REPLACE FUNCTION usage_days(
  p_organization uuid, p_project uuid, p_dimension text, p_keys json, p_from date, p_to date
) RETURNS TABLE (
  day text, key text, runs bigint, model_calls bigint, failed_calls bigint, input_tokens bigint, cached_tokens bigint,
  output_tokens bigint, cost_micros bigint
) LANGUAGE plpgsql STABLE
SET jit = off
SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_column
DECLARE
  v_rolled timestamptz := coalesce((SELECT rolled_until FROM usage_rollup), '-infinity');
  v_from timestamptz := greatest(v_rolled, p_from::timestamp AT TIME ZONE 'UTC');
  v_to timestamptz := (p_to + 1)::timestamp AT TIME ZONE 'UTC';
  v_keys text[] := ARRAY(SELECT json_array_elements_text(p_keys));
BEGIN
  RETURN QUERY
  WITH parts AS (
    SELECT t.day, t.key, t.runs, t.model_calls, t.failed_calls, t.input_tokens, t.cached_tokens, t.output_tokens,
      t.cost_micros
    FROM usage_totals t
    WHERE t.organization_id = p_organization AND t.dimension = p_dimension AND t.day BETWEEN p_from AND p_to
      AND t.key = ANY (v_keys) AND (p_project IS NULL OR t.project_id = p_project)
    UNION ALL
    SELECT (u.created_at AT TIME ZONE 'UTC')::date, usage_key(u, p_dimension),
      count(DISTINCT u.run_id) FILTER (WHERE u.purpose <> 'embedding' AND NOT EXISTS (
        -- A run counts on the day of its first call.
        SELECT FROM usage_records e
        WHERE e.run_id = u.run_id AND e.purpose <> 'embedding' AND e.created_at <
          greatest(v_rolled, date_trunc('day', u.created_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')
          AND CASE WHEN p_dimension IN ('agent', 'model')
            THEN usage_key(e, p_dimension) IS NOT DISTINCT FROM usage_key(u, p_dimension) ELSE true END)),
      count(*), count(*) FILTER (WHERE NOT u.ok AND u.error_code IS DISTINCT FROM 'aborted'), sum(u.input_tokens::bigint)::bigint,
      sum(u.cached_tokens::bigint)::bigint, sum(u.output_tokens::bigint)::bigint, sum(u.cost_micros)::bigint
    FROM usage_records u
    WHERE u.organization_id = p_organization AND u.created_at >= v_from AND u.created_at < v_to
      AND usage_key(u, p_dimension) = ANY (v_keys) AND (p_project IS NULL OR u.project_id = p_project)
    GROUP BY 1, 2
  )
  SELECT p.day::text, p.key, sum(p.runs)::bigint, sum(p.model_calls)::bigint, sum(p.failed_calls)::bigint,
    sum(p.input_tokens)::bigint, sum(p.cached_tokens)::bigint, sum(p.output_tokens)::bigint, sum(p.cost_micros)::bigint
  FROM parts p
  GROUP BY p.day, p.key
  ORDER BY p.day, p.key;
END
$$;
--> statement-breakpoint
-- The hash of a lexeme that occurs at least `p_times` times in a passage of a set.
CREATE OR REPLACE FUNCTION knowledge_word(p_set uuid, p_lexeme text, p_times integer) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended(p_lexeme, uuid_hash_extended(p_set, p_times))
$$;
--> statement-breakpoint
-- The words of a passage as hashes, for an index that answers "which passages of this set have this word" without reading
-- any passage: each word once, and again if the passage has it at least twice and at least four times, which is all that
-- ranking asks of its frequency. The set is part of the hash, so a word's entries are those of its own set only.
CREATE OR REPLACE FUNCTION knowledge_words(p_set uuid, p_lang regconfig, p_text text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(knowledge_word(p_set, w.lexeme, f.times)), '{}')
  FROM unnest(to_tsvector(p_lang, p_text)) w
  JOIN (VALUES (1), (2), (4)) f (times) ON f.times <= cardinality(w.positions)
$$;
