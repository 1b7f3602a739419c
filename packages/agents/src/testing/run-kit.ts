import {
  AGENT_CONFIG_DEFAULTS,
  type AgentConfig,
  AgentId,
  AgentVersionId,
  ApiKeyId,
  DomainError,
  LlmConfigId,
  MANAGED_LEAD_DEFAULTS,
  OrganizationId,
  type RunId,
  type StreamEvent,
  TEAM_CONFIG_DEFAULTS,
  type TeamConfig,
  TeamId,
  type TeamRunResult,
  TeamVersionId,
} from '@troupe/contract'
import { ActiveTurns, type Delivery, type RunEngine } from '@troupe/durable-work'
import type { AgentSnapshot, CatalogModel, TeamSnapshot } from '../ports/agent-catalog.ts'
import type { Guardrails } from '../ports/guardrails.ts'
import type { JobStore } from '../ports/job-store.ts'
import type { RunStore } from '../ports/run-store.ts'
import type { Toolboxes } from '../ports/toolbox.ts'
import type { RunDependencies } from '../run/dependencies.ts'
import type { RunRequest } from '../run/run-request.ts'
import { Runner } from '../runner/runner.ts'
import { jobWorker } from '../runner/testing/job-worker.ts'
import { MemoryStore } from './memory-store.ts'
import { NO_APPROVAL_LINKS } from './no-approvals.ts'
import { NO_GUARDRAILS } from './no-guardrails.ts'
import { NO_KNOWLEDGE, NO_RERANKING } from './no-knowledge.ts'
import { NO_MEMORIES } from './no-memories.ts'
import { NO_SKILLS } from './no-skills.ts'
import { NO_TELEMETRY } from './no-telemetry.ts'
import { NO_TOOLBOXES } from './no-toolboxes.ts'
import { PLAIN_TOOL_CONTEXTS } from './plain-tool-contexts.ts'
import { type Reply, type ScriptedCall, scriptedChat } from './scripted-model.ts'
import { countedIds, idNamed } from './test-ids.ts'

const organizationId = idNamed(OrganizationId, 'organization')

/** The id of the agent with this name: prompts must never contain ids. */
export function agentIdOf(name: string): AgentId {
  return idNamed(AgentId, name)
}

/** The version of the agent with this name. */
export function agentVersionIdOf(name: string): AgentVersionId {
  return idNamed(AgentVersionId, name)
}

/** An agent in a test's notation. */
export interface TestAgent {
  name: string
  instructions?: string
  description?: string
  config?: (config: AgentConfig) => void
  status?: AgentSnapshot['status']
}

function snapshotOf({ name, instructions, description, config, status }: TestAgent): AgentSnapshot {
  const full = structuredClone(AGENT_CONFIG_DEFAULTS)
  full.instructions = instructions ?? `INSTRUCTIONS-OF-${name}`
  config?.(full)
  const ids = { agentId: agentIdOf(name), versionId: agentVersionIdOf(name) }
  const rest = { organizationId, projectId: null, description: description ?? null, config: full }
  return { ...ids, name, status: status ?? 'active', ...rest }
}

/** A team in a test's notation: `members` and a promoted `lead` are names of agents. */
export interface TestTeam {
  mode: TeamConfig['mode']
  members: readonly string[]
  lead?: string
  toggles?: Partial<TeamConfig['toggles']>
  limits?: Partial<TeamConfig['limits']>
  config?: Partial<TeamConfig>
}

/** The id of every test team. */
export const teamId = idNamed(TeamId, 'Crew')
const teamVersionId = idNamed(TeamVersionId, 'Crew')
const llmConfigId = idNamed(LlmConfigId, 'models')
/** The name of every test team, and of its managed lead. */
export const CREW = 'Crew'

function teamOf({ mode, members, lead, toggles, limits, config }: TestTeam): TeamSnapshot {
  const managed = { ...MANAGED_LEAD_DEFAULTS, instructions: 'INSTRUCTIONS-OF-LEAD' }
  return {
    ...{ teamId, versionId: teamVersionId, organizationId, projectId: null, name: CREW },
    config: {
      ...TEAM_CONFIG_DEFAULTS,
      mode,
      lead: lead === undefined ? { managed } : { agent: agentIdOf(lead) },
      members: members.map((name) => ({ agent: agentIdOf(name), role: null })),
      ...config,
      toggles: { ...TEAM_CONFIG_DEFAULTS.toggles, ...toggles },
      limits: { ...TEAM_CONFIG_DEFAULTS.limits, ...limits },
    },
  }
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}

/** The options of a kit. */
export interface KitOptions {
  agents: readonly TestAgent[]
  /** Without a team, requests go to the first agent. */
  team?: TestTeam
  respond: (call: ScriptedCall) => Reply
  model?: Partial<CatalogModel>
  toolboxes?: Toolboxes
  guardrails?: Guardrails
  store?: MemoryStore
}

/** Everything needed to run agents and teams, with scripted models and rows in memory. */
export class RunKit implements AsyncDisposable {
  readonly store: MemoryStore
  readonly models: ReturnType<typeof scriptedChat>
  readonly deliveries: Delivery[] = []
  readonly failures: unknown[] = []
  readonly #options: KitOptions
  readonly #active: ActiveTurns<RunId>[] = []
  readonly #newId = countedIds()
  #workers = 0

