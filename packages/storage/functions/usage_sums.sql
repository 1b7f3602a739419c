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
