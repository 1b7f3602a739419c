import { invalidField } from '@troupe/contract'
import type { Actor, Transaction, WorkflowRecord } from '@troupe/storage'
import { draftConflict } from './workflow-errors.ts'

/**
 * Only the operator may change a draft without naming its revision: its last write wins, as in bundles.
 *
 * @throws DomainError `validation_error`
 */
export function requireRevision(actor: Actor, draftRevision: number | undefined): void {
  if (draftRevision !== undefined || actor.kind === 'operator') return
  throw invalidField('draftRevision', 'is required')
}

/**
 * Checks that a change is based on the current draft. The caller has locked the workflow's row.
 *
 * @throws DomainError `draft_conflict`
 */
export async function checkRevision(
  { read }: Pick<Transaction, 'read'>,
  before: WorkflowRecord,
  draftRevision: number | undefined,
): Promise<void> {
  if (draftRevision !== undefined && draftRevision !== before.draftRevision) {
    throw await draftConflict(read, before)
  }
}