  constructor(options: KitOptions) {
    this.#options = options
    this.store = options.store ?? new MemoryStore()
    this.models = scriptedChat(options.respond)
  }

  /** The dependencies of another process. */
  process(): RunDependencies {
    const { agents, team, model, toolboxes, guardrails } = this.#options
    // As a catalog does, one snapshot serves every run, so that a run that changes it fails.
    const snapshots = frozen(agents.map(snapshotOf))
    const crew = team ? frozen(teamOf(team)) : null
    const workerId = `worker-${++this.#workers}`
    const store = this.store as unknown as RunStore
    const jobs = this.store as unknown as JobStore
    const signals = {
      publish: async () => {},
      subscribe: () => () => {},
      [Symbol.asyncDispose]: async () => {},
    }
    const telemetry = {
      ...NO_TELEMETRY,
      backgroundFailed: (_: string, error: unknown) => void this.failures.push(error),
    }
    const active = new ActiveTurns({
      store: jobs,
      signals,
      telemetry,
      workerId,
      cancelSignal: 'run_cancelled',
    })
    this.#active.push(active)
    const unpriced = { inputUsdPerMillion: null, cachedInputUsdPerMillion: null, outputUsdPerMillion: null }
    const prices = { ...unpriced, cacheWriteUsdPerMillion: null }
    const models = [{ modelId: 'm', contextLength: 100_000, toolChoice: true, ...prices, ...model }]
    const configuration = { id: llmConfigId, projectId: null, models, connection: { llmConfigId } }
    return {
      catalog: {
        agent: async (_, id) => snapshots.find(({ agentId }) => agentId === id) ?? null,
        agentVersion: async (_, id) => snapshots.find(({ versionId }) => versionId === id) ?? null,
        team: async () => crew,
        teamVersion: async () => crew,
        modelBudgets: async () => [],
        llmConfigurations: async () => [configuration] as never,
      },
      memories: NO_MEMORIES,
      learner: { hurry() {} },
      models: this.models,
      toolboxes: toolboxes ?? NO_TOOLBOXES,
      guardrails: guardrails ?? NO_GUARDRAILS,
      toolContexts: PLAIN_TOOL_CONTEXTS,
      knowledge: NO_KNOWLEDGE,
      reranking: NO_RERANKING,
      skills: NO_SKILLS,
      store,
      jobs,
      approvals: this.store,
      approvalLinks: NO_APPROVAL_LINKS,
      engine: {
        dispatch: async (delivery: Delivery) => void this.deliveries.push(delivery),
      } as unknown as RunEngine,
      ...{ signals, telemetry, active, workerId, maxSeconds: 900, syncSeconds: 30 },
      now: () => Date.now(),
      newId: this.#newId,
    }
  }

  request(change: Partial<RunRequest> = {}): RunRequest {
    const { agents, team } = this.#options
    return {
      scope: { organizationId, projectId: null },
      apiKeyId: idNamed(ApiKeyId, 'key'),
      kind: team ? 'team' : 'agent',
      entityId: team ? teamId : agentIdOf(agents[0]?.name ?? ''),
      message: 'MESSAGE',
      ...{ sessionId: null, userId: null, includeMessages: true, tag: null, idempotency: null },
      ...{ toolContext: {}, output: null },
      source: 'api_sync',
      acceptedAt: Date.now(),
      ...change,
    }
  }

  /** The result of a synchronous run; throws its caller's error when it fails. */
  async run(change: Partial<RunRequest> = {}): Promise<TeamRunResult | DomainError> {
    const work = new Runner(this.process()).run(this.request(change))
    return work.catch((error) => {
      if (error instanceof DomainError) return error
      throw error
    }) as Promise<TeamRunResult | DomainError>
  }

  /** The events of a streaming run, from its first to its last. */
  async stream(change: Partial<RunRequest> = {}): Promise<StreamEvent[]> {
    const events: StreamEvent[] = []
    const request = this.request({ source: 'api_stream', ...change })
    const started = await new Runner(this.process()).stream(request, (event) => events.push(event))
    if (started.kind === 'accepted') await started.run.executed
    return events
  }

  /** Accepts a job; returns the delivery to claim it with. */
  async enqueue(change: Partial<RunRequest> = {}): Promise<Delivery> {
    const runner = new Runner(this.process())
    const { jobId } = await runner.enqueue(this.request({ source: 'api_async', ...change }))
    return { lane: 'jobs', runId: jobId, slice: 0 }
  }

  worker(turnMs?: number): ReturnType<typeof jobWorker> {
    return jobWorker(this.process(), turnMs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const active of this.#active.splice(0)) await active[Symbol.asyncDispose]()
  }
}

/**
 * The answer as a stream reader sees it at the end: all deltas of the answer, without the messages that were
 * reset.
 */
export function answerOf(events: readonly { event: string; [key: string]: unknown }[]): string {
  const voided = events.flatMap((event) => (event.event === 'RunContentReset' ? [event.messageId] : []))
  return events
    .filter(({ event, channel }) => event === 'RunContent' && channel === 'answer')
    .filter(({ messageId }) => !voided.includes(messageId))
    .map(({ delta }) => delta)
    .join('')
}
