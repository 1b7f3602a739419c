import type { FlowNode } from '../compile/compiled-graph.ts'
import { outputFault, runOutputsFault } from '../model/output-sizes.ts'
import type { Frame, RunState } from './run-state.ts'

/** Maximum characters of the message of one node. */
const MAX_MESSAGE = 1_000

/** Marks a node as failed without failing the run, which is stopping already. Returns the truncated message. */
export function markFailed(run: RunState, frame: Frame, node: FlowNode, message: string): string {
  const text = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message
  frame.status[node.slot] = 'failed'
  frame.active -= 1
  run.changes.push({ kind: 'node', path: frame.path, nodeId: node.id, status: 'failed', message: text })
  return text
}

/**
 * Marks a node as failed and fails the run. `sentence` replaces `Node x ("X") failed: <message>` in the run's error.
 */
export function fail(run: RunState, frame: Frame, node: FlowNode, message: string, sentence?: string): void {
  const text = markFailed(run, frame, node, message)
  run.closing = 'failed'
  const place = frame.path === '' ? '' : ` in ${frame.path}`
  run.failures.push(sentence ?? `Node ${node.id} ("${node.name}")${place} failed: ${text}`)
}

/** Why an output cannot be stored. `all`: bytes of the node's full output; `more`: those not yet counted. */
export function storeFault(run: RunState, { all, more }: { all: number; more: number }): string | null {
  return outputFault(all) ?? runOutputsFault(run.storedBytes + more)
}
