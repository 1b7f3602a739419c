import type { BuilderWorkflow } from '@troupe/builder-contract'
import type { WorkflowFinding } from '@troupe/contract'
import { isJsonObject } from '@troupe/contract'
import { readGraph } from '@troupe/editor/document/read-graph'
import { knownTokens } from '@troupe/editor/tokens/known-tokens'
import type { GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { CodeField } from '../../../atoms/code/code-field.tsx'
import { Button } from '../../../atoms/controls/button.tsx'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { TextDiff } from '../../../atoms/diff/text-diff.tsx'
import { focusNext, useFocusAfter } from '../../../atoms/focus/focus-next.ts'
import { ConflictDialog } from '../../../atoms/overlays/conflict-dialog.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { useSendingRefusal } from '../../../atoms/overlays/sending-refusal.ts'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { relativeTime } from '../../../core/format/times.ts'
import { longNumberIn, readTypedJson } from '../../../core/forms/typed-json.ts'
import { unreadText } from '../../../core/forms/unread-texts.ts'
import { authorName } from '../../../core/labels/author-name.ts'
import { unsavedWords } from '../../../core/messages/en/agents/unsaved.ts'
import { fieldWords, outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { faultsOf } from '../../../core/workflows/findings.ts'
import { asJson } from '../../../core/workflows/node-settings.ts'
import type { KeptStepEdit } from '../../../core/workflows/removed-steps.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { formFailure } from '../../../infrastructure/client/field-failure.ts'
import { useDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { nameOfKey } from '../../../infrastructure/keys/key-map.ts'
import { useKeys } from '../../../infrastructure/keys/use-keys.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { commitField } from '../../../parts/unsaved/commit-field.ts'
import type { ServerDraft } from '../editing/draft-session.ts'
import { useDraftEditing } from '../editing/use-draft-editing.ts'
import { NodeForm } from '../fields/node-form.tsx'
import { TokensOfStep } from '../fields/tokens-of-step.ts'
import styles from './outline.module.css'
import { isStepEdit, type StepEdit, stepDraftKey } from './step-edit.ts'
import { useDiscard } from './use-discard.ts'

const NO_FAULTS: ReadonlyMap<string, string> = new Map()

/** A conflict: the node as a colleague left it. */
interface Theirs {
  node: GraphNode | null
  revision: number
  /** The whole draft of that revision. */
  draft: ServerDraft
  who: string
  when: string
}

export interface NodeEditorProps {
  workflow: BuilderWorkflow
  node: GraphNode
  findings: readonly WorkflowFinding[]
  /** Somebody else has removed the step: saving puts it back. */
  isRemoved: boolean
  /** It has just been added: nothing is missing before it is saved. */
  isAdded: boolean
  /** Where the focus goes when the editor goes away with it. */
  placeAfter(): Element | null
  /** What is typed and not saved; null: nothing, or the editor goes away. */
  onEdit(edit: KeptStepEdit | null): void
  onSaved(): void
  onClose(): void
}

/** Changes the name and the settings of one step. A colleague's change of another step is no conflict. */
export function NodeEditor(props: NodeEditorProps) {
  const { workflow, node, findings, isRemoved, isAdded, placeAfter, onEdit, onSaved, onClose } = props
  const { workflowId, draftRevision } = workflow
  const kept = useDraft<StepEdit>(stepDraftKey(workflowId, node.id), isStepEdit)
  const edit = kept.value ?? { name: node.name, config: asJson(node.config), from: JSON.stringify(node) }
  const [isTried, setTried] = useState(false)
  // A refused save whose reason could not be read: there is nothing to choose between.
  const [isUnread, setUnread] = useState(false)
  const [view, setView] = useState<'form' | 'json'>('form')
  const [theirs, setTheirs] = useState<Theirs | null>(null)
  const save = useDraftEditing(workflow)
  const readTheirs = useTheirNode(workflowId, node.id)
  const { session } = usePlace()
  const here = theirsOf(workflow, node, session.person.userId)
  const config = readConfig(edit.config)
  const tokens = useMemo(() => knownTokens(readGraph(workflow.draft), node.id), [workflow.draft, node.id])
  const definition = NODE_TYPES.get(node.type)
  const schema = definition?.schema
  const editor = useRef<HTMLDivElement>(null)
  useFirstField(editor)
  useToldEdit(node.id, kept.value, onEdit)
  useFocusAfter(editor, placeAfter)
  const giveUp = useDiscard()
  const key = stepDraftKey(workflowId, node.id)
  const discard = () =>
    giveUp({ key, name: node.name, placeAfter: () => editor.current?.querySelector('input') ?? placeAfter() })
  const change = (part: Partial<StepEdit>) => {
    const next = { ...edit, ...part }
    const isTakenBack = !isRemoved && next.name === node.name && next.config === asJson(node.config)
    // Discard it, or the next remote change would be reported as a conflict.
    if (isTakenBack && next.from === JSON.stringify(node)) kept.discard()
    else kept.edit(next, String(draftRevision))
  }

  /** Sends the edit; a colleague's change of this very step is asked about first, unless that was decided. */
  const send = async (from: ServerDraft, isSure = false): Promise<void> => {
    setTried(true)
    setUnread(false)
    if (config === null) return
    const unread = unreadText()
    if (unread !== null) return showNotice({ title: unsavedWords.unread(unread), tone: 'bad' })
    if (edit.from !== JSON.stringify(node) && !isSure) return setTheirs(here)
    const put = { ...node, name: edit.name, config }
    // Joined with nothing: what somebody else has changed in this very step is asked about below.
    const options = { isJoined: false, from }
    const saved = await save.edit(words.gesture(edit.name), (tx) => tx.putNode(put), options)
    if (saved) {
      const now = saved.draftRevision
      const settle = (from: GraphNode) =>
        kept.settle(edit, (later) => ({
          value: { ...later, from: JSON.stringify(from) },
          base: String(now),
        }))
      if (settle(put)) onSaved()
      else {
        // What was typed meanwhile goes on from the step as the server has completed it.
        const stored = await readTheirs()
        if (stored?.node && stored.revision === now) settle(stored.node)
      }
      showNotice({ title: words.saved })
      return
    }
    const found = await readTheirs()
    if (found === null || found.revision === from.draftRevision) return setUnread(true)
    if (JSON.stringify(found.node) !== (isRemoved ? 'null' : edit.from)) setTheirs(found)
    else await send(found.draft, true)
  }

  const isSendable = kept.value !== null && edit.name !== '' && !save.isPending
  const offline = useSendingRefusal()
  const latest = useRef(() => {})
  latest.current = () => {
    if (isSendable && offline === null) void send(workflow)
  }
  const saveByKey = () => {
    if (offline === null) void commitField().then(() => latest.current())
    else showNotice({ title: offline })
  }
  useKeys([{ keys: 'mod+s', label: words.save, refusal: offline, run: saveByKey }])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: on a narrow page it is in a dialog, where the keys of the page are silent
    <div
      ref={editor}
      className={styles.editor}
      onKeyDown={(event) => {
        if (nameOfKey(event) !== 'mod+s' || event.defaultPrevented) return
        event.preventDefault()
        saveByKey()
      }}
    >
      {isRemoved && <Callout tone="warn">{words.removedMeanwhile}</Callout>}
      <FailurePanel
        title={words.saveFailed}
        failure={save.failure?.code === 'draft_conflict' && !isUnread ? null : formFailure(save.failure, [])}
      />
      <TextField
        label={words.stepName}
        value={edit.name}
        onChange={(name) => change({ name })}
        maxLength={128}
        isRequired
      />
      {schema && (
        <Segments
          label={fieldWords.view}
          value={config === null ? 'json' : view}
          onChange={setView}
          options={[
            { id: 'form', label: fieldWords.views.form },
            { id: 'json', label: fieldWords.views.json },
          ]}
        />
      )}
      {schema && config !== null && view === 'form' ? (
        <>
          <TokensOfStep value={tokens}>
            <NodeForm
              schema={schema}
              config={config}
              projectId={workflow.projectId}
              onChange={(next) => change({ config: asJson(next) })}
              faults={isAdded && !isTried ? NO_FAULTS : faultsOf(findings, schema, node.config, config)}
            />
          </TokensOfStep>
          {definition?.role !== 'trigger' && definition?.role !== 'note' && (
            <p className={styles.muted}>{fieldWords.tokenKinds}</p>
          )}
          <p className={styles.muted}>{words.configDetail}</p>
        </>
      ) : (
        <CodeField
          label={words.config}
          description={words.configDetail}
          language="json"
          value={edit.config}
          onChange={(text) => change({ config: text })}
          error={isTried && config === null ? (longNumberIn(edit.config) ?? words.notObject) : null}
        />
      )}
      <div className={styles.panelActions}>
        <SendButton
          emphasis="primary"
          isPending={save.isPending}
          isDisabled={kept.value === null || edit.name === ''}
          onPress={() => send(workflow)}
        >
          {words.save}
        </SendButton>
        <Button onPress={onClose}>{words.closeEditor}</Button>
        {kept.value !== null && (
          <Button emphasis="quiet" onPress={discard}>
            {words.discard}
          </Button>
        )}
      </div>
      {kept.value !== null && <p className={styles.muted}>{kept.isKept ? words.keptHere : words.notKept}</p>}
      {theirs && (
        <ConflictDialog
          isOpen
          onClose={() => setTheirs(null)}
          who={theirs.who}
          when={theirs.when}
          what={words.conflictWhat}
          onTakeTheirs={() => {
            void giveUp({ key, name: node.name, placeAfter })
            onClose()
          }}
          onKeepMine={() => {
            setTheirs(null)
            void send(theirs.draft, true)
          }}
          isPending={save.isPending}
        >
          <TextDiff
            label={words.config}
            before={theirs.node ? asJson({ name: theirs.node.name, ...theirs.node.config }) : ''}
            after={asJson({ name: edit.name, ...config })}
            isMono
            around={3}
          />
        </ConflictDialog>
      )}
    </div>
  )
}

/** A form that opens takes the focus, and is read from its beginning. */
function useFirstField(editor: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const field = () => editor.current?.querySelector('input')
    field()?.focus()
    // A dialog that closes takes it back first.
    focusNext(field)
    // Where the step was read before, somewhere further down.
    const frame = requestAnimationFrame(() => scrollUp(editor.current))
    return () => cancelAnimationFrame(frame)
  }, [editor])
}

