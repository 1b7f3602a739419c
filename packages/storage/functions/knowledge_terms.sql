-- The search terms of a text: its words (lexemes, gram 0) and, for scripts that do not separate words, letter n-grams: of one and two
-- letters for Chinese, Japanese and Korean (whose words end in particles), of two and three for Thai, Lao, Khmer and Burmese.
-- A query uses the longest n-grams of its text. N-grams need no dictionary, so they are the same in every version and database.
-- NFKC unifies half-width and full-width letters, and letters with separate accents. It would also append ™ as TM and ¹ as 1 to the
-- preceding word, so signs such as ™ and ® become spaces first, and superscript digits become separate words. `CO₂` stays one word, `CO2`.
-- In a database with the locale C, PostgreSQL's parser treats every character beyond ASCII as a letter and lowers none of them, so
-- there the text is lowered and split beforehand.
CREATE OR REPLACE FUNCTION knowledge_terms(p_lang regconfig, p_text text)
RETURNS TABLE (term text, times integer, gram integer, is_asked boolean)
LANGUAGE sql IMMUTABLE AS $$
  WITH given AS MATERIALIZED (
    SELECT text, dense, text ~ dense AS is_dense
    FROM (SELECT CASE WHEN lower('Ü') = 'ü' THEN n.text ELSE regexp_replace(lower_case(n.text), '[\u0080-\u00a9\u00ab\u00ac'
        '\u00ae-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u02c2-\u02c5\u02d2-\u02df\u055a-\u055f\u0589-\u058f\u05be\u05c0\u05c3'
        '\u05c6\u05f3\u05f4\u0606-\u060f\u061b\u061d-\u061f\u066a-\u066d\u06d4\u0964\u0965\u0970\u0df4\u0e4f\u0e5a\u0e5b\u104a-\u104f\u10fb'
        '\u1360-\u1368\u17d4-\u17d6\u17d8-\u17db\u1800-\u180a\u2010-\u2029\u2030-\u205f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004'
        '\u3008-\u3020\u3030\u303d\u30a0\u30fb\ufd3e\ufd3f\ufffc\ufffd\U0001f000-\U0001faff]', ' ', 'g') END AS text, dense
    FROM (SELECT normalize(regexp_replace(regexp_replace(p_text, '[\u2120\u2122\u00a9\u00ae\U0001f16a-\U0001f16c]', ' ', 'g'),
        '([\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+)', ' \1', 'g'), NFKC) AS text,
      '[\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u103f\u1100-\u11ff\u1780-\u17dd\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf'
      '\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+' AS dense) n) t
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
