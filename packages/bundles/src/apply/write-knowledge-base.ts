import type { Transaction } from '@troupe/storage'
import type { KeptFiles } from '../documents/kept-files.ts'
import type { DocumentStep } from '../documents/plan-documents.ts'
import type { KnowledgeBaseStep } from '../plan/plan-knowledge-bases.ts'

/** Writes a base and its documents. The base is locked first, so that no request changes or deletes it in the meantime. */
export async function writeKnowledgeBase(
  { write }: Pick<Transaction, 'write'>,
  { before, after, changed, documents }: KnowledgeBaseStep,
  files: KeptFiles,
): Promise<void> {
  const { knowledge } = write
  if (before === null) await knowledge.insertBase(after)
  else if (changed) await knowledge.updateBase(after)
  else await knowledge.lockBase(after.organizationId, after.id)
  for (const step of documents.filter((one) => one.changed)) {
    await writeDocument(write, after, step, files)
  }
}

async function writeDocument(
  { knowledge }: Transaction['write'],
  { id: baseId, organizationId }: KnowledgeBaseStep['after'],
  { before, after, replaces }: DocumentStep,
  files: KeptFiles,
): Promise<void> {
  const { id, name, metadata, content } = after
  const row = { id, organizationId, name, metadata }
  if (before !== null && !replaces) return knowledge.updateDocument(row, null)
  const file = 'file' in content ? content.file : null
  const bytes = {
    source: content.kind === 'kept' ? 'file' : content.kind,
    storageKey: await files.keep(file),
    contentType: file?.contentType ?? null,
    sizeBytes: file?.sizeBytes ?? 0,
    contentHash: file?.contentHash ?? null,
  } as const
  if (before === null) {
    const url = content.kind === 'url' ? content.url : null
    return knowledge.insertDocument({ ...row, baseId, url, ...bytes })
  }
  files.replaced(before.storageKey)
  return knowledge.updateDocument(row, bytes)
}
