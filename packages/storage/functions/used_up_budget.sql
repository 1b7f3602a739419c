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
