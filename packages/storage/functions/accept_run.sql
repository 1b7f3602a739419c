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
  p_started_by_run uuid DEFAULT NULL,
  -- Of a test: the version that it runs, in place of the active one, and its scope.
  p_test_version uuid DEFAULT NULL,
  p_test_scope json DEFAULT NULL
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
  v_tests json;
  v_outcome json;
BEGIN
  -- An assignment: PERFORM would be one more statement.
  v_locked := CASE WHEN p_exclusive THEN pg_advisory_xact_lock(1, starts_lock(p_organization))
    ELSE pg_advisory_xact_lock_shared(1, starts_lock(p_organization)) END IS NULL;

  -- The fast path of nearly every start. A start that does not qualify inserts no row here; the statements below find
  -- out why.
  IF p_key IS NULL AND p_test_version IS NULL THEN
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
  IF p_test_version IS NOT NULL THEN
    -- A test belongs to no deployment: the workflow may never have been published.
    v_deployment := NULL;
    SELECT id INTO v_version FROM workflow_versions
    WHERE id = p_test_version AND workflow_id = p_workflow AND organization_id = p_organization;
    IF NOT FOUND THEN
      RETURN json_build_object('kind', 'version_changed');
    END IF;
    -- Starts of tests hold the lock exclusively, so that two concurrent starts of one person do not both pass the limit.
    SELECT json_agg(id ORDER BY created_at, id) INTO v_tests FROM workflow_runs
    WHERE organization_id = p_organization AND status IN ('queued', 'running', 'paused', 'awaiting_approval')
      AND kind = 'test' AND started_by_user_id IS NOT DISTINCT FROM p_started_by_user;
    IF json_array_length(v_tests) >= 3 THEN
      RETURN json_build_object('kind', 'tests_in_flight', 'runIds', v_tests);
    END IF;
  ELSE
    IF v_deployment IS NULL THEN
      RETURN json_build_object('kind', 'workflow_not_published');
    END IF;
    IF v_version <> p_version THEN
      RETURN json_build_object('kind', 'version_changed');
    END IF;
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
  -- A test's model calls count in budgets, but the test itself does not count as a workflow run.
  v_budgeted := EXISTS (
    SELECT FROM budgets
    WHERE organization_id = p_organization AND (project_id IS NULL OR project_id = v_project)
      AND metric IN ('workflow_runs', 'llm_tokens', 'llm_cost_usd')
      AND (p_test_version IS NULL OR metric <> 'workflow_runs'));
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
        AND (p_test_version IS NULL OR metric <> 'workflow_runs')
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
    lease_until, dispatch_due_at, created_at, started_at, completed_at, kind, scope)
  VALUES (p_id, p_organization, v_project, p_workflow, v_deployment, v_version, p_source,
    p_fired_node, p_scheduled_for, p_started_by_user, p_started_by_run, v_status, p_input, '{}', v_error, p_api_key, p_waiter,
    CASE WHEN v_status = 'running' THEN p_worker END,
    CASE WHEN v_status = 'running' THEN now() + make_interval(secs => p_lease_seconds) END,
    CASE WHEN v_status = 'queued' THEN now() END,
    p_created_at, CASE WHEN v_status = 'running' THEN p_created_at END,
    CASE WHEN v_error IS NOT NULL THEN p_created_at END,
    CASE WHEN p_test_version IS NULL THEN 'run' ELSE 'test' END, p_test_scope);

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
  IF v_budgeted AND p_test_version IS NULL THEN
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
