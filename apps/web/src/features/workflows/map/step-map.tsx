import { type IdText, shortened, type WorkflowId } from '@troupe/contract'
import type { Graph, GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { ChevronDown, Maximize, Minus, Plus, Search } from 'lucide-react'
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { Toolbar } from '../../../atoms/layout/page.tsx'
import type { MapEditing, MapFolds } from '../../../atoms/map/map-editing.ts'
import type { BoxLook, MapLooks, MapTone } from '../../../atoms/map/map-look.ts'
import { type MapCommands, MapSurface } from '../../../atoms/map/map-surface.tsx'
import { ErrorPanel, Skeleton } from '../../../atoms/states/panels.tsx'
import { type Camera, readCamera, writeCamera } from '../../../core/map/camera.ts'
import { findSteps } from '../../../core/map/find-steps.ts'
import { foldedGraph } from '../../../core/map/folded-graph.ts'
import type { MapGraph, MapLayout, PlacedEdge } from '../../../core/map/map-graph.ts'
import { mapOfGraph } from '../../../core/map/map-of-graph.ts'
import { isSamePicture } from '../../../core/map/same-picture.ts'
import { plainText } from '../../../core/markdown/plain-text.ts'
import { HANDLE_WORDS } from '../../../core/messages/en/workflows/handle-words.ts'
import { mapWords as words } from '../../../core/messages/en/workflows/map.ts'
import { type Param, textParam } from '../../../core/url/search-params.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { useMapLayout } from '../../../infrastructure/worker/use-map-layout.ts'
import { useStepPreview } from '../last-test/last-test-context.tsx'
import { NodeIcon } from '../parts/node-icon.tsx'
import { usePresence } from '../presence/presence-context.tsx'
import { drawnPeople, Initials, spokenPeople } from '../presence/presence-marks.tsx'
import styles from './map.module.css'
import { shapeOfNode } from './shape-of-node.ts'
import { useFolded } from './use-folded.ts'

/** The state of a step in a run, or its problems. */
export interface StepMark {
  tone: MapTone
  /** The sign beside the name of a step on the canvas. */
  sign: string
  /** For screen readers. */
  word: string
  /** Shown at the end of the step's element. */
  end: ReactNode
}

export interface StepMapProps {
  /** Folded Loops are stored in the browser by workflow. */
  workflowId: IdText<WorkflowId>
  graph: Graph
  markOf(node: GraphNode): StepMark | null
  /** Whether the run took a connection; null: unknown, or there is no run. */
  wasTaken(way: { source: string; handle: string; target: string }): boolean | null
  /** Of a run in progress: whether the step behind a connection runs. Packets move along its connections. */
  isFlowing?: ((way: PlacedEdge) => boolean) | null
  chosen: string | null
  onChoose(nodeId: string): void
  onLeave(): void
  onList(): void
  /** Editing commands; absent: the map is read-only. */
  editing?: StepMapEditing
}

/** The part of a map on which a draft is edited. */
export interface StepMapEditing extends MapEditing {
  hint: string
  /** Buttons before the search. */
  tools: ReactNode
  /** Applies positions of unsaved drags to the layout. */
  adjust(layout: MapLayout): MapLayout
  /** Called with each displayed layout. */
  onLayout(layout: MapLayout): void
  /** The step to focus once it is rendered. */
  focus: { id: string } | null
  commands: RefObject<MapCommands | null>
}

const cameraParam: Param<Camera | null> = {
  read: readCamera,
  write: (camera) => (camera === null ? null : writeCamera(camera)),
}
const PARAMS = { at: cameraParam, find: textParam }
const ZOOM_STEP = 1.4
const MOST_NOTE_CHARACTERS = 4_000

/** A graph as a diagram to pan, zoom and search. The page holds the selection. */
export function StepMap(props: StepMapProps) {
  const { workflowId, graph, markOf, wasTaken, isFlowing = null, chosen, onChoose, onLeave, onList } = props
  const { editing = null } = props
  const [{ at, find }, setParams] = useSearchParams(PARAMS)
  const [start] = useState(at)
  const own = useRef<MapCommands>(null)
  const commands = editing?.commands ?? own
  const mapGraph = useMapGraph(graph)
  const { folded, setFolded } = useFolded(workflowId)
  const { graph: shownGraph, hidden } = useMemo(() => foldedGraph(mapGraph, folded), [mapGraph, folded])
  const { layout: laidOut, hasFailed } = useMapLayout(shownGraph)
  /** Opens the folded Loops around a step. */
  const unfoldAround = (id: string) => {
    const around = hidden.get(id)
    if (around) setFolded(new Set([...folded].filter((one) => !around.includes(one))))
  }
  const toShow = useRef<string | null>(null)
  const adjust = editing?.adjust
  const layout = useMemo(() => laidOut && (adjust?.(laidOut) ?? laidOut), [laidOut, adjust])
  const focus = editing?.focus ?? null
  const focused = useRef<object | null>(null)
  const onLayout = editing?.onLayout
  // biome-ignore lint/correctness/useExhaustiveDependencies: `hidden` changes with the layout
  useEffect(() => {
    if (layout) onLayout?.(layout)
    const isThere = (id: string | null) => layout?.boxes.some((box) => box.id === id) ?? false
    if (isThere(toShow.current)) {
      commands.current?.show(toShow.current ?? '')
      toShow.current = null
    }
    if (focus !== null && focus !== focused.current && hidden.has(focus.id)) unfoldAround(focus.id)
    if (focus === null || focus === focused.current || !layout?.boxes.some(({ id }) => id === focus.id))
      return
    focused.current = focus
    commands.current?.show(focus.id, true)
  }, [layout, focus, onLayout, commands])
  const nodes = useMemo(() => new Map(graph.nodes.map((node) => [node.id, node])), [graph])
  const order = useMemo(() => layout?.boxes.map(({ id }) => id) ?? [], [layout])
  const places = useMemo(() => new Map(order.map((id, index) => [id, index + 1])), [order])
  const { byStep: present } = usePresence()
  const looks = useMemo<MapLooks>(() => {
    const lookOf = (id: string): BoxLook => {
      const node = nodes.get(id)
      const mark = node && markOf(node)
      return {
        ...{ name: node?.name ?? id, tone: mark?.tone ?? 'neutral', sign: mark?.sign ?? '' },
        people: drawnPeople(present.get(id)),
      }
    }
    return {
      box: lookOf,
      route: ({ source, handle, target }) => {
        const taken = wasTaken({ source, handle, target })
        const state = taken === null ? 'open' : taken ? 'taken' : 'dead'
        return {
          state,
          isFlowing: isFlowing?.({ source, handle, target }) ?? false,
          word: handle === 'out' || handle === 'body' ? '' : (HANDLE_WORDS[handle] ?? handle),
        }
      },
    }
  }, [nodes, markOf, wasTaken, isFlowing, present])
  const found = useMemo(
    () => findSteps(nodes, [...order, ...hidden.keys()], find),
    [nodes, order, hidden, find],
  )
  const inside = useMemo(() => {
    const counts = new Map<string, number>()
    for (const around of hidden.values()) for (const id of around) counts.set(id, (counts.get(id) ?? 0) + 1)
    return counts
  }, [hidden])
  const loops = useMemo(
    () => new Set(mapGraph.nodes.flatMap(({ id, kind }) => (kind === 'loop' ? id : []))),
    [mapGraph],
  )
  const folds: MapFolds = {
    has: (id) => loops.has(id),
    isFolded: (id) => folded.has(id),
    toggle: (id) => {
      const next = new Set(folded)
      if (!next.delete(id)) next.add(id)
      // Hidden steps must not stay selected, or Delete would remove them unseen.
      editing?.onSelect(new Set())
      setFolded(next)
    },
    labelOf: (id) => (folded.has(id) ? words.unfold : words.fold)(nodes.get(id)?.name ?? id),
  }
  const foundAt = chosen === null ? -1 : found.indexOf(chosen)
  const findNext = () => {
    const next = found[(foundAt + 1) % Math.max(1, found.length)]
    if (next === undefined) return
    onChoose(next)
    commands.current?.show(next)
  }
  const content = useCallback(
    (id: string) => {
      const node = nodes.get(id)
      const place = words.place(places.get(id) ?? 0, places.size)
      const count = loops.has(id) && folded.has(id) ? (inside.get(id) ?? 0) : null
      return node ? <StepContent node={node} mark={markOf(node)} place={place} folded={count} /> : null
    },
    [nodes, places, markOf, loops, folded, inside],
  )
  const wasChosen = useRef(chosen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect reads the current commands
  useEffect(() => {
    // Scroll to a step that was selected outside the map, such as by a link in the panel.
    if (chosen !== null && chosen !== wasChosen.current) {
      // A step that was added in the panel comes with the next layout.
      if (order.includes(chosen)) commands.current?.show(chosen)
      else {
        toShow.current = chosen
        unfoldAround(chosen)
      }
    }
    wasChosen.current = chosen
  }, [chosen])

  if (hasFailed && layout === null) {
    return (
      <ErrorPanel
        title={words.failed}
        message={words.failedDetail}
        actions={<Button onPress={onList}>{words.toList}</Button>}
      />
    )
  }
  if (layout === null) return <Skeleton lines={8} />
  return (
    <div className={styles.map}>
      <Toolbar label={words.label}>
        {editing?.tools}
        <search className={styles.find}>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              findNext()
            }}
          >
            <TextField
              label={words.find}
              isLabelHidden
              type="search"
              placeholder={words.find}
              icon={<Search size={14} />}
              value={find}
              maxLength={128}
              onChange={(text) => setParams({ find: text })}
            />
          </form>
          {find !== '' && (
            <>
              <span role="status" className={styles.count}>
                {found.length === 0 ? words.foundNone : words.found(foundAt + 1, found.length)}
              </span>
              <Button
                size="small"
                emphasis="quiet"
                aria-label={words.next}
                icon={<ChevronDown size={14} />}
                isDisabled={found.length === 0}
                onPress={findNext}
              />
            </>
          )}
        </search>
        <span className={styles.zoom}>
          <Button
            size="small"
            emphasis="quiet"
            aria-label={words.zoomOut}
            icon={<Minus size={14} />}
            onPress={() => commands.current?.zoomBy(1 / ZOOM_STEP)}
          />
          <Button
            size="small"
            emphasis="quiet"
            aria-label={words.zoomIn}
            icon={<Plus size={14} />}
            onPress={() => commands.current?.zoomBy(ZOOM_STEP)}
          />
          <Button
            size="small"
            emphasis="quiet"
            aria-label={words.fit}
            icon={<Maximize size={14} />}
            onPress={() => commands.current?.fit()}
          />
        </span>
      </Toolbar>
      <MapSurface
        label={words.label}
        hint={editing?.hint ?? words.hint}
        layout={layout}
        looks={looks}
        chosen={chosen}
        onChoose={onChoose}
        onLeave={onLeave}
        start={start}
        onRest={(camera) => setParams({ at: camera })}
        commands={commands}
        folds={folds}
        isRunning={isFlowing !== null}
        editing={editing}
      >
        {content}
      </MapSurface>
    </div>
  )
}

