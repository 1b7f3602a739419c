import type { WorkflowRunId } from '@troupe/contract'
import type { PlanTestBody } from '@troupe/contract/builder'
import {
  type ChosenIteration,
  type CompiledGraph,
  chosenIterations,
  type FlowNode,
  type Seed,
  type TestScope,
} from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import type { PinRecord, SourceStep, StoredMock, TestSource } from '@troupe/storage'
import type { CopiedSeed } from '@troupe/workflows/ports'

/** Seeds in the request of a test, besides the results of a run. */
interface GivenSeeds extends NonNullable<PlanTestBody['seeds']> {
  /** Pins of steps of the draft. */
  stored?: readonly Pick<PinRecord, 'nodeId' | 'output' | 'handles'>[] | undefined
  /** Results from a test case. */
  mocks?: readonly StoredMock[] | undefined
}

function iterationsOf(graph: CompiledGraph, { nodeId, path }: TestScope): ChosenIteration[] {
  const node = nodeId === null ? undefined : graph.nodes.get(nodeId)
  return (node && chosenIterations(node, path)) ?? []
}

/** The frames whose results a test with this scope can use. */
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

type GivenValue = Omit<NonNullable<GivenSeeds['values']>[number], 'output'> & { output?: unknown }

function given(
  { nodeId, path = null, output, handles = null }: GivenValue,
  origin: 'typed' | 'pin' | 'mock',
): Seed {
  const none = { variables: null, iterations: null, fromRunId: null }
  return { nodeId, path, output: output ?? null, handles, origin, ...none }
}

/**
 * The step of a source whose output is used when a typed value is absent: the one in the same frame, else the nearest
 * around the step of the scope.
 */
function stepOf(
  { nodeId, path = null }: GivenValue,
  { graph, scope, steps }: { graph: CompiledGraph; scope: TestScope; steps: readonly SourceStep[] },
): SourceStep | undefined {
  const ended = steps.filter((step) => step.nodeId === nodeId && step.status === 'completed')
  if (path !== null) return ended.find((step) => step.path === path)
  const frames = framesOf(graph, scope).toReversed()
  return frames.flatMap((frame) => ended.find((step) => step.path === frame) ?? []).at(0) ?? ended.at(0)
}

/** The output of a step for a chosen handle, and whether it is the complete output. */
function outputOfWay(
  node: FlowNode | undefined,
  handles: readonly string[] | null | undefined,
): { fields: Readonly<Record<string, unknown>> | null; isWhole: boolean } {
  const type = node && NODE_TYPES.get(node.type)
  const [way, ...others] = handles ?? []
  if (!node || !type?.outputOfWay || way === undefined || others.length > 0) {
    return { fields: null, isWhole: false }
  }
  const fields = type.outputOfWay(node.config, way)
  const isWhole = (type.outputsOf?.(node.config) ?? []).every(({ path }) => Object.hasOwn(fields, path))
  return { fields, isWhole }
}

/**
 * The result of a step of a run. Its values are copied only when the test is stored; until then, a list of the right
 * length takes their place.
 */
function copyOf(
  { nodeId, path, handles, status, iterations }: SourceStep,
  runId: WorkflowRunId,
  { graph, chosen }: { graph: CompiledGraph; chosen: ReadonlyMap<string, number> },
): CopiedSeed | null {
  const node = graph.nodes.get(nodeId)
  // Triggers are started with the run's payload instead.
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
    copy: { path, first: isCut ? index : null, writers: isLoop ? writersIn(node) : [], fields: null },
  }
}

/** The seeds available to a test. */
export interface Candidates {
  /** Typed values take precedence, then pins, then mocks, then the results of a run. */
  seeds: (Seed | CopiedSeed)[]
  /** Seeds with a chosen handle whose output is unknown until it is typed. */
  unknown: ReadonlySet<Seed>
}

/** All seeds available to a test. */
export function candidates(
  graph: CompiledGraph,
  scope: TestScope,
  { values = [], pins = [], stored = [], mocks = [] }: GivenSeeds,
  source: (Pick<TestSource, 'steps' | 'traceErased'> & { runId: WorkflowRunId }) | null,
): Candidates {
  const steps = source === null || source.traceErased ? [] : source.steps
  const unknown = new Set<Seed>()
  const typed = values.map((value): Seed | CopiedSeed => {
    const seed = given(value, 'typed')
    // Null is a typed value; only an absent value is looked up.
    if (value.output !== undefined) return seed
    const { fields, isWhole } = outputOfWay(graph.nodes.get(value.nodeId), value.handles)
    if (isWhole) return { ...seed, output: fields }
    const step = stepOf(value, { graph, scope, steps })
    if (step && source) {
      const node = graph.nodes.get(step.nodeId)
      const isLoop = node?.role === 'loop'
      return {
        ...seed,
        output: isLoop ? [] : null,
        fromRunId: source.runId,
        copy: { path: step.path, first: null, writers: node && isLoop ? writersIn(node) : [], fields },
      }
    }
    unknown.add(seed)
    return seed
  })
  const own = [
    ...typed,
    ...[...pins, ...stored].map((one) => given(one, 'pin')),
    ...mocks.map((one) => given(one, 'mock')),
  ]
  if (source === null) return { seeds: own, unknown }
  const chosen = new Map(
    iterationsOf(graph, scope).map(({ loop, around, index }) => [`${around} ${loop.id}`, index]),
  )
  const copies = steps.flatMap((step) => copyOf(step, source.runId, { graph, chosen }) ?? [])
  return { seeds: [...own, ...copies], unknown }
}
