import type { BuilderWorkflow } from '@troupe/contract/builder'
import { differenceBetween } from '@troupe/editor/commands/difference-between'
import { isExactGraph, readGraph } from '@troupe/editor/document/read-graph'
import { useMemo, useRef, useState } from 'react'
import { CodeField } from '../../../atoms/code/code-field.tsx'
import { Button } from '../../../atoms/controls/button.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { DraftMark } from '../../../atoms/states/badge.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { useSendingRefusal } from '../../../atoms/states/sending-refusal.ts'
import { longNumberIn } from '../../../core/forms/typed-json.ts'
import { authorFirst } from '../../../core/labels/author-name.ts'
import { outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'
import {
  isStaleDraft,
  isTypedDraft,
  onTopOf,
  readDraft,
  type TypedDraft,
} from '../../../core/workflows/typed-draft.ts'
import { useDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { useKeys } from '../../../infrastructure/keys/use-keys.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { useDraftSession } from '../editing/use-draft-session.ts'
import { DRAFT_ANSWERS } from '../parts/draft-answers.ts'
import { DraftFindings } from './draft-findings.tsx'
import styles from './outline.module.css'
import { useDiscard } from './use-discard.ts'

/**
 * The draft as JSON: validated while typing, stored on the device, and saved as one change of the draft, which is merged with other
 * users' saves and can be undone like any other.
 */
export function DraftEditor({ workflow }: { workflow: BuilderWorkflow }) {
  const signedIn = usePlace().session
  const refusal = useRefusal('build')
  const { workflowId, draftRevision, updatedBy } = workflow
  const session = useDraftSession(workflow)
  const stored = useMemo(() => asJson(workflow.draft), [workflow.draft])
  const key = `workflow/${workflowId}/json`
  const typed = useDraft<TypedDraft>(key, isTypedDraft)
  const text = typed.value?.text ?? stored
  const read = useMemo(() => readDraft(text), [text])
  const [isSaving, setSaving] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const replace = useChange('updateWorkflow', { refreshes: DRAFT_ANSWERS })
  const isDirty = typed.value !== null && typed.value.text !== stored
  const from = typed.value?.from ?? stored
  const isStale = useMemo(
    () => isDirty && from !== stored && isStaleDraft(from, workflow.draft),
    [isDirty, from, stored, workflow.draft],
  )

  const send = async (draft: Record<string, unknown>, sent: TypedDraft) => {
    setRefused(null)
    if (!isExactGraph(draft)) {
      // The server reports the problems.
      if ((await session.settled()) !== 'saved') return
      const body = { draft, draftRevision: Number(typed.base) }
      const saved = await replace.run({ params: { workflowId }, body })
      if (saved) typed.settle(sent, onTopOf(sent, saved.answer.draftRevision))
      return
    }
    replace.reset()
    const patches = differenceBetween(readGraph(readDraft(sent.from)), readGraph(draft))
    const { number } = session.history
    session.adopt(patches, words.gestureJson)
    const status = await session.settled()
    if (status === 'refused') {
      setRefused(session.editor.sync.message)
      // The text stays in the field for correction.
      session.takeBack(number)
      return
    }
    typed.settle(sent, onTopOf(sent, session.revision))
    if (status === 'saved') showNotice({ title: words.saved })
  }
  const offline = useSendingRefusal()
  const submit = () => {
    if (read === null || typed.value === null || !isDirty || isSaving) return
    if (refusal !== null || offline !== null) return
    setSaving(true)
    void send(read, typed.value).finally(() => setSaving(false))
  }
  useKeys([{ keys: 'mod+s', label: words.save, refusal: refusal ?? offline, run: submit }])
  const editor = useRef<HTMLDivElement>(null)
  const giveUp = useDiscard()
  const discard = () =>
    giveUp({
      ...{ key, name: words.jsonName },
      placeAfter: () => editor.current?.querySelector('[contenteditable]'),
    })
  return (
    <div ref={editor} className={styles.editor}>
      {isStale && (
        <Callout tone="warn">{words.theyChanged(authorFirst(updatedBy, signedIn.person.userId))}</Callout>
      )}
      <CodeField
        label={words.json}
        description={refusal === null ? words.jsonDetail : words.jsonReadOnly}
        language="json"
        value={text}
        isReadOnly={refusal !== null}
        onChange={(next) => {
          // The user has reverted the edit manually. If stored, it would look outdated after the next change of somebody else.
          if (next === from) typed.discard()
          else {
            const base = typed.value === null ? null : typed.base
            typed.edit({ text: next, from }, base ?? String(draftRevision))
          }
        }}
        minLines={16}
        maxLines={36}
        error={read === null ? (longNumberIn(text) ?? words.notJson) : null}
      />
      {refusal !== null ? (
        <div className={styles.editorBar}>
          <RefusableButton emphasis="primary" refusal={refusal}>
            {words.save}
          </RefusableButton>
          {typed.value !== null && <Button onPress={discard}>{words.discard}</Button>}
        </div>
      ) : (
        <div className={styles.editorBar}>
          <SendButton
            emphasis="primary"
            isPending={isSaving}
            isDisabled={!isDirty || read === null}
            onPress={submit}
          >
            {words.save}
          </SendButton>
          <Button isDisabled={typed.value === null} onPress={discard}>
            {words.discard}
          </Button>
          {isDirty && <DraftMark>{words.unsaved}</DraftMark>}
          {isDirty && <span className={styles.muted}>{typed.isKept ? words.keptHere : words.notKept}</span>}
        </div>
      )}
      <FailurePanel title={words.saveFailed} failure={replace.failure} />
      {refused !== null && (
        <Callout tone="bad">
          <b>{words.saveFailed}</b> {refused}
        </Callout>
      )}
      {refusal === null && read !== null && <DraftFindings workflowId={workflowId} draft={read} />}
    </div>
  )
}
