import { createHash } from 'node:crypto'
import { canonicalJson, type NewId, RUNNABLE_IDS } from '@troupe/contract'
import type { Database, VersionOwner } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import type { DraftContent } from './agent-draft.ts'

/**
 * Stores the draft before the playground runs it, so that the trace of the run shows it. Equal drafts are one version.
 *
 * @returns the id of the version
 */
export async function keepDraft(
  { database, newId }: { database: Pick<Database, 'drafts'>; newId: NewId },
  { actor }: BuilderCaller,
  owner: VersionOwner,
  { content, configSchemaVersion }: { content: DraftContent<object>; configSchemaVersion: number },
): Promise<string> {
  const { kind, id } = actor
  return database.drafts.keep(owner, {
    ...content,
    configSchemaVersion,
    versionId: newId(RUNNABLE_IDS[owner.kind].version),
    contentHash: createHash('sha256').update(canonicalJson(content)).digest('hex'),
    createdBy: { kind, id },
  })
}
