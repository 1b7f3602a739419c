import {
  AgentId,
  AgentVersionId,
  checkedId,
  DomainError,
  type OrganizationId,
  type TeamVersionId,
} from '@troupe/contract'
import { modelOwner } from '../chain/model-owner.ts'
import { chainProblem, type ResolvedChain, resolveChain } from '../chain/resolve-chain.ts'
import { guardedHistory } from '../guardrails/given-history.ts'
import { rootMessage, withGuardrails } from '../guardrails/with-guardrails.ts'
import { withKnowledge } from '../knowledge/agent-knowledge.ts'
import { ownerOf, recalled } from '../memory/recall.ts'
import { replayedSession } from '../memory/replayed-session.ts'
import { historyLimits } from '../memory/session.ts'
import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { SessionState } from '../ports/session-state.ts'
import type { ActingAgent } from '../run/acting-agent.ts'
import type { RunRows } from '../run/dependencies.ts'
import { pricesOf } from '../run/estimate-call.ts'
import type { RunContext } from '../run/run-context.ts'
import { RunFailure } from '../run/run-failure.ts'
import type { RunRequest } from '../run/run-request.ts'
import type { PreparedRun, RunSubject, WorkResult } from '../run/subject.ts'
import { agentLoop, type LoopRequest } from './agent-loop.ts'
import { openAgentTools } from './agent-tools.ts'
import { configuredOutput } from './configured-output.ts'
import { loopLimitsOf } from './loop-limits.ts'
import { buildPrompt, type PromptParts } from './prompt.ts'
import { orSpent } from './spent-budget.ts'
import { structuredAnswer } from './structured-answer.ts'

/** The prompt of an agent that answers a session's next message. */
function promptOf(
  agent: AgentSnapshot,
  state: SessionState | null,
  message: string,
  more: Pick<PromptParts, 'skills' | 'memories' | 'voice' | 'now' | 'explain'>,
) {
  const history = state?.history ?? []
  return buildPrompt({ agent, summary: state?.summary?.text ?? null, history, message, ...more })
}

/**
 * An agent as the subject of a run. Without a chain (the configuration of a job was disconnected or changed since), it
 * fails with the sentence `noChain`.
 */
function agentSubject(agent: AgentSnapshot, resolved: ResolvedChain | null, noChain: string): RunSubject {
  const author = { agentId: agent.agentId, name: agent.name }
  return {
    kind: 'agent',
    entityId: agent.agentId,
    entityVersionId: agent.versionId,
    name: agent.name,
    organizationId: agent.organizationId,
    projectId: agent.projectId,
    pins: null,
    storeMessages: agent.config.privacy.store_messages,
    maxSeconds: agent.config.execution.max_seconds,
    memory: agent.config.memory,
    budget: agent.config.execution.budget,
    resolved,
    chains: resolved ? [resolved] : [],
    author,
    started: { kind: 'agent', agentId: agent.agentId, agentName: agent.name },
    async work(ctx: RunContext, run: PreparedRun): Promise<WorkResult> {
      if (!resolved) throw new RunFailure(noChain)
      const actor: ActingAgent = {
        role: 'agent',
        agentId: agent.agentId,
        name: agent.name,
        runId: ctx.identity.runId,
        isMember: false,
        resolved,
        exposeReasoning: agent.config.privacy.expose_reasoning,
        spent: { inputTokens: 0, outputTokens: 0, failoverUsed: false },
      }
      const output = run.request.output ?? configuredOutput(agent)
      const guarded = { actor, projectId: agent.projectId, rules: agent.config.guardrails, keyPrefix: '' }
      const ended = await withGuardrails(ctx, guarded, {
        ...rootMessage(ctx.output, run.request.message),
        async perform(inner, message) {
          const { signal } = inner
          await using toolbox = await openAgentTools(inner, actor, agent, {
            level: 'root',
            keyPrefix: '',
            signal,
          })
          const limits = historyLimits(agent.config.memory, resolved)
          const toolRuns = toolbox.tools.length === 0 ? 0 : limits.toolRuns
          const given = await guardedHistory(inner, guarded, run.state)
          const state = await replayedSession(inner, given, { ...limits, toolRuns })
          const asked = await withKnowledge(inner, actor, agent, { message, keyPrefix: '', signal })
          const request: LoopRequest = {
            actor,
            keyPrefix: '',
            purpose: 'chat',
            prompt: promptOf(agent, state, asked, {
              skills: toolbox.skills,
              memories: await recalled(inner, ownerOf(agent), ''),
              ...(ctx.identity.voice && { voice: ctx.identity.voice }),
              now: ctx.now(),
              ...(ctx.output.explain && { explain: ctx.output.explain }),
            }),
            tools: toolbox.tools,
            limits: loopLimitsOf(agent),
            channel: 'answer',
            transcript: ctx.output.transcript,
          }
          const { result, spent } = await orSpent(inner, actor, () =>
            output ? structuredAnswer(inner, request, output) : agentLoop(inner, request),
          )
          return result ?? { ...spent, finishReason: 'content-filter' as const }
        },
      })
      const success = !ended.blocked && ended.result.finishReason !== 'content-filter'
      return { success, author, plan: null }
    },
  }
}

/**
 * Checks a request in the contract's order and freezes the agent. With warm caches this reads nothing.
 *
 * @throws DomainError `agent_not_found`, `forbidden`, `agent_archived`, `llm_configuration_not_found`,
 * `model_price_missing`.
 */
export async function findAgentSubject(
  deps: Pick<RunRows, 'catalog'>,
  request: RunRequest,
): Promise<RunSubject> {
  const { organizationId, projectId } = request.scope
  const agent = await (request.versionId
    ? deps.catalog.agentVersion(organizationId, checkedId(AgentVersionId, request.versionId))
    : deps.catalog.agent(organizationId, checkedId(AgentId, request.entityId)))
  if (!agent) throw new DomainError('agent_not_found', 'Agent not found in this organization.')
  if (projectId !== null && agent.projectId !== projectId) {
    throw new DomainError('forbidden', 'The agent does not belong to the project of this API key.')
  }
  if (agent.status === 'archived') {
    throw new DomainError('agent_archived', 'The agent is archived. Reopen it to run it again.')
  }
  const configurations = await deps.catalog.llmConfigurations(organizationId)
  const resolved = resolveChain(modelOwner(agent), configurations)
  const noChain = resolved ? '' : `The agent ${chainProblem(modelOwner(agent), configurations)}.`
  if (!resolved) throw new DomainError('llm_configuration_not_found', noChain)
  if (agent.config.execution.budget.max_cost_usd !== null && pricesOf(resolved) === null) {
    throw new DomainError('model_price_missing', 'A cost budget needs a price for every model of the agent.')
  }
  return agentSubject(agent, resolved, noChain)
}

/** The agent of a job in the version that the job was accepted with; null if it no longer exists. */
export async function findPinnedAgentSubject(
  { catalog }: Pick<RunRows, 'catalog'>,
  job: { organizationId: OrganizationId; entityVersionId: AgentVersionId | TeamVersionId },
): Promise<RunSubject | null> {
  const version = checkedId(AgentVersionId, job.entityVersionId)
  const agent = await catalog.agentVersion(job.organizationId, version)
  if (!agent) return null
  const configurations = await catalog.llmConfigurations(job.organizationId)
  const resolved = resolveChain(modelOwner(agent), configurations)
  return agentSubject(
    agent,
    resolved,
    resolved ? '' : `The agent ${chainProblem(modelOwner(agent), configurations)}.`,
  )
}
