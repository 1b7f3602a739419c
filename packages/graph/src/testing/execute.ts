import type { InterpolationScope } from '../interpolation/interpolation-scope.ts'
import { applyResult, takeReady } from '../run/apply-result.ts'
import type { NodeResult } from '../run/node-result.ts'
import { type NextSteps, planRun } from '../run/plan-run.ts'
import { scopeAt } from '../run/run-scope.ts'
import type { Activation, RunState } from '../run/run-state.ts'

/** The behaviour of a node in a test. */
export type Behaviour = (scope: InterpolationScope, activation: Activation, run: RunState) => NodeResult

/** A node that completes with a value. */
export const gives =
  (output: (scope: InterpolationScope) => unknown): Behaviour =>
  (scope) => ({ status: 'completed', output: output(scope) })

/** `b#0.2` for node b in iteration 2 of a Loop in iteration 0 of another; `b` in the root. */
export function label(path: string, nodeId: string): string {
  const indexes = [...path.matchAll(/\[(\d+)\]/g)].map(([, index]) => index)
  return nodeId + (indexes.length === 0 ? '' : `#${indexes.join('.')}`)
}

/** Executes ready nodes sequentially, in the order of the graph, until none is ready; returns the executed ones. */
export function execute(
  run: RunState,
  behave: (nodeId: string) => Behaviour,
): { plan: NextSteps; ran: string[] } {
  const ran: string[] = []
  for (let next = takeReady(run); next; next = takeReady(run)) {
    if (next.iteration === null) ran.push(label(next.path, next.nodeId))
    applyResult(run, next, behave(next.nodeId)(scopeAt(run, next), next, run))
  }
  return { plan: planRun(run), ran }
}
