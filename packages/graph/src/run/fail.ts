import type { FlowNode } from '../compile/compiled-graph.ts'
import { outputFault, runOutputsFault } from '../model/json-bytes.ts'
import type { Frame, RunState } from './run-state.ts'

/** Most characters of the message of one node. */
const MAX_MESSAGE = 1_000

/** A node has failed, which is told of the node only: the run is stopping for another reason. Gives the message as it is told. */
export function markFailed(run: RunState, frame: Frame, node: FlowNode, message: string): string {
  const text = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message
  frame.status[node.slot] = 'failed'
  frame.active -= 1
  run.changes.push({ kind: 'node', path: frame.path, nodeId: node.id, status: 'failed', message: text })
  return text
}

/**
 * A node has failed, and so does the run. `sentence` stands in the error of the run in place of `Node x ("X") failed:
 * <message>`.
 */
export function fail(run: RunState, frame: Frame, node: FlowNode, message: string, sentence?: string): void {
  const text = markFailed(run, frame, node, message)
  run.closing = 'failed'
  const place = frame.path === '' ? '' : ` in ${frame.path}`
  run.failures.push(sentence ?? `Node ${node.id} ("${node.name}")${place} failed: ${text}`)
}

/** Why an output cannot be stored: `all` are the bytes of the node's whole output, `more` those that are not counted yet. */
export function storeFault(run: RunState, { all, more }: { all: number; more: number }): string | null {
  return outputFault(all) ?? runOutputsFault(run.storedBytes + more)
}
