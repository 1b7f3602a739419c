import type { PlanTestBody } from '@troupe/builder-contract'
import type { SourceStep, TestSource } from '@troupe/database'
import {
  type ChosenIteration,
  type CompiledGraph,
  chosenIterations,
  type FlowNode,
  type Seed,
  type TestScope,
} from '@troupe/graph'
import type { CopiedSeed } from '@troupe/workflows/ports'

type GivenSeeds = NonNullable<PlanTestBody['seeds']>

function iterationsOf(graph: CompiledGraph, { nodeId, path }: TestScope): ChosenIteration[] {
  const node = nodeId === null ? undefined : graph.nodes.get(nodeId)
  return (node && chosenIterations(node, path)) ?? []
}

/** The frames whose results a test of this scope can take. */
export function framesOf(graph: CompiledGraph, scope: TestScope): string[] {
  return ['', ...iterationsOf(graph, scope).map(({ path }) => path)]
}

/** The steps in a Loop, at every depth, that set variables. */
function writersIn({ body }: FlowNode): string[] {
  return (body?.nodes ?? []).flatMap((node) => [
    ...((node.facts.writes?.(node.config) ?? []).length > 0 ? [node.id] : []),
    ...writersIn(node),
  ])
}

function typed({ nodeId, path = null, output, handles = null }: GivenValue, origin: 'typed' | 'pin'): Seed {
  const none = { variables: null, iterations: null, fromRunId: null }
  return { nodeId, path, output: output ?? null, handles, origin, ...none }
}

type GivenValue = NonNullable<GivenSeeds['values']>[number]

/**
 * The result of a step of a run, whose values are copied only when the test is stored; until then a list of the right length
 * stands for them.
 */
function copyOf(
  { nodeId, path, handles, status, iterations }: SourceStep,
  runId: string,
  { graph, chosen }: { graph: CompiledGraph; chosen: ReadonlyMap<string, number> },
): CopiedSeed | null {
  const node = graph.nodes.get(nodeId)
  // Triggers are started with the value that the run was given.
  if (!node || node.role === 'trigger') return null
  const isLoop = node.role === 'loop'
  const index = isLoop ? chosen.get(`${path} ${nodeId}`) : undefined
  const isCut = index !== undefined
  if (isCut ? iterations < index : status !== 'completed') return null
  return {
    nodeId,
    path,
    output: isLoop && !isCut ? [] : null,
    handles: isCut ? null : handles,
    variables: null,
    iterations: isCut ? Array.from({ length: index }, () => null) : null,
    origin: 'run',
    fromRunId: runId,
    copy: { path, first: isCut ? index : null, writers: isLoop ? writersIn(node) : [] },
  }
}

/** Everything that a test may take: what was typed for it, then pins, then the results of a run. */
export function candidates(
  graph: CompiledGraph,
  scope: TestScope,
  { values = [], pins = [] }: GivenSeeds,
  source: (Pick<TestSource, 'steps' | 'traceErased'> & { runId: string }) | null,
): (Seed | CopiedSeed)[] {
  const given = [...values.map((one) => typed(one, 'typed')), ...pins.map((one) => typed(one, 'pin'))]
  if (source === null || source.traceErased) return given
  const chosen = new Map(
    iterationsOf(graph, scope).map(({ loop, around, index }) => [`${around} ${loop.id}`, index]),
  )
  return [...given, ...source.steps.flatMap((step) => copyOf(step, source.runId, { graph, chosen }) ?? [])]
}
