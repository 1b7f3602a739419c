import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { Outline } from '@troupe/editor/outline/outline'
import type { Graph } from '@troupe/graph'
import { Ellipsis } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { focusMade } from '../../../atoms/focus/focus-next.ts'
import { ActionMenu } from '../../../atoms/overlays/menu.tsx'
import { useIsSplit } from '../../../atoms/overlays/use-is-split.ts'
import { commandAt, placeOfRow, type RowPlace } from '../../../core/canvas/outline-places.ts'
import { STEP_COMMANDS } from '../../../core/canvas/step-commands.ts'
import { commandWords as words } from '../../../core/messages/en/workflows/canvas.ts'
import { isMac, shownKeys } from '../../../infrastructure/keys/key-map.ts'
import { STEPS_ID } from '../parts/step-places.ts'
import { useStepClipboard } from './use-step-clipboard.tsx'
import { ADDING, type StepCommandsProps, useStepCommands } from './use-step-commands.tsx'

export interface OutlineCommandsProps {
  workflow: BuilderWorkflow
  graph: Graph
  outline: Outline
  /** The id of the open step. */
  chosen: string | null
  onChoose(nodeId: string | null): void
  /** Opens a new step. `isEdited`: in its editor, which takes the focus. */
  onAdded(nodeId: string, isEdited: boolean): void
  /** Ids of created steps. */
  onMade(ids: readonly string[]): void
}

/** The commands of the canvas for the list of steps: the same table and keys, applied to the focused row. */
export function OutlineCommands(props: OutlineCommandsProps) {
  const { workflow, graph, outline, chosen, onChoose, onAdded, onMade } = props
  const isSplit = useIsSplit()
  const [row, setRow] = useState<string | null>(null)
  const place: RowPlace = placeOfRow(outline, row ?? chosen ?? '')
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    const id = wanted.current
    if (id === null || !graph.nodes.some((node) => node.id === id)) return
    wanted.current = null
    focusMade(() => rowWith(id))
  }, [graph])
  const idsNow = () => commandAt(place, 'remove').ids
  const onDone = (ids: readonly string[]) => {
    const [first = null] = ids
    const isGone = chosen !== null && !ids.includes(chosen)
    // On a narrow window the panel of a step would cover the list.
    if (isSplit ? first !== null || isGone : isGone) onChoose(isSplit ? first : null)
    // The row of a new step appears with the next graph.
    wanted.current = first
    if (first !== null) focusMade(() => rowWith(first))
  }
  const onCommand: StepCommandsProps['onDone'] = (ids, command, isByKey) => {
    const [first] = ids
    const isAdded = first !== undefined && ADDING.has(command) && steps.reader.node(first) === null
    if (!isSplit || !isAdded) return onDone(ids)
    onAdded(first, !isByKey)
    if (!isByKey) return
    // The row of a new step appears with the next graph.
    wanted.current = first
    focusMade(() => rowWith(first))
  }
  const steps = useStepCommands({
    ...{ workflow, graph, view: 'outline' as const, idsNow, onMade, onDone: onCommand },
  })
  const clipboard = useStepClipboard({ workflow, reader: steps.reader, idsNow, onMade, onDone })
  const onKey = (event: KeyboardEvent): void => {
    const key = rowKeyOf(event.target)
    const command = key === null ? null : steps.commandOfKey(event)
    if (key === null || command === null) return
    event.preventDefault()
    event.stopPropagation()
    if (event.repeat) return
    const { ids, answers } = commandAt(placeOfRow(outline, key), command)
    steps.dispatch(command, ids, answers, true)
  }
  const latest = useRef(onKey)
  latest.current = onKey
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      const key = rowKeyOf(target)
      if (key !== null) setRow(key)
    }
    // In the capture phase: the tree would use letters for a search by name.
    const onKeyDown = (event: KeyboardEvent) => latest.current(event)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('keydown', onKeyDown, true)
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('keydown', onKeyDown, true)
    }
  }, [])
  const commands = STEP_COMMANDS.filter(({ view }) => view === 'both').map(({ id, keys: [first] }) => {
    const { ids, answers } = commandAt(place, id)
    return {
      ...{ id, label: words.titles[id], onAction: () => steps.dispatch(id, ids, answers) },
      ...(first === undefined ? {} : { keys: shownKeys(first, isMac) }),
      isDisabled: steps.faultOf(id, ids) !== null,
    }
  })
  return (
    <>
      <div>
        <ActionMenu
          trigger={
            <Button emphasis="quiet" size="small" icon={<Ellipsis size={16} />}>
              {words.more}
            </Button>
          }
          label={words.more}
          groups={[
            { id: 'commands', entries: commands },
            { id: 'clipboard', entries: clipboard.entriesFor(idsNow()) },
          ]}
          placement="bottom start"
        />
      </div>
      {steps.dialog}
      {clipboard.dialog}
    </>
  )
}

/** The row of a step, which may not exist yet. */
function rowWith(nodeId: string): Element | null {
  return document.querySelector(`#${STEPS_ID} [role="row"][data-key="${CSS.escape(nodeId)}"]`)
}

/** The key of the list's row around an element; null if there is none. */
function rowKeyOf(target: EventTarget | null): string | null {
  if (!(target instanceof Element)) return null
  const row = target.closest<HTMLElement>(`#${STEPS_ID} [role="treegrid"] [role="row"]`)
  return row?.dataset.key ?? null
}
