import { expect, it } from 'vitest'
import { AgentConfigInput } from '../agents/config/agent-config.ts'
import { isJsonObject } from '../schema/json-object.ts'
import { TeamConfigInput } from '../teams/config/team-config.ts'
import { VoiceSettings } from '../voice/voice-settings.ts'
import { agentReferences } from './agent-references.ts'
import type { ConfigReference } from './config-reference.ts'
import { teamReferences } from './team-references.ts'
import { voiceReferences } from './voice-references.ts'

/**
 * For every schema field with a UUID: a value in which that field has a distinct id, one value per branch of a union.
 */
function valuesWithIds(schema: unknown, id: () => string): unknown[] {
  if (!isJsonObject(schema)) return []
  if (schema.format === 'uuid') return [id()]
  const branches = schema.anyOf ?? schema.oneOf
  if (Array.isArray(branches)) return branches.flatMap((branch) => valuesWithIds(branch, id))
  if (isJsonObject(schema.items)) return valuesWithIds(schema.items, id).map((item) => [item])
  if (!isJsonObject(schema.properties)) return []
  return Object.entries(schema.properties).flatMap(([key, property]) =>
    valuesWithIds(property, id).map((value) => ({ [key]: value })),
  )
}

function idsOf(schema: unknown, read: (config: Record<string, unknown>) => ConfigReference[]) {
  const asked: string[] = []
  const values = valuesWithIds(schema, () => {
    asked.push(`00000000-0000-4000-8000-${String(asked.length).padStart(12, '0')}`)
    return asked.at(-1) ?? ''
  })
  const found = values
    .flatMap((value) => read(value as Record<string, unknown>))
    .flatMap(({ id }) => id ?? [])
  return { asked, found }
}

it.each([
  ['an agent', AgentConfigInput, agentReferences, 10],
  ['a team', TeamConfigInput, teamReferences, 6],
  [
    'a voice',
    VoiceSettings,
    (settings: Record<string, unknown>) =>
      voiceReferences({ sttCredentialId: null, ttsCredentialId: null, settings }),
    2,
  ],
] as const)('every field of %s that holds an id is a reference', (_, schema, read, atLeast) => {
  const { asked, found } = idsOf(schema, read)
  expect(found.toSorted()).toEqual(asked.toSorted())
  expect(asked.length).toBeGreaterThanOrEqual(atLeast)
})

const ID = 'ABCDEF00-0000-4000-8000-000000000001'

it('a path has one reference, ids are in lower case, and a malformed id is not a reference', () => {
  const config = {
    model: { primary: { llm_config_id: ID }, fallbacks: [{ llm_config_id: null }, { llm_config_id: 'x' }] },
    skills: [{ slug: 'pdf' }, { skill_id: ID, slug: 'pdf' }, {}],
    tools: [{ type: 'agent', agent_id: ID }, { type: 'mcp', server_id: ID, auth_credential_id: ID }, 7],
    knowledge: { base_ids: [ID, null] },
  }
  const id = ID.toLowerCase()
  expect(agentReferences(config)).toEqual([
    { path: 'config.model.primary.llm_config_id', kind: 'llm_configuration', id, slug: null },
    { path: 'config.model.fallbacks.0.llm_config_id', kind: 'llm_configuration', id: null, slug: null },
    { path: 'config.knowledge.base_ids.0', kind: 'knowledge_base', id, slug: null },
    { path: 'config.tools.0.agent_id', kind: 'agent', id, slug: null },
    { path: 'config.tools.1.auth_credential_id', kind: 'credential', id, slug: null },
    { path: 'config.tools.1.server_id', kind: 'mcp_server', id, slug: null },
    { path: 'config.skills.0.slug', kind: 'skill', id: null, slug: 'pdf' },
    { path: 'config.skills.1.skill_id', kind: 'skill', id, slug: null },
  ])
})

it.each([
  {},
  { model: 1, tools: {}, knowledge: [], guardrails: null, skills: 'x' },
  { lead: 2, members: 3 },
])('a configuration of another shape has no references: %j', (config) => {
  expect([...agentReferences(config), ...teamReferences(config)]).toEqual([])
})
