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
