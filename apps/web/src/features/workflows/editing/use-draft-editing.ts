import type { BuilderWorkflow, SaveDraftBody } from '@troupe/builder-contract'
import { readGraph } from '@troupe/editor/document/read-graph'
import type { Outcome, Transaction } from '@troupe/editor/document/transaction'
import { toRedo, toUndo } from '@troupe/editor/history/history'
import type { TakenBack, WorkflowEditor } from '@troupe/editor/session/workflow-editor'
import { changesOf, type DraftChange } from '@troupe/editor/sync/draft-changes'
import type { Graph } from '@troupe/graph'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { commandWords } from '../../../core/messages/en/workflows/canvas.ts'
import { historyWords as words } from '../../../core/messages/en/workflows/outline.ts'
import type { CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { DRAFT_ANSWERS } from '../parts/draft-answers.ts'
import { draftSession, type ServerDraft, type WasSaved } from './draft-session.ts'

/** Characters of what a person did, in the audit log. */
const MOST_GESTURE = 200

/** How a change meets a draft that somebody else has changed meanwhile. */
export interface EditOptions {
  /** Absent: it is joined with theirs, unless both changed the same thing. */
  isJoined?: boolean
  /** The draft that it is made from; absent: the one of the page. */
  from?: ServerDraft
  onFailure?(failure: CallFailure): void
}

/** A change that was saved. */
export interface Edited<Result> {
  result: Result
  draftRevision: number
  /** Of the command, for {@link DraftEditing.takeBack}. */
  number: number
}

export interface DraftEditing {
  /** Makes a command and saves it. null: it was refused, or could not be saved, and `failure` says why. */
  edit<Result>(
    label: string,
    command: (tx: Transaction, isRetired: (id: string) => boolean) => Result,
    options?: EditOptions,
  ): Promise<Edited<Result> | null>
  /** Takes the last change of this tab back; null: there is none, or it could not be saved. */
  undo(options?: EditOptions): Promise<Edited<TakenBack> | null>
  redo(options?: EditOptions): Promise<Edited<TakenBack> | null>
  /** Takes a certain command back, whatever was done since. */
  takeBack(number: number, options?: EditOptions): Promise<Edited<TakenBack> | null>
  /** The draft with the changes of this tab, also those that are not saved yet; null: the page knows it as it is. */
  shown: Graph | null
  /** What the next undo and redo are about; null: nothing. */
  toUndo: string | null
  toRedo: string | null
  failure: CallFailure | null
  isPending: boolean
}

/**
 * Edits the draft of a workflow through the editor's core: each change is a command of the history of this tab, which outlives a
 * reload. What somebody else saved meanwhile is joined, and stays when a change is taken back.
 */
export function useDraftEditing(workflow: BuilderWorkflow): DraftEditing {
  const { membership, session: signedIn } = usePlace()
  const { workflowId } = workflow
  const save = useChange('saveWorkflowDraft', { refreshes: DRAFT_ANSWERS })
  const session = draftSession(
    `${signedIn.person.userId}/${membership.organizationId}/${workflowId}`,
    workflow,
  )
  const [isJoining, setJoining] = useState(false)
  useSyncExternalStore(session.changes.subscribe, session.changes.get)
  const wasSaved: WasSaved = async ({ changeId, since }) => {
    const input = { params: { workflowId }, query: { since } }
    const found = await callOperation('listDraftChanges', membership.organizationId, input).catch(() => null)
    return found === null || !found.isComplete ? null : found.data.some((one) => one.changeId === changeId)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read once
  useEffect(() => {
    void session.read(wasSaved)
  }, [session])

  /** Saves what `act` has changed. On a conflict it is made again on top of the newest draft. */
  const savedNow = async <Result>(
    act: (editor: WorkflowEditor, at: number) => Result | null,
    { isJoined = true, from = workflow, onFailure }: EditOptions,
  ): Promise<Edited<Result> | null> => {
    await session.read(wasSaved)
    session.catchUp(from)
    const { editor } = session
    const before = editor.kept()
    const result = act(editor, Date.now())
    if (result === null) return null
    // What was done is seen before it is saved.
    session.changes.set(session.changes.get() + 1)
    const number = editor.history.commands[editor.history.done - 1]?.number ?? 0
    let newest: ServerDraft = from
    for (let tries = 1; ; tries += 1) {
      editor.dispatch({ kind: 'flush', at: Date.now() })
      const effect = editor.takeEffects().find((one) => one.kind === 'send')
      if (!effect) {
        void session.keep()
        return { result, draftRevision: editor.sync.revision, number }
      }
      const { changeId, draftRevision, gesture } = effect.save
      const mayJoin = isJoined && tries < MOST_TRIES
      let code = ''
      const changes = changesOf(effect.save).map(sentChange)
      const body = { draftRevision, changeId, changes, gesture: gesture.slice(0, MOST_GESTURE) }
      // Before it is sent: a page that goes away now finds out later whether it was saved.
      await session.keep({ changeId, since: draftRevision, before: before.history })
      const reply = await save.run({ params: { workflowId }, body }, (failure) => {
        code = failure.code
        if (mayJoin && code === 'draft_conflict') setJoining(true)
        else onFailure?.(failure)
      })
      if (reply) {
        const { draftRevision: revision, savedAt } = reply.answer
        editor.dispatch({ kind: 'saved', changeId, revision, savedAt, at: Date.now() })
        setJoining(false)
        void session.keep()
        return { result, draftRevision: revision, number }
      }
      const isStale = code === 'draft_conflict' && mayJoin
      const found = isStale ? await readNewest() : null
      newest = found ?? newest
      const isAsked = found !== null && join(editor, changeId, found)
      if (found === null || isAsked) {
        session.giveUp(before, newest)
        setJoining(false)
        return null
      }
    }
  }
  const saved = <Result>(act: (editor: WorkflowEditor, at: number) => Result | null, options: EditOptions) =>
    session.inTurn(() => savedNow(act, options))
  const readNewest = () =>
    callOperation('getWorkflow', membership.organizationId, { params: { workflowId } }).catch(() => null)

  const { history } = session
  return {
    edit: (label, command, options = {}) =>
      saved((editor, at) => {
        const outcome: Outcome<ReturnType<typeof command>> = editor.run({ label, at }, command)
        if (outcome.ok) return { value: outcome.result }
        showNotice({ tone: 'bad', title: words.failed, detail: commandWords.refusals[outcome.reason] })
        return null
      }, options).then((done) => done && { ...done, result: done.result.value }),
    undo: (options = {}) => saved((editor, at) => editor.undo({ labelOf: (label) => label, at }), options),
    redo: (options = {}) => saved((editor, at) => editor.redo({ labelOf: (label) => label, at }), options),
    takeBack: (number, options = {}) =>
      saved((editor, at) => editor.takeBack(number, { labelOf: (label) => label, at }), options),
    shown: session.shown(workflow),
    toUndo: toUndo(history)?.label ?? null,
    toRedo: toRedo(history)?.label ?? null,
    failure: isJoining ? null : save.failure,
    isPending: save.isPending || isJoining,
  }
}

/** Times that a change is made again on top of what somebody else saved. */
const MOST_TRIES = 4

/** Puts the change on top of the newest draft. @returns whether both sides changed the same thing */
function join(editor: WorkflowEditor, changeId: string, { draft, draftRevision }: ServerDraft): boolean {
  const at = Date.now()
  editor.dispatch({ kind: 'stale', changeId, revision: draftRevision, at })
  editor.receiveDraft({ revision: draftRevision, graph: readGraph(draft) }, { at })
  return editor.sync.conflicts.length > 0
}

/** A change in the form of the request. */
function sentChange(change: DraftChange): SaveDraftBody['changes'][number] {
  if (!('put' in change)) return change
  const { put } = change
  return { put: 'node' in put ? { ...put, node: { ...put.node } } : { ...put, edge: { ...put.edge } } }
}
