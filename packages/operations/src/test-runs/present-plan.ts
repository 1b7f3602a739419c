import { type AgentConfig, toolNameOf } from '@troupe/contract'
import type { TestRunPlan } from '@troupe/contract/builder'
import type { Graph, TestPlan } from '@troupe/graph'
import type { StepSample } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { agentsAtWork } from '../workflows/agents-at-work.ts'
import type { PlanOfTest, PlanTestParts, PreparedTestRun } from './prepare-test.ts'

/** Millionths of a dollar as dollars. */
const dollars = (micros: number | null) => (micros === null ? null : micros / 1_000_000)

/** The problem with a step's missing result, as a predicate with the step as its subject. */
export function missingMessage({ reason }: PlanOfTest['missing'][number]): string {
  switch (reason.kind) {
    case 'no_result':
      return 'has no stored result: enter one, or choose a run that has executed it'
    case 'no_output':
      return 'takes the chosen branch without a known output: enter one, or choose a run that has executed it'
    case 'handle':
      return reason.handles === null
        ? 'does not say which of its branches it takes: enter a value with `handles`'
        : `took ${reason.handles.join(', ')}, which is no longer one of its outputs: type a value with \`handles\``
    case 'not_a_list':
      return 'is a Loop, whose result must be a list'
    case 'iterations':
      return `needs the results of its first ${reason.needed} iterations, and there are ${reason.found}`
    default:
      return reason satisfies never
  }
}

function unreached(
  { nodeId, iterations, because }: TestPlan['unreached'][number],
  nameOf: (nodeId: string) => string,
): TestRunPlan['unreached'][number] {
  const step = { nodeId, iterations }
  switch (because.kind) {
    case 'trigger':
      return { ...step, message: 'another trigger starts the test', takeWay: null }
    case 'no_path':
      return { ...step, message: because.reason, takeWay: null }
    case 'handles': {
      const { taken, ways } = because
      const message = `${nameOf(because.nodeId)} takes ${taken.join(', ')}, and ${ways.join(' or ')} leads here`
      return { ...step, message, takeWay: { nodeId: because.nodeId, ways: [...ways] } }
    }
    default:
      return because satisfies never
  }
}

/** The tools of an agent that may have effects, by the names of their configuration; those of MCP servers are unknown. */
function actingTools({ tools }: Pick<AgentConfig, 'tools'>): string[] {
  return tools.flatMap((tool) => {
    const isHarmless =
      tool.type === 'builtin' || tool.type === 'code' || tool.type === 'agent'
        ? true
        : tool.type !== 'workflow' && (tool.idempotent ?? (tool.type === 'http' && tool.method === 'GET'))
    const asks = (tool.approval ?? 'never') !== 'never'
    return isHarmless && !asks ? [] : [toolNameOf(tool) ?? tool.type]
  })
}

async function toolsByStep(
  { database }: PlanTestParts,
  { organizationId }: BuilderCaller,
  graph: Graph | null,
): Promise<ReadonlyMap<string, string[]>> {
  if (graph === null) return new Map()
  const steps = await agentsAtWork(database.read, organizationId, graph)
  return new Map(steps.map(({ node, configs }) => [node.id, [...new Set(configs.flatMap(actingTools))]]))
}

function costOf(effects: readonly string[], samples: readonly StepSample[]): TestRunPlan['cost'] {
  const known = new Set(samples.map(({ nodeId }) => nodeId))
  const sum = (of: (one: StepSample) => number) => samples.reduce((total, one) => total + of(one), 0)
  const isPriced = samples.some(({ costMicros }) => costMicros !== null)
  return {
    costUsd: isPriced ? dollars(sum(({ costMicros }) => costMicros ?? 0)) : null,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    seconds: sum(({ seconds }) => seconds),
    unknown: effects.filter((nodeId) => !known.has(nodeId)),
    steps: samples.map(({ costMicros, ...one }) => ({ ...one, costUsd: dollars(costMicros) })),
  }
}

/** Parts of the plan's source that are unknown; null if there are none. */
function goneOf({ traceErased, steps, stepCount }: NonNullable<PreparedTestRun['source']>): string | null {
  if (traceErased) return "Retention has erased the results of this run; only its trigger's payload is left."
  if (steps.length < stepCount) {
    return `This run has ${stepCount} steps, of which ${steps.length} were examined: effects in later iterations of Loops may happen again without being marked.`
  }
  return null
}

/** Whether the tools of a step may have effects. */
function isAllowed(effects: PreparedTestRun['effects'], nodeId: string): boolean {
  return typeof effects === 'boolean' ? effects : effects.includes(nodeId)
}

/** A plan as the builder shows it, with the cost of past runs of its steps. */
export async function presentPlan(
  parts: PlanTestParts,
  caller: BuilderCaller,
  prepared: PreparedTestRun,
  draftRevision: number,
): Promise<TestRunPlan> {
  const { graph, plan, source, findings, effects, workflowId } = prepared
  const nodes = new Map((graph?.nodes ?? []).map((node) => [node.id, node]))
  const nameOf = (nodeId: string) => `"${nodes.get(nodeId)?.name ?? nodeId}"`
  const typeOf = (nodeId: string) => nodes.get(nodeId)?.type ?? ''
  const costly = [
    ...new Set(plan.effects.flatMap(({ nodeId }) => (typeOf(nodeId) === 'human-review' ? [] : nodeId))),
  ]
  const [tools, samples] = await Promise.all([
    toolsByStep(parts, caller, graph),
    costly.length === 0 ? [] : parts.database.observed.stepSamples(caller.organizationId, workflowId, costly),
  ])
  return {
    draftRevision,
    triggerId: plan.triggerId,
    fault: plan.fault,
    runs: [...plan.runs],
    recomputed: [...plan.recomputed],
    seeded: plan.seeded.map((step) => ({
      ...step,
      isAnswered: step.origin === 'run' && typeOf(step.nodeId) === 'human-review',
    })),
    missing: plan.missing.map((one) => {
      const { nodeId, iterations, certain } = one
      return { nodeId, iterations, certain, message: missingMessage(one) }
    }),
    unreached: plan.unreached.map((one) => unreached(one, nameOf)),
    forced: plan.forced.map(({ nodeId, handles }) => ({ nodeId, handles: [...handles] })),
    effects: plan.effects.map(({ again, ...step }) => ({
      ...step,
      type: typeOf(step.nodeId),
      isAllowed: isAllowed(effects, step.nodeId),
      happensAgain: again,
      tools: tools.get(step.nodeId) ?? [],
    })),
    findings,
    cost: costOf(costly, samples),
    source: source && {
      runId: source.runId,
      versionId: source.versionId,
      versionNumber: source.versionNumber,
      status: source.status,
      createdAt: Math.floor(source.createdAt / 1000),
      gone: goneOf(source),
    },
  }
}
