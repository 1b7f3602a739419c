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
