import { frameOutput } from './frame-output.ts'
import { missedAnchor } from './missed-anchor.ts'
import { complete } from './propagate.ts'
import { endIteration } from './repeat.ts'
import type { RunState } from './run-state.ts'

/** Ends a run with no work left; called after every result. */
export function endIfDone(run: RunState): void {
  if (run.outcome || run.isReplaying) return
  if (run.closing ? run.running.size === 0 : run.root.active === 0) endRun(run)
}

function endRun(run: RunState): void {
  run.ready.length = 0
  const missed = run.closing ? null : missedAnchor(run, run.root)
  if (missed !== null) run.failures.push(missed)
  const status = run.closing === 'loop_limit_reached' ? 'loop_limit_reached' : 'completed'
  const output = status === 'completed' ? frameOutput(run, run.root) : stopLoops(run)
  const hasFailed = run.failures.length > 0
  run.outcome = hasFailed
    ? { status: 'failed', output: null, error: run.failures.join('; ') }
    : { status, output, error: null }
}

/**
 * Completes the Loop that hit its ceiling and every enclosing Loop with the outputs so far; returns the output of the
 * run. An array that is too large to store fails its Loop, and the enclosing Loops are then not completed.
 */
function stopLoops(run: RunState): unknown {
  let at = run.hit
  while (at) {
    const { frame, node } = at
    complete(run, frame, node, frame.loops.get(node)?.outputs ?? [], [], 0)
    const loop = frame.level.loop
    const state = loop && frame.parent?.loops.get(loop)
    if (!state || !frame.parent) return frameOutput(run, frame, node)
    endIteration(run, frame.parent, frame, state, loop, node)
    if (run.failures.length > 0) return null
    at = { frame: frame.parent, node: loop }
  }
  return null
}

/**
 * Ends a closing run although some aborted nodes have not returned a result. No effect on a run that is not closing or
 * has ended.
 */
export function closeRun(run: RunState): void {
  if (!run.closing || run.outcome) return
  run.running.clear()
  endIfDone(run)
}
