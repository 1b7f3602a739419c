import type { AgentConfig } from '@troupe/contract'
import { teamPageWords } from '../messages/en/teams.ts'

const words = teamPageWords.members

/** As much of an agent as its part in a team depends on. */
export interface MemberAgent {
  status: 'draft' | 'active' | 'archived'
  config: Pick<AgentConfig, 'tools'>
}

/** What may surprise about an agent in a team, as sentences. */
export function memberNotes({ status, config }: MemberAgent): string[] {
  const keys = config.tools.flatMap((tool) =>
    (tool.context_keys ?? [])
      .filter(({ required }) => required)
      .map(({ key }) => ({ key, tool: tool.name ?? tool.type })),
  )
  return [
    ...(status === 'draft' ? [words.draft] : []),
    ...(status === 'archived' ? [words.archived] : []),
    ...keys.map(({ key, tool }) => words.contextKey(tool, key)),
  ]
}
