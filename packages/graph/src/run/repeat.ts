import { jsonBytes } from '@troupe/contract'
import type { FlowNode } from '../compile/compiled-graph.ts'
import { MEASURED_OUTPUT_BYTES } from '../model/output-sizes.ts'
import { fail, storeFault } from './fail.ts'
import { openIteration } from './frame.ts'
import { frameOutput } from './frame-output.ts'
import { missedAnchor } from './missed-anchor.ts'
import { complete, propagate } from './propagate.ts'
import { enqueue } from './ready-queue.ts'
import type { Frame, LoopState, RunState } from './run-state.ts'

/**
 * Advances a Loop between two iterations: starts the next one, requests its condition, completes the Loop, or stops
 * the run because the next iteration would exceed the ceiling. Iterations that end immediately are handled in place.
 */
export function continueLoop(run: RunState, frame: Frame, loop: FlowNode, state: LoopState): void {
  const { range } = state
  const length = range.mode === 'list' ? range.items.length : range.mode === 'count' ? range.count : Infinity
  for (let isDue = !run.closing; isDue; ) {
    isDue = false
    const isEnd = state.index >= length || run.test?.endsBefore(frame.path, loop, state.index)
    if (isEnd) completeLoop(run, frame, loop, state)
    else if (range.mode === 'while') enqueue(run, frame, loop, state.index)
    else isDue = startIteration(run, frame, loop, state)
  }
}

/**
 * Starts the current iteration of a Loop. True when it ended immediately and the next one is due; false when it is
 * running, or could not start because the ceiling is reached.
 */
export function startIteration(run: RunState, frame: Frame, loop: FlowNode, state: LoopState): boolean {
  if (state.index >= run.ceiling) {
    run.closing = 'loop_limit_reached'
    run.hit = { frame, node: loop }
    return false
  }
  if (!loop.body) return false
  const body = openIteration(run, frame, loop, loop.body, state.index)
  if (body.active > 0) return false
  endIteration(run, frame, body, state, loop)
  return !run.closing
}

/** Completes a Loop with the outputs of its iterations. A test of an iteration that it does not have fails. */
export function completeLoop(run: RunState, frame: Frame, loop: FlowNode, state: LoopState): void {
  const chosen = run.test?.chosenIteration(frame.path, loop) ?? null
  if (chosen !== null && state.index <= chosen) {
    fail(run, frame, loop, `it ended before its iteration ${chosen} (from 0), which this test is for`)
    return
  }
  complete(run, frame, loop, state.outputs, ['done'], 0)
  settleActive(run, frame, loop)
}

/** Deactivates a completed node and advances its successors, or the enclosing Loop when the frame has ended. */
export function settleActive(run: RunState, frame: Frame, node: FlowNode): void {
  frame.active -= 1
  propagate(run, frame, node)
  if (frame.active > 0 || run.closing) return
  const loop = frame.level.loop
  const state = loop && frame.parent?.loops.get(loop)
  if (!state || !frame.parent) return
  endIteration(run, frame.parent, frame, state, loop)
  continueLoop(run, frame.parent, loop, state)
}

/**
 * Stores the output of an iteration and drops its frame. An output that makes the Loop's array too large to store is
 * discarded and fails the Loop.
 */
export function endIteration(
  run: RunState,
  around: Frame,
  body: Frame,
  state: LoopState,
  loop: FlowNode,
  stopped: FlowNode | null = null,
): void {
  const missed = run.closing ? null : missedAnchor(run, body)
  if (missed !== null) {
    run.frames.delete(body.path)
    fail(run, around, loop, missed, missed)
    return
  }
  run.frames.delete(body.path)
  storeIteration(run, around, loop, state, frameOutput(run, body, stopped))
}

/** Stores the output of the current iteration; false when it is too large, and the Loop has failed. */
export function storeIteration(
  run: RunState,
  frame: Frame,
  loop: FlowNode,
  state: LoopState,
  output: unknown,
): boolean {
  const bytes = jsonBytes(output, MEASURED_OUTPUT_BYTES)
  const all = state.bytes + bytes + (state.outputs.length > 0 ? 1 : 0)
  const fault = storeFault(run, { all, more: bytes })
  if (fault !== null) {
    fail(run, frame, loop, fault)
    return false
  }
  const { index } = state
  state.outputs.push(output)
  state.bytes = all
  state.index += 1
  run.storedBytes += bytes
  run.changes.push({ kind: 'iteration', path: frame.path, nodeId: loop.id, index, output, bytes })
  return true
}
