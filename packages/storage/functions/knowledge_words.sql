-- The terms of a passage as hashes, for an index that answers "which passages of this set have this word" without reading
-- any passage: one hash per term, and further ones if the term occurs at least twice and at least four times, which is all
-- that ranking needs of its frequency. The set is part of the hash, so the entries of a term belong to one set.
CREATE OR REPLACE FUNCTION knowledge_words(p_set uuid, p_lang regconfig, p_text text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(knowledge_word(p_set, t.term, f.times)), '{}')
  FROM knowledge_terms(p_lang, p_text) t
  JOIN (VALUES (1), (2), (4)) f (times) ON f.times <= t.times
$$;
