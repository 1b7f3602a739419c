import type { TeamConfig } from '@troupe/contract'
import type { TeamDraft } from '@troupe/contract/builder'
import type { Readers, TeamRecord } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { mergeOrThrow } from '../teams/merge-or-throw.ts'
import { requireTeamReferences } from '../teams/require-references.ts'
import type { DraftContent } from './agent-draft.ts'

/**
 * A draft of a team, completed to a configuration that could be saved unchanged.
 *
 * @throws DomainError as the operation that would save it
 */
export async function usableTeamDraft(
  read: Pick<Readers, 'agents' | 'credentials' | 'llmConfigurations'>,
  caller: BuilderCaller,
  team: Pick<TeamRecord, 'projectId' | 'name' | 'description'>,
  draft: TeamDraft,
): Promise<DraftContent<TeamConfig>> {
  const config = mergeOrThrow(draft.config)
  await requireTeamReferences(read, caller, { projectId: team.projectId, config })
  const { name = team.name, description = team.description } = draft
  return { name, description, config }
}
