import type { FlowNode } from '../compile/compiled-graph.ts'
import type { NodeRecord, StoredGraphRun } from '../run/replay-graph-run.ts'
import type { Frame, RunState } from '../run/run-state.ts'

function nodeRecord(frame: Frame, node: FlowNode): NodeRecord | null {
  const status = frame.status[node.slot]
  if (node.role === 'trigger') return null
  const at = { path: frame.path, nodeId: node.id }
  const loop = frame.loops.get(node)
  if (status === 'completed') {
    return { ...at, status, output: frame.outputs[node.slot], handles: frame.handles[node.slot] ?? [] }
  }
  if (status === 'running' && loop) return { ...at, status, range: loop.range }
  return status === 'running' || status === 'waiting' || status === 'failed' ? { ...at, status } : null
}

/** Everything that `replayGraphRun` needs to resume a run that has not ended. */
export function recordRun(run: RunState): StoredGraphRun {
  const frames = [...run.frames.values()]
  return {
    storedBytes: run.storedBytes,
    variables: Object.fromEntries(run.variables),
    nodes: frames.flatMap((frame) => frame.level.nodes.flatMap((node) => nodeRecord(frame, node) ?? [])),
    iterations: frames.flatMap((frame) =>
      [...frame.loops].flatMap(([node, { outputs }]) =>
        outputs.map((output, index) => ({ path: frame.path, nodeId: node.id, index, output })),
      ),
    ),
  }
}
