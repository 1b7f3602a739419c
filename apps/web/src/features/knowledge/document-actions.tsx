import type { KnowledgeDocument } from '@troupe/contract'
import { useRef, useState } from 'react'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { knowledgeWords } from '../../core/messages/en/resources/knowledge.ts'
import { useFileUpload } from '../../infrastructure/queries/use-file-upload.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'

const words = knowledgeWords.documents
const REFRESHES = ['listKnowledgeDocuments', 'getKnowledgeBase', 'listKnowledgeBases'] as const

export interface DocumentActionsProps {
  knowledgeBaseId: string
  document: KnowledgeDocument
}

/** What can be done with one document. */
export function DocumentActions({ knowledgeBaseId, document }: DocumentActionsProps) {
  const { documentId, name, url, status } = document
  const [isRemoving, setRemoving] = useState(false)
  const file = useRef<HTMLInputElement>(null)
  const params = { knowledgeBaseId, documentId }
  const reread = useChange('rereadKnowledgeDocument', { refreshes: REFRESHES })
  const remove = useChange('deleteKnowledgeDocument', { refreshes: REFRESHES })
  const upload = useFileUpload('addKnowledgeDocument', REFRESHES)
  const again = async () => {
    if (await reread.run({ params })) showNotice({ title: words.rereadNotice(name) })
    else showNotice({ title: words.rereadFailed, tone: 'bad' })
  }
  // The new content is there before the former one goes, so that agents find one of them all the time.
  const replace = async (next: File) => {
    const sent = await upload({ params: { knowledgeBaseId } }, next)
    if (!sent.ok) showNotice({ title: words.replaceFailed, detail: sent.failure.message, tone: 'bad' })
    else if (sent.answer.documentId === documentId) showNotice({ title: words.known(name) })
    else if (await remove.run({ params })) showNotice({ title: words.replaced(name) })
    else showNotice({ title: words.removeFailed, tone: 'bad' })
  }
  const confirm = async () => {
    if (!(await remove.run({ params }))) return
    setRemoving(false)
    showNotice({ title: words.removed(name) })
  }
  const entries = [
    ...(url === null ? [] : [{ id: 'open', label: words.open, href: url }]),
    { id: 'reread', label: words.reread, isDisabled: status === 'queued', onAction: again },
    ...(url === null ? [{ id: 'replace', label: words.replace, onAction: () => file.current?.click() }] : []),
    { id: 'remove', label: words.remove, isDanger: true, onAction: () => setRemoving(true) },
  ]
  return (
    <>
      <ActionMenu label={words.actions(name)} groups={[{ id: 'document', entries }]} />
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
