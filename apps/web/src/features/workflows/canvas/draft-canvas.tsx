import type { BuilderWorkflow } from '@troupe/contract/builder'
import { connectFault } from '@troupe/editor/commands/connect-steps'
import { moveSteps, setValue } from '@troupe/editor/commands/edit-steps'
import { moveToFrame } from '@troupe/editor/commands/frame-steps'
import { handlesOf, roleOf } from '@troupe/editor/commands/step-shape'
import type { DraftReader } from '@troupe/editor/document/draft-document'
import { Plus, Trash2 } from 'lucide-react'
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import type { MapHint } from '../../../atoms/map/map-editing.ts'
import type { MapCommands } from '../../../atoms/map/map-surface.tsx'
import { ActionMenu } from '../../../atoms/overlays/menu.tsx'
import { useIsSplit } from '../../../atoms/overlays/use-is-split.ts'
import { alignedBoxes, isAlignment } from '../../../core/canvas/align-boxes.ts'
import { CANVAS_KEYS } from '../../../core/canvas/editor-keys.ts'
import { framePlan, movePlan } from '../../../core/canvas/move-plan.ts'
import { STEP_COMMANDS } from '../../../core/canvas/step-commands.ts'
import type { MapBox, MapLayout } from '../../../core/map/map-graph.ts'
import { type MapPoint, withBoxesAt } from '../../../core/map/with-boxes-at.ts'
import { commandWords, canvasWords as words } from '../../../core/messages/en/workflows/canvas.ts'
import { HANDLE_WORDS } from '../../../core/messages/en/workflows/handle-words.ts'
import { isMac, nameOfKey, shownKeys } from '../../../infrastructure/keys/key-map.ts'
import { useKeys } from '../../../infrastructure/keys/use-keys.ts'
import { useStepClipboard } from '../commands/use-step-clipboard.tsx'
import { ADDING, type StepCommandsProps, useStepCommands } from '../commands/use-step-commands.tsx'
import { useDraftCommands } from '../editing/use-draft-editing.ts'
import { useShownGraph } from '../editing/use-draft-session.ts'
import { DraftMap, type DraftMapProps } from '../map/draft-map.tsx'

const NOTHING: ReadonlySet<string> = new Set()

/** The positions of moved steps since the last layout; the next layout includes them. */
interface Moves {
  over: MapLayout | null
  places: ReadonlyMap<string, MapPoint>
}

export interface DraftCanvasProps extends Omit<DraftMapProps, 'editing' | 'workflowId' | 'isDraft'> {
  workflow: BuilderWorkflow
  /** Opens a new step. `isEdited`: in its editor, which takes the focus. */
  onAdded(nodeId: string, isEdited: boolean): void
  /** Ids of created steps. */
  onMade(ids: readonly string[]): void
}

/** The draft as an editable diagram: by the pointer, and by the same commands as the list. */
export function DraftCanvas(props: DraftCanvasProps) {
  // A diagram of thousands of steps renders after urgent updates, such as the next keystroke.
  const graph = useDeferredValue(useShownGraph(props.workflow) ?? props.graph)
  return <PictureOfDraft {...props} graph={graph} />
}

