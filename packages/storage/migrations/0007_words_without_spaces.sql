-- What a text is found by: its words (lexemes, gram 0), and of scripts without spaces between words, and of Korean, whose words end
-- in particles, sequences of letters: of Chinese, Japanese and Korean one letter and two, of Thai, Lao, Khmer and Burmese two and three.
-- A question asks for the longest that its text has. Sequences need no dictionary, so they are the same in every version and database.
-- NFKC: letters of half or full width, and with separate accents, are the same letters. Before it would write ™ as TM and ¹ as 1 into
-- the word before, signs such as ™ and ® become spaces, and raised digits are words of their own. `CO₂` stays `CO2`.
CREATE OR REPLACE FUNCTION knowledge_terms(p_lang regconfig, p_text text)
RETURNS TABLE (term text, times integer, gram integer, is_asked boolean)
LANGUAGE sql IMMUTABLE AS $$
  WITH given AS MATERIALIZED (
    SELECT text, dense, text ~ dense AS is_dense
    FROM (SELECT normalize(regexp_replace(regexp_replace(p_text, '[\u2120\u2122\u00a9\u00ae\U0001f16a-\U0001f16c]', ' ', 'g'),
        '([\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+)', ' \1', 'g'), NFKC) AS text,
      '[\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u103f\u1100-\u11ff\u1780-\u17dd\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf'
      '\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+' AS dense) n
  ), letters AS (
    SELECT letter, at, CASE
        WHEN ascii(letter) BETWEEN 12353 AND 12542 AND letter <> '・' THEN 2
        WHEN ascii(letter) BETWEEN 19968 AND 40959 OR ascii(letter) BETWEEN 44032 AND 55215 THEN 2
        WHEN ascii(letter) BETWEEN 4352 AND 4607 OR ascii(letter) BETWEEN 12293 AND 12295 THEN 2
        WHEN ascii(letter) BETWEEN 12784 AND 12799 OR ascii(letter) BETWEEN 13312 AND 19903 THEN 2
        WHEN ascii(letter) BETWEEN 63744 AND 64255 OR ascii(letter) BETWEEN 131072 AND 262143 THEN 2
        WHEN ascii(letter) BETWEEN 3585 AND 3662 OR ascii(letter) BETWEEN 3713 AND 3789 THEN 3
        WHEN ascii(letter) BETWEEN 4096 AND 4159 OR ascii(letter) BETWEEN 6016 AND 6109 THEN 3
      END AS kind
    FROM given, unnest(string_to_array(given.text, NULL)) WITH ORDINALITY AS l (letter, at)
    WHERE is_dense
  ), runs AS (
    SELECT letter, kind, lag(kind) OVER w AS before, lead(letter) OVER w AS letter2, lead(kind) OVER w AS kind2,
      lead(letter, 2) OVER w AS letter3, lead(kind, 2) OVER w AS kind3
    FROM letters WINDOW w AS (ORDER BY at)
  )
  SELECT w.lexeme, cardinality(w.positions), 0, true
  FROM given, unnest(to_tsvector(p_lang,
    CASE WHEN is_dense THEN regexp_replace(given.text, dense, ' ', 'g') ELSE given.text END)) w
  UNION ALL
  SELECT g.term, count(*)::integer, length(g.term), bool_or(g.is_asked)
  FROM runs, LATERAL (VALUES
    (letter, kind = 2, before IS DISTINCT FROM 2 AND kind2 IS DISTINCT FROM 2),
    (letter || letter2, kind = kind2, kind = 2 OR (before IS DISTINCT FROM 3 AND kind3 IS DISTINCT FROM 3)),
    (letter || letter2 || letter3, kind = 3 AND kind2 = 3 AND kind3 = 3, true)
  ) AS g (term, is_term, is_asked)
  WHERE g.is_term
  GROUP BY g.term
$$;
--> statement-breakpoint
-- The terms of a passage as hashes, for an index that answers "which passages of this set have this word" without reading
-- any passage: one hash per term, and further ones if the term occurs at least twice and at least four times, which is all
-- that ranking needs of its frequency. The set is part of the hash, so the entries of a term belong to one set.
CREATE OR REPLACE FUNCTION knowledge_words(p_set uuid, p_lang regconfig, p_text text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(knowledge_word(p_set, t.term, f.times)), '{}')
  FROM knowledge_terms(p_lang, p_text) t
  JOIN (VALUES (1), (2), (4)) f (times) ON f.times <= t.times
$$;
--> statement-breakpoint
-- Only passages whose terms are others now.
UPDATE knowledge_chunks SET words = knowledge_words(set_id, lang, text)
WHERE text IS NOT NFKC NORMALIZED OR text ~ '[\u00a9\u00ae]'
  OR text ~ '[\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u103f\u1100-\u11ff\u1780-\u17dd\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]';
