import { DomainError } from '@troupe/contract'
import type { ImportedDraft } from '@troupe/contract/builder'
import type { BuilderCaller } from '@troupe/operations/access/builder-caller'
import { type ImportParts, importForeign } from '../foreign/import-foreign.ts'

/**
 * The export of another product as a draft, with the outcome for each of its nodes. Writes nothing.
 *
 * @throws DomainError `validation_error` for an unreadable file, BusyError
 */
export async function importWorkflowDraft(
  { heavy }: ImportParts,
  { organizationId }: BuilderCaller,
  text: string,
): Promise<ImportedDraft> {
  const read = await importForeign({ heavy, owner: organizationId }, text)
  if (!read.ok) {
    throw new DomainError('validation_error', 'The file could not be imported.', {
      errors: [{ path: 'text', message: read.fault }],
    })
  }
  const { format, name, graph, report } = read.value
  return { format, name, draft: { ...graph }, report }
}
