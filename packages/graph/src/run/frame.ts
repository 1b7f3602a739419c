import type { FlowNode, Level } from '../compile/compiled-graph.ts'
import { iterationPath } from './frame-path.ts'
import { enqueue } from './ready-queue.ts'
import type { Frame, RunState } from './run-state.ts'

/** Creates a frame in its initial state. */
export function newFrame(path: string, level: Level, parent: Frame | null, index: number): Frame {
  return {
    path,
    level,
    parent,
    index,
    status: level.nodes.map(() => 'pending'),
    unknown: level.nodes.map((node) => node.incoming.length),
    taken: level.nodes.map((node) => level.entries.has(node.slot)),
    outputs: [],
    handles: [],
    loops: new Map(),
    active: 0,
  }
}

/** The item and index of an iteration that is running or whose condition is requested; `frame` is the Loop's frame. */
export function loopValues(frame: Frame, loop: FlowNode, index: number): { item: unknown; index: number } {
  const range = frame.loops.get(loop)?.range
  return { item: range?.mode === 'list' ? range.items[index] : index, index }
}

/**
 * The output of a disabled node: that of the first step, in the order of the graph, whose handle led to it. The start
 * of a body passes on the item of the iteration.
 */
export function passedOn(frame: Frame, { incoming, level }: FlowNode): unknown {
  let before: FlowNode | null = null
  for (const { source, handle } of incoming) {
    const isTaken = frame.handles[source.slot]?.includes(handle) ?? false
    if (isTaken && (before === null || source.order < before.order)) before = source
  }
  if (before !== null) return frame.outputs[before.slot]
  return level.loop !== null && frame.parent ? loopValues(frame.parent, level.loop, frame.index).item : null
}

/** The key of a node in a frame. */
export function nodeKey(path: string, nodeId: string): string {
  return `${path}/${nodeId}`
}

/** Opens an iteration: every edge from `body` is taken. With no active node, it has ended immediately. */
export function openIteration(
  run: RunState,
  frame: Frame,
  loop: FlowNode,
  level: Level,
  index: number,
): Frame {
  const body = newFrame(iterationPath(frame.path, loop, index), level, frame, index)
  run.frames.set(body.path, body)
  for (const slot of level.entries) {
    const node = level.nodes[slot]
    if (node && body.unknown[slot] === 0) enqueue(run, body, node)
  }
  return body
}