function useToldEdit(nodeId: string, value: StepEdit | null, onEdit: NodeEditorProps['onEdit']): void {
  const from = value?.from ?? null
  useEffect(() => {
    onEdit(from === null ? null : { nodeId, from })
    return () => onEdit(null)
  }, [nodeId, from, onEdit])
}

/** Shows the beginning of the panel or the sheet around a part, and leaves the page as it is. */
function scrollUp(part: Element | null): void {
  const around = part?.closest('aside, [role="dialog"]')
  for (let at = part; at && around?.contains(at); at = at.parentElement) at.scrollTop = 0
}

/** Reads a node as it is stored now; null when the server cannot be reached. */
function useTheirNode(workflowId: string, nodeId: string): () => Promise<Theirs | null> {
  const { membership, session } = usePlace()
  return async () => {
    const params = { workflowId }
    const now = await callOperation('getWorkflow', membership.organizationId, { params }).catch(() => null)
    if (now === null) return null
    const node = readGraph(now.draft).nodes.find(({ id }) => id === nodeId) ?? null
    return theirsOf(now, node, session.person.userId)
  }
}

function theirsOf(workflow: BuilderWorkflow, node: GraphNode | null, ownUserId: string): Theirs {
  const { draftRevision, updatedBy, updatedAt } = workflow
  return {
    node,
    revision: draftRevision,
    draft: workflow,
    who: authorName(updatedBy, ownUserId),
    when: relativeTime(updatedAt, serverNow()),
  }
}

function readConfig(text: string): Record<string, unknown> | null {
  const read = readTypedJson(text)
  return read.ok && isJsonObject(read.value) ? read.value : null
}
