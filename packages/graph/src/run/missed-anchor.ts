import type { FlowNode } from '../compile/compiled-graph.ts'
import type { Frame, RunState } from './run-state.ts'

/** The completed step whose other handles led to a skipped one; null if there is none. */
function causeOf(frame: Frame, skipped: FlowNode): FlowNode | null {
  const behind = new Set([skipped])
  for (const node of behind) {
    for (const { source } of node.incoming) {
      if (frame.status[source.slot] === 'completed') return source
      behind.add(source)
    }
  }
  return null
}

/**
 * For a test run: why an ended frame did not reach the step of the test, as a sentence. Null if it did, and for frames
 * that do not lead to it.
 */
export function missedAnchor({ test }: RunState, frame: Frame): string | null {
  const anchor = test?.anchorOf(frame.path)
  if (!test?.target || !anchor || frame.status[anchor.slot] === 'completed') return null
  const cause = causeOf(frame, anchor)
  const taken = cause && frame.handles[cause.slot]
  const reason = taken?.length ? `: step ${cause?.id} took "${taken.join('", "')}"` : ''
  return `The step ${test.target.id} ("${test.target.name}"), which this test is for, was not reached${reason}.`
}
