import { lowerUuid } from '../schema/ids.ts'
import { propertyOf } from '../schema/json-object.ts'

/** The kinds of resources that a configuration may reference. */
export type ReferencedKind =
  | 'agent'
  | 'team'
  | 'workflow'
  | 'llm_configuration'
  | 'credential'
  | 'mcp_server'
  | 'knowledge_base'
  | 'skill'

/** A reference in a configuration. */
export interface ConfigReference {
  /** Dotted, from the configuration on: `config.tools.2.agent_id`. One path has one reference. */
  path: string
  kind: ReferencedKind
  /** In lower case; null: the skill with `slug`, or the default LLM configuration. */
  id: string | null
  slug: string | null
}

/** The reference at a key, if its value is an id. Other values are not references: the checks of a save report them. */
export function referenceAt(
  value: unknown,
  key: string,
  kind: ReferencedKind,
  at: string,
): ConfigReference[] {
  const id = propertyOf(value, key)
  const lower = typeof id === 'string' ? lowerUuid(id) : null
  return lower === null ? [] : [{ path: `${at}.${key}`, kind, id: lower, slug: null }]
}

/** The items of a list, none for anything else. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The references of a list of ids. */
export const referencesIn = (ids: unknown, kind: ReferencedKind, at: string): ConfigReference[] =>
  itemsOf(ids).flatMap((_, index) => referenceAt(ids, String(index), kind, at))
