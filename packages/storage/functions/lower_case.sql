-- A text in lower case. In a database with the locale C, `lower` affects only ASCII letters. The condition is constant, so a plan has one branch.
CREATE OR REPLACE FUNCTION lower_case(p_text text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN lower('Ü') = 'ü' THEN lower(p_text) ELSE lower(p_text COLLATE letters) COLLATE "default" END
$$;
