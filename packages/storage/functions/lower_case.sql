-- A text in lower case. A database with the locale C lowers only ASCII letters itself. The condition is constant, so a plan has one branch.
CREATE OR REPLACE FUNCTION lower_case(p_text text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN lower('Ü') = 'ü' THEN lower(p_text) ELSE lower(p_text COLLATE letters) COLLATE "default" END
$$;
