import { isJsonObject, type JsonObject } from '@troupe/contract'
import { teamPageWords } from '../messages/en/teams/page.ts'

const words = teamPageWords.members

/** The properties of an agent that its part in a team depends on. */
export interface MemberAgent {
  status: 'draft' | 'active' | 'archived'
  config: JsonObject
}

/** Possible surprises about an agent in a team, as sentences. */
export function memberNotes({ status, config }: MemberAgent): string[] {
  return [
    ...(status === 'draft' ? [words.draft] : []),
    ...(status === 'archived' ? [words.archived] : []),
    ...requiredKeys(config).map(({ tool, key }) => words.contextKey(tool, key)),
  ]
}

/** The values that tools require of the caller. */
function requiredKeys({ tools }: JsonObject): { tool: string; key: string }[] {
  return objectsIn(tools).flatMap(({ name, type, context_keys: keys }) =>
    objectsIn(keys)
      .filter(({ required }) => required === true)
      .map(({ key }) => ({ tool: String(name ?? type), key: String(key) })),
  )
}

function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}