const PictureOfDraft = memo(function PictureOfDraft(props: DraftCanvasProps) {
  const { workflow, graph, findings, chosen, onChoose, onLeave, onList, onAdded, onMade } = props
  const editing = useDraftCommands(workflow)
  const isSplit = useIsSplit()
  const [wanted, setSelected] = useState<ReadonlySet<string>>(NOTHING)
  const [moves, setMoves] = useState<Moves>({ over: null, places: new Map() })
  const [focus, setFocus] = useState<{ id: string } | null>(null)
  const layout = useRef<MapLayout | null>(null)
  const commands = useRef<MapCommands>(null)
  const ids = useMemo(() => new Set(graph.nodes.map(({ id }) => id)), [graph])
  const selected = useMemo(() => {
    const still = [...wanted].filter((id) => ids.has(id))
    return still.length === wanted.size ? wanted : new Set(still)
  }, [wanted, ids])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after a change of the open step only
  useEffect(() => {
    // Commands apply to the open step, even if it was opened or added in the panel.
    if (chosen !== null && selected.size === 1 && !selected.has(chosen)) setSelected(new Set([chosen]))
  }, [chosen])
  /** The steps of a command: the selection, or the step with the focus. */
  const idsAt = (current: string | null) =>
    selected.size > 0 && (selected.size > 1 || current === null || selected.has(current))
      ? [...selected]
      : current === null
        ? []
        : [current]
  const idsNow = () => idsAt(commands.current?.current() ?? null)
  const placesFor: StepCommandsProps['placesFor'] = (command, about, answers) => {
    const now = layout.current
    if (command !== 'align' || now === null || !isAlignment(answers.alignment)) return new Map()
    const boxes = now.boxes.filter(({ id }) => about.includes(id))
    return movePlan(reader, now, alignedBoxes(boxes, answers.alignment))
  }
  const onDone = (done: readonly string[]) => {
    const [first] = done
    setSelected(new Set(done))
    if (first !== undefined) setFocus({ id: first })
    // On a narrow window the panel of a step would cover the canvas.
    if (isSplit && first !== undefined && reader.node(first) === null) onChoose(first)
    else if (chosen !== null && !done.includes(chosen)) onLeave()
  }
  const onCommand: StepCommandsProps['onDone'] = (done, command, isByKey) => {
    const [first] = done
    const isAdded = first !== undefined && ADDING.has(command) && reader.node(first) === null
    if (!isSplit || !isAdded) return onDone(done)
    setSelected(new Set(done))
    if (isByKey) setFocus({ id: first })
    onAdded(first, !isByKey)
  }
  const steps = useStepCommands({
    ...{ workflow, graph, view: 'canvas', idsNow, placesFor, onMade, onDone: onCommand },
  })
  const { reader, dispatch, dialog } = steps
  const clipboard = useStepClipboard({ workflow, reader, idsNow, onMade, onDone })
  const nameOf = (id: string) => reader.node(id)?.name ?? id
  const whatOf = (about: readonly string[]) => commandWords.what(nameOf(about[0] ?? ''), about.length)
  const laidOut = useRef<MapLayout | null>(null)
  const onMove = (places: ReadonlyMap<string, MapPoint>, frame: string | null) => {
    const now = layout.current
    if (now === null) return
    const about = [...places.keys()]
    const isLeaving = about.some((id) => (reader.node(id)?.parentId ?? null) !== frame)
    if (isLeaving && dropFault(about, frame) === null) {
      const own = framePlan(now, places, frame)
      editing.edit(commandWords.done.frame(whatOf(about)), (tx) => moveToFrame(tx, about, frame, own))
      return
    }
    const positions = movePlan(reader, now, places)
    const moved = editing.edit(commandWords.done.move(whatOf(about)), (tx) =>
      moveSteps(tx, new Map([...positions].filter(([id]) => tx.node(id) !== null))),
    )
    const over = laidOut.current
    if (moved === null || over === null) return
    setMoves((before) => ({
      over,
      places: new Map([...(before.over === over ? before.places : []), ...places]),
    }))
  }
  const dropFault = (about: readonly string[], frame: string | null): string | null => {
    if (frame !== null && about.some((id) => roleOf(reader.node(id) ?? { type: '' }) === 'trigger')) {
      return commandWords.refusals.is_trigger
    }
    return null
  }
  const dropHint = (about: readonly string[], frame: string | null): MapHint | null => {
    const from = reader.node(about[0] ?? '')?.parentId ?? null
    if (about.every((id) => (reader.node(id)?.parentId ?? null) === frame)) return null
    const fault = dropFault(about, frame)
    if (fault !== null) return { text: fault, isRefused: true }
    return {
      text: frame === null ? words.outOf(nameOf(from ?? '')) : words.into(nameOf(frame)),
      isRefused: false,
    }
  }
  const connectHint = (source: string, handle: string, target: string | null): MapHint => {
    if (target === null) return { text: words.addsHere, isRefused: false }
    const fault = connectFault(reader, { source, handle }, target)
    return fault === null
      ? { text: words.connects(nameOf(target)), isRefused: false }
      : { text: commandWords.refusals[fault], isRefused: true }
  }
  const edgeOf = ({ source, handle, target }: { source: string; handle: string; target: string }) =>
    reader.edgesFrom(source).find((edge) => edge.sourceHandle === handle && edge.target === target)?.id

  const onKey = (event: KeyboardEvent, current: string | null): boolean => {
    const name = nameOfKey(event)
    const about = idsAt(current)
    if (name === 'mod+a') {
      setSelected(new Set(graph.nodes.map(({ id }) => id)))
      return true
    }
    if (name === 'x' && current !== null) {
      const next = new Set(selected)
      if (!next.delete(current)) next.add(current)
      setSelected(next)
      return true
    }
    if (name === 'm') {
      commands.current?.moveByKeys(about)
      return true
    }
    return steps.key(event, about)
  }
  useKeys(
    CANVAS_KEYS.map(([keys, label]) => ({
      keys,
      label: words.keys[label],
      isLocal: true,
      run: () => undefined,
    })),
  )
  const adjust = useCallback(
    (now: MapLayout) => {
      laidOut.current = now
      return now === moves.over ? withBoxesAt(now, moves.places) : now
    },
    [moves],
  )
  const onLayout = useCallback((now: MapLayout) => {
    layout.current = now
  }, [])
  const about = selected.size > 0 ? [...selected] : chosen === null ? [] : [chosen]
  const menu = STEP_COMMANDS.filter(({ id }) => id !== 'add' && id !== 'remove').map(({ id, keys }) => ({
    ...{ id, label: commandWords.titles[id], onAction: () => dispatch(id, about) },
    ...(keys[0] === undefined ? {} : { keys: shownKeys(keys[0], isMac) }),
    isDisabled: steps.faultOf(id, about) !== null,
  }))
  return (
    <>
      <DraftMap
        isDraft
        workflowId={workflow.workflowId}
        {...{ graph, findings, chosen, onChoose, onLeave, onList }}
        editing={{
          ...{
            selected,
            onSelect: setSelected,
            connectHint,
            dropHint,
            onKey,
            adjust,
            onLayout,
            focus,
            commands,
          },
          hint: words.hint,
          portsOf: (id) => {
            const node = reader.node(id)
            const handles = node === null ? [] : handlesOf(node)
            return handles.map((handle) => ({
              handle,
              word: handles.length < 2 ? '' : (HANDLE_WORDS[handle] ?? handle),
            }))
          },
          onMove,
          onConnect: (source, handle, target, at) =>
            target === null
              ? dispatch('add', [source], { handle }, false, at)
              : dispatch('connect', [source], { handle, target }),
          onInsert: (route) => {
            const edge = edgeOf(route)
            if (edge !== undefined) dispatch('insert', [route.target], { edge })
          },
          onDisconnect: (route) => {
            const edge = edgeOf(route)
            if (edge !== undefined) dispatch('disconnect', [route.source], { edge })
          },
          onResize: (id, { width, height }) =>
            editing.edit(commandWords.done.resize(nameOf(id)), (tx) => {
              setValue(tx, id, 'width', width)
              setValue(tx, id, 'height', height)
            }),
          words: {
            insert: words.insertHere,
            disconnect: words.removeEdge,
            moving: (count) => words.moving(commandWords.what(nameOf(idsNow()[0] ?? ''), count)),
            moved: (count) => words.moved(commandWords.what(nameOf(idsNow()[0] ?? ''), count)),
            back: (count) => words.movedBack(commandWords.what(nameOf(idsNow()[0] ?? ''), count)),
          },
          tools: (
            <>
              <Button
                size="small"
                icon={<Plus size={14} />}
                onPress={() => {
                  const after = about.length === 1 ? about : lastStep(layout.current, reader)
                  dispatch(after.length > 0 ? 'add' : 'trigger', after)
                }}
              >
                {graph.nodes.length === 0 ? words.addTrigger : words.add}
              </Button>
              <Button
                size="small"
                emphasis="quiet"
                icon={<Trash2 size={14} />}
                aria-label={commandWords.titles.remove}
                isDisabled={about.length === 0}
                onPress={() => dispatch('remove', about)}
              />
              <ActionMenu
                label={commandWords.more}
                groups={[
                  { id: 'commands', entries: menu },
                  { id: 'clipboard', entries: clipboard.entriesFor(about) },
                ]}
                placement="bottom start"
              />
              <span role="status" className="visually-hidden">
                {selected.size > 1 ? words.selected(selected.size) : ''}
              </span>
            </>
          ),
        }}
      />
      {dialog}
      {clipboard.dialog}
    </>
  )
})

/** The lowest step outside all Loops that something can follow: the default position of a new step without a selection. */
function lastStep(layout: MapLayout | null, reader: DraftReader): string[] {
  let found: MapBox | null = null
  for (const box of layout?.boxes ?? []) {
    const node = reader.node(box.id)
    const isEnd = node !== null && box.depth === 0 && handlesOf(node).length > 0
    if (isEnd && (found === null || box.y >= found.y)) found = box
  }
  return found === null ? [] : [found.id]
}
