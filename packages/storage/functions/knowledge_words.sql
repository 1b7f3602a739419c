-- The terms of a passage as hashes, for an index that answers "which passages of this set have this word" without reading
-- any passage: each term once, and again if the passage has it at least twice and at least four times, which is all that
-- ranking asks of its frequency. The set is part of the hash, so a term's entries are those of its own set only.
CREATE OR REPLACE FUNCTION knowledge_words(p_set uuid, p_lang regconfig, p_text text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(knowledge_word(p_set, t.term, f.times)), '{}')
  FROM knowledge_terms(p_lang, p_text) t
  JOIN (VALUES (1), (2), (4)) f (times) ON f.times <= t.times
$$;
