-- The hash of a lexeme that occurs at least `p_times` times in a passage of a set.
CREATE OR REPLACE FUNCTION knowledge_word(p_set uuid, p_lexeme text, p_times integer) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended(p_lexeme, uuid_hash_extended(p_set, p_times))
$$;
