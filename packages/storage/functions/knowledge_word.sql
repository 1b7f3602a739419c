-- The hash of a word (a lexeme) that a passage of a set has at least so many times.
CREATE OR REPLACE FUNCTION knowledge_word(p_set uuid, p_lexeme text, p_times integer) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended(p_lexeme, uuid_hash_extended(p_set, p_times))
$$;