interface StepContentProps {
  node: GraphNode
  mark: StepMark | null
  /** `3 of 9`, for screen readers. */
  place: string
  /** For a folded Loop: the number of its steps. */
  folded: number | null
}

/** Rerenders only for another step or mark: typing changes one of hundreds. */
const StepContent = memo(function StepContent({ node, mark, place, folded }: StepContentProps) {
  const type = NODE_TYPES.get(node.type)?.title ?? node.type
  const title = folded === null ? type : `${type}, ${words.inside(folded)}`
  const { markdown } = node.config
  const preview = useStepPreview(node.id)
  const people = usePresence().byStep.get(node.id)
  if (node.type === 'note' && typeof markdown === 'string' && markdown.trim() !== '') {
    return (
      <>
        <span className="visually-hidden">{[node.name, title, place].join(', ')}</span>
        <span aria-hidden="true" className={styles.note}>
          <span className={styles.name}>{node.name}</span>
          {/* The largest note displays less than this; a longer text would only slow the layout down. */}
          <span className={styles.noteText}>{shortened(plainText(markdown), MOST_NOTE_CHARACTERS)}</span>
        </span>
      </>
    )
  }
  return (
    <>
      <span className="visually-hidden">
        {[node.name, title, mark?.word ?? '', preview?.text, spokenPeople(people), place]
          .filter(Boolean)
          .join(', ')}
      </span>
      <span aria-hidden="true" className={styles.step}>
        <NodeIcon type={node.type} />
        <span className={styles.words}>
          <span className={styles.name}>{node.name}</span>
          {preview === null ? (
            <span className={styles.type}>{title}</span>
          ) : (
            <span className={styles.type} title={preview.text} data-preview>
              {preview.text}
            </span>
          )}
        </span>
        <Initials people={people} />
        {mark && <span className={styles.end}>{mark.end}</span>}
      </span>
    </>
  )
})

/** The layout's view of a graph. The same object while it is equal, so that a changed setting triggers no new layout. */
function useMapGraph(graph: Graph): MapGraph {
  const known = useRef<{ of: Graph; map: MapGraph; text: string } | null>(null)
  return useMemo(() => {
    const last = known.current
    if (last !== null && isSamePicture(last.of, graph, shapeOfNode)) {
      known.current = { ...last, of: graph }
      return last.map
    }
    const map = mapOfGraph(graph, shapeOfNode)
    const text = JSON.stringify(map)
    known.current = { of: graph, map: text === last?.text ? last.map : map, text }
    return known.current.map
  }, [graph])
}
