import { frameOutput } from './frame-output.ts'
import { complete } from './propagate.ts'
import { endIteration } from './repeat.ts'
import type { RunState } from './run-state.ts'

/** Ends a run of which nothing is left: called whenever something was answered. */
export function endIfDone(run: RunState): void {
  if (run.outcome || run.isReplaying) return
  if (run.closing ? run.running.size === 0 : run.root.active === 0) endRun(run)
}

function endRun(run: RunState): void {
  run.ready.length = 0
  if (run.closing === 'failed') {
    run.outcome = { status: 'failed', output: null, error: run.failures.join('; ') }
  } else if (run.closing === 'loop_limit_reached') {
    run.outcome = { status: 'loop_limit_reached', output: stopLoops(run), error: null }
  } else {
    run.outcome = { status: 'completed', output: frameOutput(run.root), error: null }
  }
}

/** Stops the Loop that hit its ceiling and every Loop around it with the arrays so far; gives the output of the run. */
function stopLoops(run: RunState): unknown {
  let at = run.hit
  while (at) {
    const { frame, node } = at
    complete(run, frame, node, frame.loops.get(node)?.outputs ?? [], [])
    const loop = frame.level.loop
    const state = loop && frame.parent?.loops.get(loop)
    if (!state || !frame.parent) return frameOutput(frame, node)
    endIteration(run, frame, state, loop, node)
    at = { frame: frame.parent, node: loop }
  }
  return null
}

/**
 * Ends a run that is closing although some of what was aborted has not answered. Does nothing to a run that is not
 * closing or has ended.
 */
export function closeRun(run: RunState): void {
  if (!run.closing || run.outcome) return
  run.running.clear()
  endIfDone(run)
}
