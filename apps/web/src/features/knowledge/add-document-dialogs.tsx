import type { IdText, KnowledgeBaseId } from '@troupe/contract'
import { isSameJson } from '@troupe/editor/values/json-path'
import { useState } from 'react'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { Callout } from '../../atoms/states/panels.tsx'
import { isMetadataLine, metadataOf } from '../../core/knowledge/metadata-text.ts'
import { knowledgeWords } from '../../core/messages/en/resources/knowledge.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useDraft } from '../../infrastructure/drafts/use-draft.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { isCompleteText, MetadataField, TextDocumentFields, type TextDraft } from './text-document-fields.tsx'

const words = knowledgeWords.documents

export interface AddDocumentProps {
  knowledgeBaseId: IdText<KnowledgeBaseId>
  onClose(): void
}

function useAddDocument({ knowledgeBaseId, onClose }: AddDocumentProps) {
  const add = useChange('addKnowledgeDocument', {
    refreshes: ['listKnowledgeDocuments', 'getKnowledgeBase', 'listKnowledgeBases'],
  })
  const [known, setKnown] = useState<string | null>(null)
  return {
    ...add,
    /** The existing document with the same content, with a different name or metadata; null: none. */
    known,
    /** Resolves with whether it was added. */
    send: async (body: { name?: string; text?: string; url?: string; metadata: Record<string, unknown> }) => {
      setKnown(null)
      const done = await add.run({ params: { knowledgeBaseId }, body })
      if (!done) return false
      const { name, metadata } = done.answer
      const wasThere = done.status === 200
      // The server shortens names with invalid characters.
      const isTaken = (body.name ?? name).includes(name) && isSameJson(body.metadata, metadata)
      if (wasThere && !isTaken) {
        setKnown(name)
        return false
      }
      showNotice({ title: wasThere ? words.known(name) : words.added(name) })
      onClose()
      return true
    },
  }
}

function KnownNote({ known }: { known: string | null }) {
  return known !== null && <Callout tone="warn">{words.knownOther(known)}</Callout>
}

const EMPTY: TextDraft = { name: '', text: '', metadata: [] }

/** A typed or pasted text. It is kept on the device until it is added. */
export function TextDocumentDialog(props: AddDocumentProps) {
  const draft = useDraft(`knowledge-text/${props.knowledgeBaseId}`, isTextDraft)
  const add = useAddDocument(props)
  const typed = draft.value ?? EMPTY
  const edit = (change: Partial<TextDraft>) => draft.edit({ ...typed, ...change }, '')
  const { name, text, metadata } = typed
  const submit = async () => {
    if (await add.send({ name, text, metadata: metadataOf(metadata) })) draft.discard()
  }
  return (
    <FormDialog
      title={words.textTitle}
      onClose={props.onClose}
      action={words.add}
      onSubmit={submit}
      isPending={add.isPending}
      isComplete={isCompleteText(typed)}
      failed={words.addFailed}
      failure={formFailure(add.failure, ['name', 'text'])}
    >
      <KnownNote known={add.known} />
      <TextDocumentFields
        value={typed}
        onChange={edit}
        failure={add.failure}
        detail={text === '' ? words.textDetail : words.textKept}
      />
    </FormDialog>
  )
}

interface UrlFields {
  url: string
  name: string
  metadata: string[]
}

/** A page at a public address, which the server reads. */
export function UrlDocumentDialog(props: AddDocumentProps) {
  const none: UrlFields = { url: '', name: '', metadata: [] }
  const typed = useTypedForm(`knowledge-url/${props.knowledgeBaseId}`, none)
  const { url, name, metadata } = typed.fields
  const add = useAddDocument(props)
  const submit = async () => {
    const body = { url, ...(name ? { name } : {}), metadata: metadataOf(metadata) }
    if (await add.send(body)) typed.discard()
  }
  const control = controlsOf(typed, add.failure)
  return (
    <FormDialog
      title={words.urlTitle}
      onClose={props.onClose}
      action={words.add}
      onSubmit={submit}
      isPending={add.isPending}
      isComplete={url.trim() !== '' && metadata.every(isMetadataLine)}
      failed={words.addFailed}
      failure={formFailure(add.failure, ['url', 'name'])}
      typed={typed}
    >
      <KnownNote known={add.known} />
      <TextField
        label={words.url}
        description={words.urlDetail}
        type="url"
        {...control('url')}
        autoFocus
        isRequired
        maxLength={2_000}
      />
      <TextField label={words.urlName} isOptional {...control('name')} maxLength={255} />
      <MetadataField value={metadata} onChange={(next) => typed.change({ metadata: next })} />
    </FormDialog>
  )
}

function isTextDraft(value: unknown): value is TextDraft {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'text' in value &&
    typeof value.text === 'string' &&
    'metadata' in value &&
    Array.isArray(value.metadata) &&
    value.metadata.every((line) => typeof line === 'string')
  )
}
