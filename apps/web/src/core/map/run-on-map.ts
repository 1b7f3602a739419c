import {
  type CompiledGraph,
  type FlowNode,
  type FrameNodeState,
  frameStates,
  type Level,
} from '@troupe/graph'
import type { PlacedEdge } from './map-graph.ts'

/** A run's stored data of a step in one frame, for the map. */
export interface RunRow {
  nodeId: string
  /** Empty, or the iteration: `loop1[3]/inner[0]`. */
  path: string
  status: 'running' | 'waiting' | 'completed' | 'failed'
  handles: readonly string[] | null
}

/** The iterations of a Loop in the frame that is shown. */
export interface ShownIterations {
  /** The numbers of those with rows, ascending; from 0. */
  numbers: readonly number[]
  /** The iterations in which a step failed. */
  failed: ReadonlySet<number>
  /** The iteration whose body is shown. */
  shown: number
  /** The path of an iteration. */
  pathOf(number: number): string
}

/** A step of a run as the map shows it. */
export interface MapStep {
  state: FrameNodeState
  /** The frame that is shown of it. */
  path: string
  /** Only of a Loop with iterations. */
  iterations: ShownIterations | null
}

/**
 * The states of all steps of a run. Of each Loop one iteration is shown: the chosen one, else the first one with a failure,
 * else the last. Linear in the rows and the nodes.
 *
 * @param chosen the path of a frame; other Loops show their own choice
 */
export function runOnMap(
  graph: CompiledGraph,
  rows: readonly RunRow[],
  chosen: string,
): Map<string, MapStep> {
  const byFrame = Map.groupBy(rows, ({ path }) => path)
  const numbers = new Map<string, Set<number>>()
  const failed = new Set<string>()
  for (const { path, status } of rows) {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const frame = path.slice(0, end)
      const open = frame.lastIndexOf('[')
      const loop = frame.slice(0, open)
      const known = numbers.get(loop) ?? new Set()
      numbers.set(loop, known.add(Number(frame.slice(open + 1, -1))))
      if (status === 'failed') failed.add(frame)
    }
  }
  const steps = new Map<string, MapStep>()
  const iterationsOf = (frame: string, loop: FlowNode): ShownIterations | null => {
    const place = frame === '' ? loop.id : `${frame}/${loop.id}`
    const known = [...(numbers.get(place) ?? [])].sort((a, b) => a - b)
    const last = known.at(-1)
    if (last === undefined) return null
    const pathOf = (number: number) => `${place}[${number}]`
    const ownFailed = new Set(known.filter((number) => failed.has(pathOf(number))))
    const wanted = known.find(
      (number) => chosen === pathOf(number) || chosen.startsWith(`${pathOf(number)}/`),
    )
    return { numbers: known, failed: ownFailed, shown: wanted ?? [...ownFailed][0] ?? last, pathOf }
  }
  const show = (level: Level, path: string) => {
    for (const [id, state] of frameStates(level, byFrame.get(path) ?? [])) {
      const node = graph.nodes.get(id)
      const iterations = node?.body ? iterationsOf(path, node) : null
      steps.set(id, { state, path, iterations })
      if (!node?.body) continue
      if (iterations) show(node.body, iterations.pathOf(iterations.shown))
      else spare(node.body, state, path)
    }
  }
  /** The body of a Loop without an iteration: skipped with it, else not reached. */
  const spare = (level: Level, loop: FrameNodeState, path: string) => {
    const state: FrameNodeState = loop.status === 'skipped' ? loop : { status: 'pending' }
    for (const node of level.nodes) {
      steps.set(node.id, { state, path, iterations: null })
      if (node.body) spare(node.body, state, path)
    }
  }
  show(graph.root, '')
  return steps
}

/** Whether a connection has started a step that is still running. */
export function isFlowing(steps: ReadonlyMap<string, MapStep>, way: PlacedEdge): boolean {
  return steps.get(way.target)?.state.status === 'running' && wasTaken(steps, way) === true
}

/** Whether a connection was taken in the frame that is shown; null: not known yet. */
export function wasTaken(
  steps: ReadonlyMap<string, MapStep>,
  { source, handle }: { source: string; handle: string },
): boolean | null {
  const step = steps.get(source)
  if (!step) return null
  if (handle === 'body')
    return step.iterations !== null ? true : step.state.status === 'skipped' ? false : null
  switch (step.state.status) {
    case 'completed':
      return step.state.taken.includes(handle)
    case 'skipped':
      return false
    default:
      return null
  }
}
