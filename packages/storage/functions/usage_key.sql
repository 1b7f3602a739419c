-- The key of a ledger row in a dimension of usage; null: the row belongs to none.
CREATE OR REPLACE FUNCTION usage_key(u usage_records, p_dimension text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE p_dimension
    WHEN 'day' THEN (u.created_at AT TIME ZONE 'UTC')::date::text
    WHEN 'agent' THEN u.agent_id::text
    WHEN 'team' THEN u.team_id::text
    WHEN 'workflow' THEN u.workflow_id::text
    WHEN 'model' THEN u.model_id
    WHEN 'key' THEN u.api_key_id::text
    WHEN 'user' THEN nullif(u.user_id, '')
    WHEN 'tag' THEN u.tag
    WHEN 'purpose' THEN u.purpose
  END
$$;
