import type { BuilderWorkflow } from '@troupe/contract/builder'
import { DraftDocument } from '@troupe/editor/document/draft-document'
import type { Graph, GraphNode } from '@troupe/graph'
import { type ReactNode, useMemo, useState } from 'react'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { focusedAnchor } from '../../../atoms/overlays/popover-anchor.ts'
import {
  type Answers,
  commandOf,
  type Question,
  STEP_COMMANDS,
  type StepCommand,
  type StepCommandId,
} from '../../../core/canvas/step-commands.ts'
import { commandWords as words } from '../../../core/messages/en/workflows/canvas.ts'
import type { AnchorNow } from '../../../core/overlays/popover-place.ts'
import { nameOfKey } from '../../../infrastructure/keys/key-map.ts'
import { useKeys } from '../../../infrastructure/keys/use-keys.ts'
import { letterKeys } from '../../../infrastructure/preferences/preferences.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { useDraftCommands } from '../editing/use-draft-editing.ts'
import { exactRowOf } from '../parts/step-places.ts'
import { ChoiceDialog } from './choice-dialog.tsx'
import { useRemovalNotice } from './use-removal-notice.ts'

export interface StepCommandsProps {
  workflow: BuilderWorkflow
  /** The displayed draft. */
  graph: Graph
  view: 'canvas' | 'outline'
  /** The steps to which a key or a command of the palette applies. */
  idsNow(): readonly string[]
  /** Positions that only the rendered canvas knows, for alignment and for steps that change their Loop. */
  placesFor?(
    command: StepCommandId,
    ids: readonly string[],
    answers: Answers,
  ): ReadonlyMap<string, GraphNode['position']>
  /** Ids of created steps. */
  onMade(ids: readonly string[]): void
  /** The steps to select after a command. `isByKey`: the focus stays on the steps, for the next key. */
  onDone(ids: readonly string[], command: StepCommandId, isByKey: boolean): void
}

/** Commands whose new step is edited right away. */
export const ADDING: ReadonlySet<StepCommandId> = new Set(['add', 'insert', 'trigger', 'note'])

export interface StepCommandsState {
  /**
   * Runs a command; missing parameters are requested from the user.
   *
   * @param isByKey default false
   * @param anchor where to ask; absent: at the pressed button or the focused step
   */
  dispatch(
    id: StepCommandId,
    ids: readonly string[],
    answers?: Answers,
    isByKey?: boolean,
    anchor?: AnchorNow | null,
  ): void
  /** The command of a key in this view; null if there is none. */
  commandOfKey(event: KeyboardEvent): StepCommandId | null
  /** @returns whether the key belongs to a command */
  key(event: KeyboardEvent, ids: readonly string[]): boolean
  /** The reason why a command is unavailable; null: available. */
  faultOf(id: StepCommandId, ids: readonly string[]): string | null
  reader: DraftDocument
  /** The current prompt. */
  dialog: ReactNode
}

interface Asking {
  command: StepCommand
  ids: readonly string[]
  answers: Answers
  question: Question
  anchor: AnchorNow | null
  isByKey: boolean
}

const NO_PLACES: ReadonlyMap<string, GraphNode['position']> = new Map()

/** The commands for steps in the canvas and the list. */
export function useStepCommands(props: StepCommandsProps): StepCommandsState {
  const { workflow, graph, view, idsNow, placesFor, onDone, onMade } = props
  const reader = useMemo(() => new DraftDocument(graph), [graph])
  const editing = useDraftCommands(workflow)
  const removal = useRemovalNotice(workflow, (ids) => onDone(ids, 'remove', false))
  const refusal = useRefusal('build')
  const [asking, setAsking] = useState<Asking | null>(null)

  /** The draft at the moment of a command: the latest input may not be rendered yet. */
  const readerNow = () => {
    const now = editing.now()
    return now === null || now === graph ? reader : new DraftDocument(now)
  }

  const run = (command: StepCommand, ids: readonly string[], answers: Answers, isByKey: boolean): void => {
    const reader = readerNow()
    const places = placesFor?.(command.id, ids, answers) ?? NO_PLACES
    const label = command.labelOf(reader, ids, answers)
    const done = editing.edit(label, (tx, isRetired) => command.run(tx, { ids, answers, isRetired, places }))
    if (done === null) return
    if (command.id === 'remove') removal.tell({ reader, ids, number: done.number })
    onMade(done.result.filter((one) => reader.node(one) === null))
    onDone(done.result, command.id, isByKey)
  }
  const faultIn = (draft: DraftDocument, id: StepCommandId, ids: readonly string[]) =>
    refusal ??
    commandOf(id).fault(
      draft,
      ids.filter((one) => draft.node(one) !== null),
    )
  const faultOf = (id: StepCommandId, ids: readonly string[]) => faultIn(reader, id, ids)
  const dispatch = (
    id: StepCommandId,
    wanted: readonly string[],
    answers: Answers = {},
    isByKey = false,
    at?: AnchorNow | null,
  ): void => {
    const command = commandOf(id)
    const reader = readerNow()
    const ids = wanted.filter((one) => reader.node(one) !== null)
    const fault = faultIn(reader, id, ids)
    if (fault !== null) return void showNotice({ tone: 'bad', title: words.titles[id], detail: fault })
    const question = command.ask(reader, ids, answers)
    if (question === null) {
      run(command, ids, answers, isByKey)
      return
    }
    if (question.groups.every(({ choices }) => choices.length === 0)) {
      const detail = question.key === 'target' ? words.needs.target : words.needs.type
      return void showNotice({ tone: 'bad', title: words.titles[id], detail })
    }
    const anchor = at === undefined ? focusedAnchor(() => exactRowOf(ids[0] ?? '')) : at
    setAsking({ command, ids, answers, question, anchor, isByKey })
  }
  const close = () => {
    setAsking(null)
  }
  const commandOfKey = (event: KeyboardEvent): StepCommandId | null => {
    const name = nameOfKey(event)
    if (name === null) return null
    const isLetter = name.length === 1 || name.startsWith('shift+')
    if (isLetter && letterKeys.get() === 'off') return null
    return STEP_COMMANDS.find((one) => isIn(one, view) && one.keys.some((own) => own === name))?.id ?? null
  }
  const key = (event: KeyboardEvent, ids: readonly string[]): boolean => {
    const command = commandOfKey(event)
    if (command === null) return false
    if (!event.repeat) dispatch(command, ids, {}, true)
    return true
  }
  useKeys(
    STEP_COMMANDS.filter((command) => isIn(command, view)).flatMap(({ id, keys: [first] }) =>
      first === undefined
        ? []
        : {
            ...{ keys: first, label: words.titles[id], isLocal: true, refusal },
            run: () => dispatch(id, idsNow()),
          },
    ),
  )
  const dialog = asking && (
    <ChoiceDialog
      key={asking.question.key}
      question={asking.question}
      anchor={asking.anchor}
      onClose={close}
      onAnswer={(answer) => {
        const { command, ids, answers, question, anchor, isByKey } = asking
        // The palette closes by itself; another prompt reopens it.
        queueMicrotask(() =>
          dispatch(command.id, ids, { ...answers, [question.key]: answer }, isByKey, anchor),
        )
      }}
    />
  )
  return { dispatch, commandOfKey, key, faultOf, reader, dialog }
}

const isIn = ({ view }: StepCommand, shown: 'canvas' | 'outline') => view === 'both' || view === shown
