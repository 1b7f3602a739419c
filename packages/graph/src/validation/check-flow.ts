import { propertyOf } from '@troupe/contract'
import { isAncestor } from '../compile/ancestors.ts'
import type { CompiledGraph, FlowNode } from '../compile/compiled-graph.ts'
import type { Effort } from '../compile/effort.ts'
import { areExclusive } from '../compile/exclusive.ts'
import { finder, type GraphProblem } from './graph-problem.ts'
import type { Steps } from './steps.ts'
import type { TriggerReads } from './trigger-fields.ts'

/** Maximum writers of one variable that are compared pairwise. */
const MAX_WRITERS = 100

/** The two nodes, or their enclosing Loops, on the deepest common level. */
function onSharedLevel(a: FlowNode, b: FlowNode): [FlowNode, FlowNode] | null {
  for (let left: FlowNode | null = a; left; left = left.level.loop) {
    for (let right: FlowNode | null = b; right; right = right.level.loop) {
      if (left.level === right.level) return [left, right]
    }
  }
  return null
}

/** Whether two nodes can run in either order: no path connects them, and no branch excludes one of them. */
function areParallel(a: FlowNode, b: FlowNode, effort: Effort): boolean {
  const shared = onSharedLevel(a, b)
  if (!shared || shared[0] === shared[1]) return false
  const [left, right] = shared
  return !isAncestor(left, right) && !isAncestor(right, left) && !areExclusive(left, right, effort)
}

function* parallelWrites(
  graph: CompiledGraph,
  pathOf: (node: FlowNode) => string,
  effort: Effort,
): Steps<GraphProblem[]> {
  const writers = new Map<string, FlowNode[]>()
  const crowded = new Set<string>()
  for (const node of graph.nodes.values()) {
    for (const name of new Set(node.facts.writes?.(node.config) ?? [])) {
      const others = writers.get(name)
      if (!others) writers.set(name, [node])
      else if (others.length < MAX_WRITERS) others.push(node)
      else crowded.add(name)
    }
  }
  const uncompared = [...crowded].map((name) => {
    const message = `has more than ${MAX_WRITERS} steps that write variable ${name}; only the first ${MAX_WRITERS} were checked for writes at the same time`
    return finder('')('warning', 'not_fully_checked', '', message)
  })
  const found: GraphProblem[] = []
  for (const [name, nodes] of writers) {
    for (const [at, node] of nodes.entries()) {
      yield
      const other = nodes.find((earlier, before) => before < at && areParallel(earlier, node, effort))
      if (!other) continue
      const message = `${other.id} may write variable ${name} at the same time; the last write wins`
      found.push(finder(pathOf(node), node.id)('warning', 'parallel_writes', '', message))
    }
  }
  return [...found, ...uncompared]
}

/**
 * Warnings about starts that fail: an API call binds its input at `trigger`, a webhook binds its body at
 * `trigger.body`. A step that reads a token of one kind of start fails, or does not run, in the other.
 */
function doorWarnings(node: FlowNode, problem: ReturnType<typeof finder>, { first }: TriggerReads) {
  const { trigger } = node.facts
  if (trigger !== 'http' && trigger !== 'manual') return []
  const declared = new Set(node.facts.fields?.(node.config).map(({ name }) => name))
  const found: GraphProblem[] = []
  const { body, direct } = first
  const hasBody = declared.has('body') || propertyOf(node.config.sample, 'body') !== undefined
  if (body !== null && !hasBody) {
    const message = `needs {"input": {"body": {…}}} from calls by the API, because steps read ${body.token}`
    found.push(problem('warning', 'api_calls_fail', '', message))
  }
  if (trigger === 'http' && direct !== null) {
    const message = `fails when called by webhook, because steps read ${direct.token}, but a webhook's body is at trigger.body`
    found.push(problem('warning', 'webhook_calls_fail', '', message))
  }
  return found
}

function triggerWarnings(
  graph: CompiledGraph,
  pathOf: (node: FlowNode) => string,
  reads: TriggerReads,
): GraphProblem[] {
  const hasRecurrence = graph.triggers.some((node) => node.facts.trigger === 'recurrence')
  return graph.triggers.flatMap((node) => {
    const problem = finder(pathOf(node), node.id)
    const isRequiring = node.facts.fields?.(node.config).some(({ required }) => required) ?? false
    if (isRequiring && hasRecurrence) {
      const message = 'requires fields, so every scheduled run fails: its payload is empty'
      return problem('warning', 'scheduled_runs_fail', '', message)
    }
    if (node.facts.trigger === 'form' && node.out.length === 0) {
      return [problem('warning', 'form_starts_nothing', '', 'nothing follows the form')]
    }
    return doorWarnings(node, problem, reads)
  })
}

/** The reason for a run's error as a sentence about the step. */
function unreachableMessage(reason: string): string {
  return reason.startsWith('cycle: ')
    ? `is never reached, because it waits for itself (${reason})`
    : `is never reached: ${reason.replace('no path', 'no path leads to it')}`
}

/** Problems that will or may fail runs, except those of tokens. None of them prevents publishing. */
export function* checkFlow(
  graph: CompiledGraph,
  pathOf: (node: FlowNode) => string,
  effort: Effort,
  reads: TriggerReads,
): Steps<GraphProblem[]> {
  const unreachable = graph.unreachable.flatMap(({ nodes, reason }) =>
    nodes.map((node) =>
      finder(pathOf(node), node.id)('error', 'unreachable_node', '', unreachableMessage(reason)),
    ),
  )
  const endless = [...graph.nodes.values()]
    .filter((node) => node.body?.nodes.length === 0 && node.facts.repeatsWhile?.(node.config))
    .map((node) =>
      finder(pathOf(node), node.id)(
        'warning',
        'empty_while',
        '',
        'repeats an empty body while its condition holds',
      ),
    )
  return [
    ...unreachable,
    ...triggerWarnings(graph, pathOf, reads),
    ...(yield* parallelWrites(graph, pathOf, effort)),
    ...endless,
  ]
}
