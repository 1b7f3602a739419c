import type { BuilderWorkflow } from '@troupe/builder-contract'
import { isJsonObject } from '@troupe/contract'
import { isWholeGraph, readGraph } from '@troupe/editor/document/read-graph'
import type { Graph } from '@troupe/graph'
import { useEffect, useMemo, useRef, useState } from 'react'
import { CodeField } from '../../../atoms/code/code-field.tsx'
import { Button } from '../../../atoms/controls/button.tsx'
import { TextDiff } from '../../../atoms/diff/text-diff.tsx'
import { ConflictDialog } from '../../../atoms/overlays/conflict-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { useSendingRefusal } from '../../../atoms/overlays/sending-refusal.ts'
import { DraftMark } from '../../../atoms/states/badge.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { relativeTime } from '../../../core/format/times.ts'
import { longNumberIn, readTypedJson } from '../../../core/forms/typed-json.ts'
import { authorFirst, authorName } from '../../../core/labels/author-name.ts'
import { outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { mergeDrafts } from '../../../core/workflows/merge-drafts.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'
import { useDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { useKeys } from '../../../infrastructure/keys/use-keys.ts'
import { useChange, useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { DRAFT_ANSWERS } from '../parts/draft-answers.ts'
import { DraftFindings } from './draft-findings.tsx'
import styles from './outline.module.css'
import { useDiscard } from './use-discard.ts'

/** What was typed, and the draft that it was made from. */
interface TypedDraft {
  text: string
  from: string
}

/** The draft as JSON: checked while it is typed, kept on the device, saved against its revision. */
export function DraftEditor({ workflow }: { workflow: BuilderWorkflow }) {
  const { session } = usePlace()
  const refusal = useRefusal('build')
  const { workflowId, draftRevision, updatedBy, updatedAt } = workflow
  const stored = useMemo(() => asJson(workflow.draft), [workflow.draft])
  const key = `workflow/${workflowId}/json`
  const typed = useDraft<TypedDraft>(key, isTypedDraft)
  const text = typed.value?.text ?? stored
  const read = useMemo(() => readDraft(text), [text])
  const [isAsking, setAsking] = useState(false)
  const save = useChange('updateWorkflow', { refreshes: DRAFT_ANSWERS })
  const isDirty = typed.value !== null && typed.value.text !== stored
  const isStale = isDirty && typed.base !== String(draftRevision)
  const isConflict = save.failure?.code === 'draft_conflict'
  const { retry: askAgain } = useOperation('getWorkflow', { params: { workflowId } })
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each conflict
  useEffect(() => {
    if (!isConflict) return
    askAgain()
    setAsking(true)
  }, [isConflict])

  const send = async (draft: object, revision: number) => {
    const sent = typed.value
    const body = { draft: { ...draft }, draftRevision: revision }
    const saved = await save.run({ params: { workflowId }, body })
    if (!saved || sent === null) return
    const { draft: from, draftRevision: base } = saved.answer
    typed.settle(sent, ({ text: later }) => ({
      value: { text: later, from: asJson(from) },
      base: String(base),
    }))
    setAsking(false)
    showNotice({ title: words.saved })
  }
  const offline = useSendingRefusal()
  const submit = () => {
    if (read === null || !isDirty || save.isPending || refusal !== null || offline !== null) return
    if (isStale) setAsking(true)
    else void send(read, draftRevision)
  }
  useKeys([{ keys: 'mod+s', label: words.save, refusal: refusal ?? offline, run: submit }])
  const editor = useRef<HTMLDivElement>(null)
  const giveUp = useDiscard()
  const discard = () =>
    giveUp({
      ...{ key, name: words.jsonName },
      placeAfter: () => editor.current?.querySelector('[contenteditable]'),
    })
  const who = authorName(updatedBy, session.person.userId)
  return (
    <div ref={editor} className={styles.editor}>
      {isStale && (
        <Callout tone="warn">{words.theyChanged(authorFirst(updatedBy, session.person.userId))}</Callout>
      )}
      <CodeField
        label={words.json}
        description={refusal === null ? words.jsonDetail : words.jsonReadOnly}
        language="json"
        value={text}
        isReadOnly={refusal !== null}
        onChange={(next) => {
          const from = typed.value?.from ?? stored
          // Taken back by hand: kept, it would look like an edit against the next change of somebody else.
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
            isPending={save.isPending}
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
      {!isConflict && <FailurePanel title={words.saveFailed} failure={save.failure} />}
      {refusal === null && read !== null && <DraftFindings workflowId={workflowId} draft={read} />}
      {isAsking && read !== null && (
        <DraftConflict
          who={who}
          when={relativeTime(updatedAt, serverNow())}
          stored={stored}
          typed={{ text, from: typed.value?.from ?? stored }}
          isPending={save.isPending}
          onClose={() => {
            save.reset()
            setAsking(false)
          }}
          onTakeTheirs={() => {
            void discard()
            save.reset()
            setAsking(false)
          }}
          onSend={(draft) => void send(draft, draftRevision)}
        />
      )}
    </div>
  )
}

interface DraftConflictProps {
  who: string
  when: string
  /** As the server has it now. */
  stored: string
  typed: TypedDraft
  isPending: boolean
  onClose(): void
  onTakeTheirs(): void
  onSend(draft: object): void
}

function DraftConflict({ stored, typed, onSend, ...dialog }: DraftConflictProps) {
  const mine = readDraft(typed.text)
  const merged = mine && mergedDraft(typed, stored)
  return (
    <ConflictDialog
      {...dialog}
      isOpen
      what={words.conflictWhat}
      onKeepMine={() => mine && onSend(mine)}
      {...(merged ? { onMerge: () => onSend(merged) } : {})}
    >
      <TextDiff label={words.json} before={stored} after={typed.text} isMono around={3} />
    </ConflictDialog>
  )
}

/** null: they cannot be merged, or something that was typed would be left out. */
function mergedDraft({ text, from }: TypedDraft, stored: string): Graph | null {
  if (!isWholeGraph(readDraft(text))) return null
  const [base, mine, theirs] = [from, text, stored].map((one) => readGraph(readDraft(one)))
  return base && mine && theirs ? mergeDrafts(base, mine, theirs) : null
}

/** null: the text is no JSON object. What is wrong inside it the server says. */
function readDraft(text: string): Record<string, unknown> | null {
  const read = readTypedJson(text)
  return read.ok && isJsonObject(read.value) ? read.value : null
}

function isTypedDraft(value: unknown): value is TypedDraft {
  return isJsonObject(value) && typeof value.text === 'string' && typeof value.from === 'string'
}
