import { isJsonObject } from '@troupe/contract'
import type { SettingWords } from '../forms/setting-words.ts'

/** The resource kind of a setting's id. */
type NamedKind =
  | 'agent'
  | 'workflow'
  | 'mcp_server'
  | 'credential'
  | 'skill'
  | 'knowledge_base'
  | 'llm_configuration'

/** By the key of a setting. */
const KINDS: Readonly<Record<string, NamedKind>> = {
  agent: 'agent',
  agent_id: 'agent',
  fallback_member: 'agent',
  workflow_id: 'workflow',
  server_id: 'mcp_server',
  auth_credential_id: 'credential',
  credential_id: 'credential',
  skill_id: 'skill',
  base_ids: 'knowledge_base',
  llm_config_id: 'llm_configuration',
  rerank_llm_config_id: 'llm_configuration',
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A value of a setting, with its path. */
export interface ValueAt {
  path: string
  value: unknown
}

type IdsByKind = Readonly<Record<NamedKind, readonly string[]>>

/** The ids in values of settings, each once. */
export function idsIn(values: readonly ValueAt[]): IdsByKind {
  const found = new Map<NamedKind, Set<string>>()
  const walk = (value: unknown, key: string) => {
    const kind = kindOf(key)
    if (Array.isArray(value)) for (const item of value) walk(item, key)
    else if (isJsonObject(value)) for (const [name, part] of Object.entries(value)) walk(part, name)
    else if (kind && typeof value === 'string' && UUID.test(value)) {
      found.set(kind, (found.get(kind) ?? new Set()).add(value))
    }
  }
  for (const { path, value } of values) walk(value, keyOf(path))
  const of = (kind: NamedKind) => [...(found.get(kind) ?? [])]
  return {
    agent: of('agent'),
    workflow: of('workflow'),
    mcp_server: of('mcp_server'),
    credential: of('credential'),
    skill: of('skill'),
    knowledge_base: of('knowledge_base'),
    llm_configuration: of('llm_configuration'),
  }
}

/** The distinguishing part of an id: ids begin with their creation time. */
const LAST_OF_ID = 6

/** The words of a form, with the ids of other resources as named choices. */
export function withNames(
  wordsOf: (path: string) => SettingWords | undefined,
  names: ReadonlyMap<string, string>,
): (path: string) => SettingWords | undefined {
  const namesakes = Map.groupBy(names, ([, name]) => name)
  const labelOf = (id: string, name: string) =>
    namesakes.get(name)?.length === 1 ? name : `${name} (…${id.slice(-LAST_OF_ID)})`
  const choices = Object.fromEntries([...names].map(([id, name]) => [id, { label: labelOf(id, name) }]))
  return (path) => {
    const words = wordsOf(path)
    const key = keyOf(path)
    if (names.size === 0 || kindOf(key) === undefined) return words
    return { label: key, ...words, choices: { ...words?.choices, ...choices } }
  }
}

function kindOf(key: string): NamedKind | undefined {
  return Object.hasOwn(KINDS, key) ? KINDS[key] : undefined
}

/** The last key of a path, ignoring list indexes below it. */
function keyOf(path: string): string {
  return path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path
}
