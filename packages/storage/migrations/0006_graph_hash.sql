-- The hash of a workflow's graph without the positions of its nodes: moving a step does not change any run. The order and the text
-- of a node's keys are included, because models see both.
CREATE OR REPLACE FUNCTION graph_hash(p_graph json) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended(concat_ws(' ',
    (SELECT string_agg(key || ':' || value::text, ',' ORDER BY n.at, k.at)
      FROM json_array_elements(p_graph->'nodes') WITH ORDINALITY AS n (node, at),
        json_each(node) WITH ORDINALITY AS k (key, value, at)
      WHERE key <> 'position'),
    p_graph->'edges', p_graph->'expose'), 0)
$$;
--> statement-breakpoint
ALTER TABLE "workflow_versions" drop column "graph_hash";--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD COLUMN "graph_hash" bigint GENERATED ALWAYS AS (graph_hash(graph)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "workflows" drop column "draft_hash";--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "draft_hash" bigint GENERATED ALWAYS AS (graph_hash(draft)) STORED NOT NULL;