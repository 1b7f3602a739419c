import { jsonBytes } from '@troupe/contract'
import type { FlowNode } from '../compile/compiled-graph.ts'
import { MEASURED_OUTPUT_BYTES } from '../model/output-sizes.ts'
import { fail, markFailed, storeFault } from './fail.ts'
import { nodeKey, passedOn } from './frame.ts'
import type { Completed, LoopRange, NodeResult } from './node-result.ts'
import { endIfDone } from './outcome.ts'
import { missingSentence } from './prepared-test.ts'
import { complete } from './propagate.ts'
import { enqueue } from './ready-queue.ts'
import { completeLoop, continueLoop, settleActive, startIteration, storeIteration } from './repeat.ts'
import type { Activation, Entry, Frame, LoopState, RunState } from './run-state.ts'

/**
 * Takes the first ready node in the order of the graph and marks it as running; null if none is ready or the run is
 * closing. `among` filters the candidates, so that effects can wait for a free slot while pure nodes proceed.
 */
export function takeReady(run: RunState, among: (node: FlowNode) => boolean = () => true): Activation | null {
  if (run.closing || run.outcome) return null
  const at = run.ready.findIndex(({ node }) => among(node))
  const [entry] = at === -1 ? [] : run.ready.splice(at, 1)
  return entry ? begin(run, entry) : null
}

/** Marks a dequeued entry as running. */
export function begin(run: RunState, { frame, node, iteration }: Entry): Activation {
  const activation = { path: frame.path, nodeId: node.id, iteration }
  run.running.set(nodeKey(frame.path, node.id), activation)
  if (iteration === null) {
    frame.status[node.slot] = 'running'
    run.changes.push({ kind: 'node', path: frame.path, nodeId: node.id, status: 'running' })
  }
  return activation
}

/** Looks up a node of a live frame. Throws a `RangeError` for any other. */
export function locate(run: RunState, path: string, nodeId: string): { frame: Frame; node: FlowNode } {
  const frame = run.frames.get(path)
  const node = run.graph.nodes.get(nodeId)
  if (!frame || !node || node.level !== frame.level) {
    throw new RangeError(`No node ${nodeId} in frame "${path}" of this run`)
  }
  return { frame, node }
}

/**
 * Applies the result of a running or waiting node and its consequences; a no-op after the end of the run. Throws a
 * `RangeError`, a defect of the caller, for a node that is neither running nor waiting or a result that does not fit.
 */
export function applyResult(
  run: RunState,
  activation: { path: string; nodeId: string },
  result: NodeResult,
): void {
  if (run.outcome) return
  const { frame, node } = locate(run, activation.path, activation.nodeId)
  const key = nodeKey(frame.path, node.id)
  const wasWaiting = frame.status[node.slot] === 'waiting'
  if (!wasWaiting && !run.running.has(key)) throw new RangeError(`Node ${node.id} is not running`)
  const taken = run.running.get(key)
  run.running.delete(key)
  if (wasWaiting) run.waiting -= 1
  applyTo(run, frame, node, taken?.iteration ?? null, result)
  takeSupplied(run)
  endIfDone(run)
}

/**
 * Makes a waiting node ready again: the awaited event has happened, and the node continues itself. A no-op for a node
 * that does not wait, and once no node may start.
 */
export function continueWaiting(run: RunState, { path, nodeId }: { path: string; nodeId: string }): void {
  if (run.closing || run.outcome) return
  const { frame, node } = locate(run, path, nodeId)
  if (frame.status[node.slot] !== 'waiting') return
  run.waiting -= 1
  frame.active -= 1
  enqueue(run, frame, node)
}

