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
