import type { FlowNode, Level } from '../compile/compiled-graph.ts'

/** The stored state of a node in one frame. Skipped nodes and those that never became ready have no row. */
export interface FrameRow {
  nodeId: string
  status: 'running' | 'waiting' | 'completed' | 'failed'
  /** Set for a completed node; null: its only handle, or `done` of a Loop. */
  handles: readonly string[] | null
}

/** The cause of a skipped node. */
export type SkipCause =
  /** A step took handles other than those that lead here. */
  | { kind: 'handles'; nodeId: string; taken: readonly string[] }
  /** Another trigger started the run. */
  | { kind: 'trigger' }

/** The state of a node in a frame. `pending`: its predecessors have not settled, or nothing ever starts it. */
export type FrameNodeState =
  | { status: FrameRow['status']; taken: readonly string[] }
  | { status: 'pending' }
  | { status: 'skipped'; because: SkipCause }

/**
 * The states of all nodes of one frame, derived from the rows that a run has stored: dead paths are found as in the
 * run. Also works for ended frames, which a replay drops. Linear in the nodes and edges of the level.
 */
export function frameStates(level: Level, rows: readonly FrameRow[]): Map<string, FrameNodeState> {
  const stored = new Map(rows.map((row) => [row.nodeId, row]))
  const isStarted = level.nodes.some((node) => node.role === 'trigger' && stored.has(node.id))
  const states = new Map<string, FrameNodeState>()
  // The order of a level's nodes follows their edges.
  for (const node of level.nodes) {
    const row = stored.get(node.id)
    if (row) states.set(node.id, { status: row.status, taken: takenBy(node, row) })
    else states.set(node.id, derived(node, states, isStarted))
  }
  return states
}

function takenBy(node: FlowNode, { status, handles }: FrameRow): readonly string[] {
  if (status !== 'completed') return []
  return handles ?? [node.role === 'loop' ? 'done' : 'out']
}

function derived(
  { role, level, slot, incoming }: FlowNode,
  states: ReadonlyMap<string, FrameNodeState>,
  isStarted: boolean,
): FrameNodeState {
  if (role === 'trigger') {
    return isStarted ? { status: 'skipped', because: { kind: 'trigger' } } : { status: 'pending' }
  }
  // The start of a body is taken with every iteration.
  if (incoming.length === 0 || level.entries.has(slot)) return { status: 'pending' }
  let because: SkipCause | null = null
  for (const { source, handle } of incoming) {
    const cause = deadBy(source, handle, states.get(source.id))
    if (cause === null) return { status: 'pending' }
    because ??= cause
  }
  return because === null ? { status: 'pending' } : { status: 'skipped', because }
}

/** Why an edge is dead; null if it is taken, or not known yet. */
function deadBy(source: FlowNode, handle: string, state: FrameNodeState | undefined): SkipCause | null {
  switch (state?.status) {
    case 'skipped':
      return state.because
    case 'completed':
      return state.taken.includes(handle) ? null : { kind: 'handles', nodeId: source.id, taken: state.taken }
    default:
      return null
  }
}
