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
