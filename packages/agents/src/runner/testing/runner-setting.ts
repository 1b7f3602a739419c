import {
  AGENT_CONFIG_DEFAULTS,
  type AgentConfig,
  AgentId,
  ApiKeyId,
  LlmConfigId,
  OrganizationId,
} from '@troupe/contract'
import { ActiveTurns, type RunEngine } from '@troupe/durable-work'
import { onTestFinished } from 'vitest'
import type { AgentSnapshot, UsableLlmConfiguration } from '../../ports/agent-catalog.ts'
import type { JobStore } from '../../ports/job-store.ts'
import type { FinishOutcome, RunEnd, RunStore } from '../../ports/run-store.ts'
import type { RunRequest } from '../../run/run-request.ts'
import { NO_APPROVAL_LINKS, NO_APPROVALS } from '../../testing/no-approvals.ts'
import { NO_GUARDRAILS } from '../../testing/no-guardrails.ts'
import { NO_KNOWLEDGE, NO_RERANKING } from '../../testing/no-knowledge.ts'
import { NO_MEMORIES } from '../../testing/no-memories.ts'
import { NO_SKILLS } from '../../testing/no-skills.ts'
import { NO_TELEMETRY } from '../../testing/no-telemetry.ts'
import { NO_TOOLBOXES } from '../../testing/no-toolboxes.ts'
import { PLAIN_TOOL_CONTEXTS } from '../../testing/plain-tool-contexts.ts'
import { type ScriptStep, scriptedModels } from '../../testing/scripted-model.ts'
import { countedIds, idNamed } from '../../testing/test-ids.ts'
import { Runner } from '../runner.ts'

export const agentId = idNamed(AgentId, 'Ada')
const llmConfigId = idNamed(LlmConfigId, 'models')

export interface Setting {
  script?: ScriptStep[]
  config?: (config: AgentConfig) => void
  agent?: Partial<AgentSnapshot>
  store?: Partial<RunStore>
  configurations?: readonly UsableLlmConfiguration[]
  syncSeconds?: number
}

/** A runner of one agent with a scripted model; `ends` are the rows written. */
export function setUp({ script = [{ text: 'Hello' }], ...options }: Setting = {}) {
  const config = structuredClone(AGENT_CONFIG_DEFAULTS)
  options.config?.(config)
  const agent = {
    agentId,
    name: 'Ada',
    status: 'draft',
    projectId: null,
    config,
    ...options.agent,
  } as AgentSnapshot
  const model = { modelId: 'm', contextLength: 1_000, inputUsdPerMillion: 1, outputUsdPerMillion: 2 }
  const usable = { id: llmConfigId, projectId: null, models: [model], connection: { llmConfigId } }
  const ends: RunEnd[] = []
  const settled: RunEnd[] = []
  const store = {
    session: async () => null,
    start: async (run: { userId: string }) => ({ kind: 'started', ownerUserId: run.userId, sessionSeq: 1 }),
    finish: async (end: RunEnd): Promise<FinishOutcome> => {
      ends.push(end)
      return { finished: true }
    },
    settleCancelled: async (end: RunEnd) => void settled.push(end),
    appendEvents: async () => {},
    ...options.store,
  } as unknown as RunStore
  const signals = {
    publish: async () => {},
    subscribe: () => () => {},
    [Symbol.asyncDispose]: async () => {},
  }
  const jobs = { ended: async () => [], renewLeases: async () => {} } as unknown as JobStore
  const active = new ActiveTurns({
    ...{ store: jobs, signals, telemetry: NO_TELEMETRY, workerId: 'w' },
    cancelSignal: 'run_cancelled',
  })
  onTestFinished(() => active[Symbol.asyncDispose]())
  const models = scriptedModels(...script)
  const runner = new Runner({
    catalog: {
      agent: async () => agent,
      agentVersion: async () => agent,
      team: async () => null,
      teamVersion: async () => null,
      modelBudgets: async () => [],
      llmConfigurations: async () =>
        options.configurations ?? ([usable] as unknown as UsableLlmConfiguration[]),
    },
    models,
    memories: NO_MEMORIES,
    learner: { hurry() {} },
    toolboxes: NO_TOOLBOXES,
    guardrails: NO_GUARDRAILS,
    toolContexts: PLAIN_TOOL_CONTEXTS,
    knowledge: NO_KNOWLEDGE,
    reranking: NO_RERANKING,
    skills: NO_SKILLS,
    store,
    jobs,
    approvals: NO_APPROVALS,
    approvalLinks: NO_APPROVAL_LINKS,
    engine: {} as RunEngine,
    signals,
    telemetry: NO_TELEMETRY,
    active,
    now: () => Date.now(),
    newId: countedIds(),
    workerId: 'w',
    maxSeconds: 900,
    syncSeconds: options.syncSeconds ?? 30,
  })
  return { runner, active, ends, settled, models }
}

/** A synchronous request for the agent. */
export function request(change: Partial<RunRequest> = {}): RunRequest {
  return {
    scope: { organizationId: idNamed(OrganizationId, 'organization'), projectId: null },
    apiKeyId: idNamed(ApiKeyId, 'key'),
    kind: 'agent',
    entityId: agentId,
    message: 'Hi',
    sessionId: null,
    userId: null,
    includeMessages: false,
    tag: null,
    toolContext: {},
    output: null,
    source: 'api_sync',
    acceptedAt: Date.now(),
    idempotency: null,
    ...change,
  }
}