function applyTo(
  run: RunState,
  frame: Frame,
  node: FlowNode,
  iteration: number | null,
  result: NodeResult,
): void {
  const at = { kind: 'node', path: frame.path, nodeId: node.id } as const
  switch (result.status) {
    case 'completed':
      completeNode(run, frame, node, result)
      break
    case 'waiting':
      frame.status[node.slot] = 'waiting'
      run.waiting += 1
      run.changes.push({ ...at, status: 'waiting' })
      break
    case 'failed':
      // After a ceiling was hit, a failure is caused by the abort and does not fail the run.
      if (run.closing === 'loop_limit_reached') markFailed(run, frame, node, result.message)
      else fail(run, frame, node, result.message, result.sentence)
      break
    case 'aborted':
      markFailed(run, frame, node, 'Aborted.')
      break
    case 'repeat':
      openLoop(run, frame, node, result.range)
      break
    case 'condition':
      answerLoop(run, frame, node, iteration, result.holds)
      break
    default:
      result satisfies never
  }
}

/** Completes a node if its output may be stored. Outputs that are replayed have been measured before. */
function completeNode(
  run: RunState,
  frame: Frame,
  node: FlowNode,
  { output, handles = ['out'], variables }: Completed,
  isSeeded = false,
): void {
  const bytes = run.isReplaying ? 0 : jsonBytes(output, MEASURED_OUTPUT_BYTES)
  const fault = storeFault(run, { all: bytes, more: bytes })
  if (fault !== null) {
    fail(run, frame, node, fault)
    return
  }
  setVariables(run, variables)
  complete(run, frame, node, output, handles, bytes, isSeeded)
  settleActive(run, frame, node)
}

function openLoop(run: RunState, frame: Frame, node: FlowNode, range: LoopRange): void {
  if (node.role !== 'loop' || frame.loops.has(node)) {
    throw new RangeError(`Node ${node.id} cannot be opened as a Loop`)
  }
  const state = { range, index: 0, outputs: [], bytes: 2 }
  frame.loops.set(node, state)
  takeFirstIterations(run, frame, node, state)
  continueLoop(run, frame, node, state)
}

/** Adds the iterations before that of the test to a Loop; their rows are stored like any others. */
function takeFirstIterations(run: RunState, frame: Frame, loop: FlowNode, state: LoopState): void {
  const seed = run.test?.firstIterations(frame.path, loop)
  for (const output of seed?.iterations ?? []) {
    if (!storeIteration(run, frame, loop, state, output)) return
  }
  setVariables(run, seed?.variables)
}

function setVariables(run: RunState, variables: Readonly<Record<string, unknown>> | null = null): void {
  for (const [name, value] of Object.entries(variables ?? {})) run.variables.set(name, value)
}

/**
 * Completes the ready nodes that are disabled or, in a test run, take a seed, and those that become ready as a result.
 * Called after every change, so that callers never see such a node.
 */
export function takeSupplied(run: RunState): void {
  if (run.isReplaying) return
  while (!run.closing) {
    const entry = run.supplied.shift()
    if (!entry) return
    const { frame, node } = entry
    if (node.isDisabled) {
      const { handles } = node
      completeNode(run, frame, node, { status: 'completed', output: passedOn(frame, node), handles })
      continue
    }
    if (!run.test) continue
    const decision = run.test.decide(frame.path, node)
    if (decision.kind === 'fault') fail(run, frame, node, missingSentence(decision.reason))
    if (decision.kind !== 'seed') continue
    const { output, variables } = decision.seed
    const { handles } = decision
    completeNode(
      run,
      frame,
      node,
      { status: 'completed', output, handles, ...(variables && { variables }) },
      true,
    )
  }
}

function answerLoop(
  run: RunState,
  frame: Frame,
  node: FlowNode,
  iteration: number | null,
  holds: boolean,
): void {
  const state = frame.loops.get(node)
  if (!state || iteration === null) throw new RangeError(`Node ${node.id} was not asked for a condition`)
  if (run.closing) return
  if (!holds) completeLoop(run, frame, node, state)
  else if (startIteration(run, frame, node, state)) continueLoop(run, frame, node, state)
}
