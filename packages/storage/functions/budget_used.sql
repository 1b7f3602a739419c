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
