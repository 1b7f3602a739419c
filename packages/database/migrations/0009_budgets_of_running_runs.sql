-- The budget that keeps runs of a project (null: of the organization itself) from calling models, or null. It names the
-- reason of a pause: `budget llm_tokens used up`.
CREATE FUNCTION used_up_budget(p_organization uuid, p_project uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT format('budget %s%s used up', b.metric, CASE WHEN b.project_id IS NULL THEN '' ELSE ' of the project' END)
  FROM budgets b
  WHERE b.organization_id = p_organization AND (b.project_id IS NULL OR b.project_id = p_project)
    AND b.metric IN ('llm_tokens', 'llm_cost_usd') AND budget_used(b) >= b.limit_micros
  ORDER BY b.project_id NULLS FIRST, b.metric
  LIMIT 1
$$;
--> statement-breakpoint
-- Adds the ledger up to five minutes ago to the counts of all budgets, as starts do for theirs, so that asking for what
-- was used never reads more of the ledger than some minutes of it. Transactions that are slower than that do not write
-- the ledger. Of two at once the second waits for the row, finds it counted, and leaves it.
CREATE FUNCTION settle_budgets() RETURNS void LANGUAGE sql AS $$
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
