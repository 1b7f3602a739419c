import type { PlanTestBody } from '@troupe/builder-contract'
import type { SourceStep, TestSource } from '@troupe/database'
import type { CompiledGraph, FlowNode, Seed, TestScope } from '@troupe/graph'
import type { CopiedSeed } from '@troupe/workflows/ports'

type GivenSeeds = NonNullable<PlanTestBody['seeds']>

/** The Loops around a step, outermost first. */
function loopsAround(node: FlowNode): FlowNode[] {
  const loops: FlowNode[] = []
  for (let { loop } = node.level; loop !== null; loop = loop.level.loop) loops.unshift(loop)
  return loops
}

/** An iteration of a Loop on the way to the step of a scope. */
interface Chosen {
  loop: FlowNode
  /** The frame of the Loop. */
  path: string
  index: number
}

/** The iterations around the step of a scope: those that its path names, else the first of each Loop. */
function chosenIterations(graph: CompiledGraph, { nodeId, path }: TestScope): Chosen[] {
  const node = nodeId === null ? undefined : graph.nodes.get(nodeId)
  if (!node) return []
  const named = (path ?? '').split('/').map((part) => /^(.+)\[(\d{1,9})\]$/.exec(part))
  let frame = ''
  return loopsAround(node).map((loop, depth) => {
    const match = named[depth]
    const index = match?.[1] === loop.id ? Number(match[2]) : 0
    const chosen = { loop, path: frame, index }
    frame = `${frame === '' ? '' : `${frame}/`}${loop.id}[${index}]`
    return chosen
  })
}

const frameIn = ({ loop, path, index }: Chosen) => `${path === '' ? '' : `${path}/`}${loop.id}[${index}]`

/** The frames whose results a test of this scope can take. */
export function framesOf(graph: CompiledGraph, scope: TestScope): string[] {
  return ['', ...chosenIterations(graph, scope).map(frameIn)]
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
    chosenIterations(graph, scope).map(({ loop, path, index }) => [`${path} ${loop.id}`, index]),
  )
  return [...given, ...source.steps.flatMap((step) => copyOf(step, source.runId, { graph, chosen }) ?? [])]
}
