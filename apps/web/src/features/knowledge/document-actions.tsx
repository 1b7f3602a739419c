import type {
  IdText,
  KnowledgeBaseId,
  KnowledgeDocument,
  KnowledgeDocumentId,
  OrganizationId,
} from '@troupe/contract'
import { useRef, useState } from 'react'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { knowledgeWords } from '../../core/messages/en/resources/knowledge.ts'
import { asCallFailure, CallFailure } from '../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../infrastructure/client/call-operation.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useFileUpload } from '../../infrastructure/queries/use-file-upload.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useCloseGuard } from '../../infrastructure/routing/leave-guard.ts'
import { useOrganizationId } from '../../infrastructure/sign-in/organization-id.ts'

const words = knowledgeWords.documents
const REFRESHES = ['listKnowledgeDocuments', 'getKnowledgeBase', 'listKnowledgeBases'] as const

export interface DocumentActionsProps {
  knowledgeBaseId: IdText<KnowledgeBaseId>
  document: KnowledgeDocument
  /** Opens the editor for the text of a written document. */
  onEdit(): void
}

const ASK_MS = 1_500
const PATIENCE_MS = 600_000

/** Waits until the document is ingested or has failed; null when that takes too long, or its state is unavailable. */
async function untilRead(
  organizationId: IdText<OrganizationId> | null,
  params: { knowledgeBaseId: IdText<KnowledgeBaseId>; documentId: IdText<KnowledgeDocumentId> },
): Promise<KnowledgeDocument | null> {
  const giveUpAt = performance.now() + PATIENCE_MS
  while (performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, ASK_MS))
    // Retries through a lost network.
    const now = await callOperation('getKnowledgeDocument', organizationId, { params }).catch(asCallFailure)
    if (now instanceof CallFailure) {
      if (now.code === 'document_not_found') return null
    } else if (now.status === 'ready' || now.status === 'failed') return now
  }
  return null
}

/** Actions on one document. */
export function DocumentActions({ knowledgeBaseId, document, onEdit }: DocumentActionsProps) {
  const { documentId, name, url, source, status } = document
  const [isRemoving, setRemoving] = useState(false)
  const [isReplacing, setReplacing] = useState(false)
  // This page deletes the previous document once the new one is ingested.
  useCloseGuard(isReplacing)
  const file = useRef<HTMLInputElement>(null)
  const params = { knowledgeBaseId, documentId }
  const reread = useChange('rereadKnowledgeDocument', { refreshes: REFRESHES })
  const remove = useChange('deleteKnowledgeDocument', { refreshes: REFRESHES })
  const organizationId = useOrganizationId()
  const upload = useFileUpload('addKnowledgeDocument', REFRESHES)
  const again = async () => {
    const done = await reread.run({ params })
    if (done) showNotice({ title: words.rereadNotice(name, done.answer.chunks) })
    else showNotice({ title: words.rereadFailed, tone: 'bad' })
  }
  // The previous one is deleted after the new content was ingested, so that agents always find one of them.
  const replace = async (next: File) => {
    const sent = await upload({ params: { knowledgeBaseId } }, next)
    if (!sent.ok) {
      showNotice({ title: words.replaceFailed, detail: sent.failure.message, tone: 'bad' })
      return
    }
    if (!sent.isNew) {
      showNotice({ title: words.known(sent.answer.name) })
      return
    }
    // The content of a failed document is ingested again under the same id, so there is no previous one to delete.
    if (sent.answer.documentId === documentId) {
      showNotice({ title: words.rereadNotice(name, sent.answer.chunks) })
      return
    }
    showNotice({ title: words.replacing(name) })
    setReplacing(true)
    const read = await untilRead(organizationId, { knowledgeBaseId, documentId: sent.answer.documentId })
    setReplacing(false)
    if (read === null) {
      showNotice({ title: words.notReadYet(name), tone: 'bad' })
      return
    }
    if (read.status !== 'ready') {
      showNotice({ title: words.keptBoth(name), ...(read.error && { detail: read.error }), tone: 'bad' })
      return
    }
    if (!(await remove.run({ params }))) showNotice({ title: words.removeFailed, tone: 'bad' })
    else {
      const names = Object.keys(document.metadata)
      const detail = names.length === 0 ? {} : { detail: words.metadataLeft(names) }
      showNotice({ title: words.replaced(name), ...detail })
    }
  }
  const confirm = async () => {
    if (!(await remove.run({ params }))) return
    setRemoving(false)
    showNotice({ title: words.removed(name) })
  }
  const refused = useEntryRefusal('build')
  const entries = [
    ...(url === null ? [] : [{ id: 'open', label: words.open, href: url }]),
    { id: 'reread', label: words.reread, isDisabled: status === 'queued', ...refused, onAction: again },
    ...(source === 'text' ? [{ id: 'edit', label: words.edit, ...refused, onAction: onEdit }] : []),
    ...(source === 'file'
      ? [{ id: 'replace', label: words.replace, ...refused, onAction: () => file.current?.click() }]
      : []),
    { id: 'remove', label: words.remove, isDanger: true, ...refused, onAction: () => setRemoving(true) },
  ]
  return (
    <>
      <ActionMenu label={words.actions(name)} entries={entries} />
      <input
        ref={file}
        type="file"
        hidden
        onChange={({ target }) => {
          const [next] = target.files ?? []
          if (next) void replace(next)
          target.value = ''
        }}
      />
      <ConfirmDialog
        isOpen={isRemoving}
        onClose={() => {
          setRemoving(false)
          remove.reset()
        }}
        title={words.removeTitle(name)}
        action={words.removeAction}
        isDanger
        isPending={remove.isPending}
        failed={words.removeFailed}
        failure={remove.failure}
        onConfirm={confirm}
      >
        {words.removeDetail}
      </ConfirmDialog>
    </>
  )
}
