-- What a budget counts, in words: `tokens`.
CREATE OR REPLACE FUNCTION budget_unit(p_metric text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_metric WHEN 'llm_tokens' THEN 'tokens' WHEN 'llm_cost_usd' THEN 'US dollars'
    WHEN 'workflow_runs' THEN 'workflow runs' ELSE 'voice minutes' END
$$;
