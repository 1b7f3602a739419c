import type { IdText, KnowledgeBaseId, KnowledgeDocument, KnowledgeDocumentId } from '@troupe/contract'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { typedDifferences } from '../../core/forms/typed-fields.ts'
import { metadataLines, metadataOf } from '../../core/knowledge/metadata-text.ts'
import { knowledgeWords } from '../../core/messages/en/resources/knowledge.ts'
import { callOperation } from '../../infrastructure/client/call-operation.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useOrganizationId } from '../../infrastructure/sign-in/organization-id.ts'
import { VersionConflict } from '../../parts/unsaved/version-conflict.tsx'
import { isCompleteText, TextDocumentFields, type TextDraft } from './text-document-fields.tsx'

const words = knowledgeWords.documents
const LABELS = { name: words.textName, text: words.text, metadata: words.metadata }

export interface EditTextProps {
  knowledgeBaseId: IdText<KnowledgeBaseId>
  documentId: IdText<KnowledgeDocumentId>
  onClose(): void
}

/** Edits a written document under its id; the input is kept on the device until it is saved. */
export function EditTextDialog({ knowledgeBaseId, documentId, onClose }: EditTextProps) {
  const params = { knowledgeBaseId, documentId }
  const document = useOperation('getKnowledgeDocument', { params })
  const written = useOperation('getKnowledgeDocumentText', { params })
  const text = written.data?.text
  if (document.data && written.data && typeof text === 'string') {
    return (
      <EditedText
        params={params}
        document={document.data}
        text={text}
        contentHash={written.data.contentHash ?? ''}
        onAskAgain={() => {
          document.retry()
          written.retry()
        }}
        onClose={onClose}
      />
    )
  }
  const title = document.data ? words.editTitle(document.data.name) : words.one
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <AskedPanel asked={document} failed={words.oneFailed}>
        {() => (
          <AskedPanel asked={written} failed={words.oneFailed}>
            {() => <p>{words.notWritten}</p>}
          </AskedPanel>
        )}
      </AskedPanel>
    </Dialog>
  )
}

interface EditedTextProps {
  params: { knowledgeBaseId: IdText<KnowledgeBaseId>; documentId: IdText<KnowledgeDocumentId> }
  document: KnowledgeDocument
  text: string
  contentHash: string
  onAskAgain(): void
  onClose(): void
}

function EditedText({ params, document, text, contentHash, onAskAgain, onClose }: EditedTextProps) {
  const organizationId = useOrganizationId()
  const { lines, others } = metadataLines(document.metadata)
  const stored: TextDraft = { name: document.name, text, metadata: lines }
  const typed = useTypedForm(`knowledge-text/${params.documentId}`, stored)
  const update = useChange('updateKnowledgeDocument', {
    refreshes: [
      ...(['listKnowledgeDocuments', 'getKnowledgeDocument', 'getKnowledgeDocumentText'] as const),
      ...(['listKnowledgePassages', 'getKnowledgeBase', 'listKnowledgeBases'] as const),
    ],
  })
  const save = async (base: string) => {
    const { fields, changed } = typed
    // Unchanged fields are omitted, so that a colleague's saves are kept.
    const body = {
      ...(changed.name !== undefined && { name: changed.name }),
      ...(changed.text !== undefined && { text: changed.text, contentHash: base }),
      ...(changed.metadata && { metadata: { ...others, ...metadataOf(changed.metadata) } }),
    }
    const done = await update.run({ params, body })
    if (!done) return onAskAgain()
    typed.discard()
    const { status, chunks } = done.answer
    const title = status === 'queued' ? words.rereadNotice(fields.name, chunks) : words.edited(fields.name)
    showNotice({ title })
    onClose()
  }
  const keepMine = async () => {
    const now = await callOperation('getKnowledgeDocumentText', organizationId, { params }).catch(() => null)
    if (now === null) return showNotice({ title: words.editFailed, tone: 'bad' })
    await save(now.contentHash ?? '')
  }
  const isStale = (update.failure?.current ?? null) !== null
  const names = Object.keys(others)
  return (
    <>
      <FormDialog
        title={words.editTitle(document.name)}
        onClose={onClose}
        action={words.save}
        onSubmit={() => void save(contentHash)}
        isPending={update.isPending}
        isComplete={isCompleteText(typed.fields) && typed.isChanged}
        failed={words.editFailed}
        failure={isStale ? null : formFailure(update.failure, ['name', 'text'])}
        typed={typed}
      >
        <TextDocumentFields
          value={typed.fields}
          onChange={typed.change}
          failure={update.failure}
          detail={words.editDetail}
        />
        {names.length > 0 && <p>{words.metadataOthers(names)}</p>}
      </FormDialog>
      <VersionConflict
        change={update}
        what={words.noun}
        differences={typedDifferences(typed.changed, stored, LABELS)}
        onTakeTheirs={() => {
          typed.discard()
          onClose()
        }}
        onKeepMine={() => void keepMine()}
      />
    </>
  )
}
