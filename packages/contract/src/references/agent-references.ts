import { GUARDRAIL_STAGES } from '../agents/config/guardrails.ts'
import { isJsonObject, propertyOf, typedKeys } from '../schema/json-object.ts'
import {
  type ConfigReference,
  itemsOf,
  type ReferencedKind,
  referenceAt,
  referencesIn,
} from './config-reference.ts'

const IN_TOOLS: Readonly<Record<string, ReferencedKind>> = {
  auth_credential_id: 'credential',
  server_id: 'mcp_server',
  workflow_id: 'workflow',
  agent_id: 'agent',
}
const IN_RULES: Readonly<Record<string, ReferencedKind>> = {
  llm_config_id: 'llm_configuration',
  credential_id: 'credential',
}

/**
 * All references in the configuration of an agent. Works on configurations that were not validated, or that an older
 * version stored with fewer fields.
 */
export function agentReferences(config: Readonly<Record<string, unknown>>): ConfigReference[] {
  const { model, knowledge, guardrails, tools, skills } = config
  return [
    ...modelReferencesAt(model, 'config.model'),
    ...ruleReferences(guardrails),
    ...referenceAt(knowledge, 'rerank_llm_config_id', 'llm_configuration', 'config.knowledge'),
    ...referencesIn(propertyOf(knowledge, 'base_ids'), 'knowledge_base', 'config.knowledge.base_ids'),
    ...itemsOf(tools).flatMap((tool, at) => referencesByKey(tool, IN_TOOLS, `config.tools.${at}`)),
    ...itemsOf(skills).flatMap((skill, at) => skillReference(skill, `config.skills.${at}`)),
  ]
}

/** The LLM configurations of a chain of models; a model that names none uses the default. */
export function modelReferencesAt(model: unknown, path: string): ConfigReference[] {
  const primary = propertyOf(model, 'primary')
  const members: [string, unknown][] = [
    [`${path}.primary`, primary],
    ...itemsOf(propertyOf(model, 'fallbacks')).map((fallback, at): [string, unknown] => [
      `${path}.fallbacks.${at}`,
      fallback,
    ]),
  ]
  return members.flatMap(([at, member]): ConfigReference[] => {
    if (!isJsonObject(member)) return []
    return (member.llm_config_id ?? null) === null
      ? [{ path: `${at}.llm_config_id`, kind: 'llm_configuration', id: null, slug: null }]
      : referenceAt(member, 'llm_config_id', 'llm_configuration', at)
  })
}

/** The references in guardrail rules. */
export function ruleReferences(guardrails: unknown): ConfigReference[] {
  return GUARDRAIL_STAGES.flatMap((stage) =>
    itemsOf(propertyOf(guardrails, stage)).flatMap((rule, at) =>
      referencesByKey(rule, IN_RULES, `config.guardrails.${stage}.${at}`),
    ),
  )
}

function referencesByKey(
  value: unknown,
  kinds: Readonly<Record<string, ReferencedKind>>,
  at: string,
): ConfigReference[] {
  return typedKeys(kinds).flatMap((key) => {
    const kind = kinds[key]
    return kind ? referenceAt(value, key, kind, at) : []
  })
}

/** An id takes precedence over a slug. */
function skillReference(skill: unknown, at: string): ConfigReference[] {
  if (propertyOf(skill, 'skill_id')) return referenceAt(skill, 'skill_id', 'skill', at)
  const slug = propertyOf(skill, 'slug')
  return typeof slug === 'string' && slug !== ''
    ? [{ path: `${at}.slug`, kind: 'skill', id: null, slug }]
    : []
}
