CREATE TABLE "config_references" (
	"organization_id" uuid NOT NULL,
	"owner_kind" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"path" text NOT NULL,
	"target_kind" text NOT NULL,
	"target_id" uuid,
	"target_slug" text,
	CONSTRAINT "config_references_pk" PRIMARY KEY("owner_kind","owner_id","path"),
	CONSTRAINT "config_references_target" CHECK (case target_kind when 'skill' then (target_id is null) = (target_slug is not null)
        else target_slug is null and (target_id is not null or target_kind = 'llm_configuration') end)
);
--> statement-breakpoint
CREATE INDEX "config_references_of_target" ON "config_references" USING btree ("organization_id","target_id");--> statement-breakpoint
CREATE INDEX "config_references_unnamed" ON "config_references" USING btree ("organization_id","target_kind") WHERE target_id is null;
--> statement-breakpoint
-- Compiling the next statement takes seconds, running it milliseconds.
SET LOCAL jit = off;
--> statement-breakpoint
-- The references in stored configurations. A text counts as an id if it is a UUID, because only UUIDs identify rows.
INSERT INTO config_references (organization_id, owner_kind, owner_id, path, target_kind, target_id, target_slug)
WITH owner AS (
  SELECT organization_id, 'agent' AS kind, id, config::jsonb AS config, 'config' AS root FROM agents
  UNION ALL
  SELECT organization_id, 'team', id, config::jsonb, 'config' FROM teams
  UNION ALL
  SELECT organization_id, 'voice_configuration', id, settings::jsonb, 'settings' FROM voice_configurations
  UNION ALL
  SELECT w.organization_id, 'workflow', w.id, n.node, 'nodes.' || (n.node->>'id')
  FROM workflows w, jsonb_path_query(w.draft::jsonb, '$.nodes[*] ? (@.id.type() == "string")') AS n (node)
), chain AS (
  SELECT o.*, o.root || CASE o.kind WHEN 'team' THEN '.lead.managed.model' WHEN 'workflow' THEN '.config.model' ELSE '.model' END AS path,
    CASE o.kind WHEN 'agent' THEN o.config->'model' WHEN 'team' THEN o.config#>'{lead,managed,model}'
      WHEN 'workflow' THEN coalesce(o.config#>'{config,model}', '{}') END AS model
  FROM owner o WHERE o.kind <> 'voice_configuration' AND (o.kind <> 'workflow' OR o.config->>'type' IN ('ai-prompt', 'classify'))
), member AS (
  SELECT c.organization_id, c.kind, c.id, c.path || '.primary' AS path,
    coalesce(c.model->'primary', CASE c.kind WHEN 'workflow' THEN '{}'::jsonb END) AS value
  FROM chain c
  UNION ALL
  SELECT c.organization_id, c.kind, c.id, c.path || '.fallbacks.' || (f.place - 1), f.value
  FROM chain c, jsonb_array_elements(CASE jsonb_typeof(c.model->'fallbacks') WHEN 'array' THEN c.model->'fallbacks' ELSE '[]' END)
    WITH ORDINALITY AS f (value, place)
), listed AS (
  -- Items of lists, with what their keys name.
  SELECT o.organization_id, o.kind, o.id, o.root || '.' || array_to_string(l.path, '.') || '.' || (i.place - 1) AS path, i.value, l.keys
  FROM owner o
  JOIN (VALUES
    ('agent', '{tools}'::text[], '{"auth_credential_id": "credential", "server_id": "mcp_server", "workflow_id": "workflow", "agent_id": "agent"}'::jsonb),
    ('agent', '{guardrails,input}', '{"llm_config_id": "llm_configuration", "credential_id": "credential"}'),
    ('agent', '{guardrails,output}', '{"llm_config_id": "llm_configuration", "credential_id": "credential"}'),
    ('agent', '{skills}', '{"skill_id": "skill"}'),
    ('team', '{guardrails,input}', '{"llm_config_id": "llm_configuration", "credential_id": "credential"}'),
    ('team', '{guardrails,output}', '{"llm_config_id": "llm_configuration", "credential_id": "credential"}'),
    ('team', '{members}', '{"agent": "agent"}'),
    ('voice_configuration', '{stt,fallbacks}', '{"credential_id": "credential"}'),
    ('voice_configuration', '{tts,fallbacks}', '{"credential_id": "credential"}')
  ) AS l (kind, path, keys) ON l.kind = o.kind,
  jsonb_array_elements(CASE jsonb_typeof(o.config#>l.path) WHEN 'array' THEN o.config#>l.path ELSE '[]' END) WITH ORDINALITY AS i (value, place)
), named AS (
  SELECT organization_id, kind, id, path || '.llm_config_id' AS path, 'llm_configuration' AS target, value->>'llm_config_id' AS name, NULL AS slug
  FROM member WHERE jsonb_typeof(value) = 'object'
  UNION ALL
  SELECT l.organization_id, l.kind, l.id, l.path || '.' || k.key, k.value, l.value->>k.key, NULL
  FROM listed l, jsonb_each_text(l.keys) AS k WHERE jsonb_typeof(l.value) = 'object'
  UNION ALL
  SELECT organization_id, kind, id, path || '.slug', 'skill', NULL, value->>'slug'
  FROM listed WHERE keys ? 'skill_id' AND jsonb_typeof(value->'slug') = 'string' AND coalesce(value->>'skill_id', '') = ''
  UNION ALL
  SELECT o.organization_id, o.kind, o.id, o.root || '.knowledge.base_ids.' || (b.place - 1), 'knowledge_base', b.value, NULL
  FROM owner o, jsonb_array_elements_text(CASE jsonb_typeof(o.config#>'{knowledge,base_ids}') WHEN 'array' THEN o.config#>'{knowledge,base_ids}' ELSE '[]' END)
    WITH ORDINALITY AS b (value, place)
  WHERE o.kind = 'agent'
  UNION ALL
  SELECT organization_id, kind, id, root || s.path, s.target, config#>>s.at, NULL
  FROM owner JOIN (VALUES
    ('agent', '{knowledge,rerank_llm_config_id}'::text[], '.knowledge.rerank_llm_config_id', 'llm_configuration', NULL),
    ('team', '{lead,agent}', '.lead.agent', 'agent', NULL),
    ('team', '{fallback_member}', '.fallback_member', 'agent', NULL),
    ('workflow', '{config,agentId}', '.config.agentId', 'agent', 'ai-agent'),
    ('workflow', '{config,teamId}', '.config.teamId', 'team', 'team-step')
  ) AS s (owner, at, path, target, type) ON s.owner = kind AND (s.type IS NULL OR s.type = config->>'type')
  UNION ALL
  SELECT v.organization_id, 'voice_configuration', v.id, c.path, 'credential', c.id::text, NULL
  FROM voice_configurations v, LATERAL (VALUES ('voice.sttCredentialId', v.stt_credential_id), ('voice.ttsCredentialId', v.tts_credential_id)) AS c (path, id)
)
SELECT DISTINCT ON (kind, id, path) organization_id, kind, id, path, target, lower(name)::uuid, nullif(slug, '')
FROM named
WHERE CASE WHEN name IS NULL THEN nullif(slug, '') IS NOT NULL OR (target = 'llm_configuration' AND path ~ '\.(primary|fallbacks\.\d+)\.llm_config_id$')
  ELSE name ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' END;
