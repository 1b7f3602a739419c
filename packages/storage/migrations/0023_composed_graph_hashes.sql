ALTER TABLE "workflow_versions" ALTER COLUMN "graph_hash" DROP EXPRESSION;--> statement-breakpoint
ALTER TABLE "workflows" ALTER COLUMN "draft_hash" DROP EXPRESSION;
--> statement-breakpoint
-- Computes the same hash as `graphHash`, which takes over from now on. A row with the previous hash would never equal a draft that
-- is saved later.
CREATE OR REPLACE FUNCTION graph_hash(p_graph json) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT ('x' || left(encode(sha256(
    sha256(coalesce((
      SELECT string_agg(substring(sha256(convert_to(t.text, 'UTF8')) FROM 1 FOR 8), ''::bytea ORDER BY n.at)
      FROM json_array_elements(p_graph->'nodes') WITH ORDINALITY AS n (node, at), LATERAL (
        SELECT '{' || coalesce(string_agg(to_json(k.key)::text || ':' || k.value::text, ',' ORDER BY k.at), '') || '}' AS text
        FROM json_each(n.node) WITH ORDINALITY AS k (key, value, at) WHERE k.key <> 'position') t), ''))
    || sha256(coalesce((
      SELECT string_agg(substring(sha256(convert_to(e.edge::text, 'UTF8')) FROM 1 FOR 8), ''::bytea ORDER BY e.at)
      FROM json_array_elements(p_graph->'edges') WITH ORDINALITY AS e (edge, at)), ''))
    || convert_to(coalesce(p_graph->>'expose', ''), 'UTF8')), 'hex'), 16))::bit(64)::bigint
$$;
--> statement-breakpoint
UPDATE workflow_versions SET graph_hash = graph_hash(graph);
--> statement-breakpoint
UPDATE workflows SET draft_hash = graph_hash(draft);
--> statement-breakpoint
DROP FUNCTION graph_hash(json);
