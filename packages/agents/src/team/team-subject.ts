import {
  type AgentConfig,
  checkedId,
  DomainError,
  type OrganizationId,
  TeamId,
  TeamVersionId,
} from '@troupe/contract'
import { configuredOutput, requestedOutput } from '../agent/configured-output.ts'
import { orSpent } from '../agent/spent-budget.ts'
import { guardedHistory } from '../guardrails/given-history.ts'
import { rootMessage, withGuardrails } from '../guardrails/with-guardrails.ts'
import { knowledgeBlock } from '../knowledge/agent-knowledge.ts'
import { type MemoryOwner, recalled } from '../memory/recall.ts'
import { replayedHistory } from '../memory/replayed-history.ts'
import { replayedSession } from '../memory/replayed-session.ts'
import { historyLimits } from '../memory/session.ts'
import type { ClaimedJob } from '../ports/job-store.ts'
import type { RequestedOutput } from '../ports/requested-output.ts'
import type { SessionState } from '../ports/session-state.ts'
import type { ActingAgent } from '../run/acting-agent.ts'
import type { RunRows } from '../run/dependencies.ts'
import type { RunContext, RunIdentity } from '../run/run-context.ts'
import { RunFailure } from '../run/run-failure.ts'
import type { RunRequest } from '../run/run-request.ts'
import type { PreparedRun, RunSubject, WorkResult } from '../run/subject.ts'
import { DELEGATE_TOOL } from './decisions/delegate-tool.ts'
import { type FrozenTeam, freezeTeam, pinsOf } from './members/freeze-team.ts'
import type { TeamRun } from './members/team-run.ts'
import { MODES } from './modes/modes.ts'

/** The team's rules, else those of its promoted lead. */
function rulesOf({ snapshot, lead }: FrozenTeam): AgentConfig['guardrails'] {
  const { guardrails } = snapshot.config
  const isGuarded = guardrails.input.length > 0 || guardrails.output.length > 0
  return isGuarded ? guardrails : (lead.agent?.config.guardrails ?? guardrails)
}

/** The JSON that the team's configuration requires of its answer, else its promoted lead's; null for text. */
function outputOf({ snapshot, lead }: FrozenTeam): RequestedOutput | null {
  const own = requestedOutput(snapshot.config.output)
  return own ?? (lead.agent ? configuredOutput(lead.agent) : null)
}

/** The lead as an actor that calls models. */
function leadActor({ lead }: FrozenTeam, { runId }: RunIdentity): ActingAgent {
  if (!lead.resolved) throw new RunFailure(`The team's lead ${lead.noChain}.`)
  return {
    role: 'lead',
    agentId: lead.agent?.agentId ?? null,
    name: lead.name,
    runId,
    isMember: false,
    resolved: lead.resolved,
    exposeReasoning: lead.agent?.config.privacy.expose_reasoning ?? false,
    spent: { inputTokens: 0, outputTokens: 0, failoverUsed: false },
  }
}

/**
 * Passages about the message from the knowledge of a promoted lead. In dynamic delegation the lead searches by itself;
 * in the other modes its calls have no tools.
 */
async function leadKnowledge(
  ctx: RunContext,
  actor: ActingAgent,
  { snapshot, lead, members, self }: FrozenTeam,
  message: string,
): Promise<string | null> {
  const { mode } = snapshot.config
  const isAsked = mode !== 'handoff' || members.length + (self ? 1 : 0) > 1
  if (!lead.agent || mode === 'dynamic-delegation' || !isAsked) return null
  return knowledgeBlock(ctx, actor, lead.agent, { message, keyPrefix: '', signal: ctx.signal })
}

/** Texts pass between members and the lead: if one agent must not store messages, the run stores none. */
function keepsTexts({ members, self }: FrozenTeam): boolean {
  const agents = self ? [...members, self] : members
  return agents.every(({ agent }) => agent.config.privacy.store_messages)
}

/** Reads a member's earlier work in a session of its team; null without a stored session. */
function memberHistoryIn(
  store: RunRows['store'],
  { members, self }: FrozenTeam,
  state: SessionState | null,
): TeamRun['memberHistory'] {
  const sessionRowId = state?.sessionRowId
  if (!sessionRowId) return null
  return async (agentId) => {
    const agents = self ? [...members, self] : members
    const member = agents.find(({ agent }) => agent.agentId === agentId)
    if (!member) return []
    const limits = historyLimits(member.agent.config.memory, member.resolved)
    if (limits.maxRuns === 0) return []
    return replayedHistory(await store.memberHistory(sessionRowId, agentId, limits), limits)
  }
}

/** Only a promoted lead in dynamic delegation has its own tools, so no other lead sees earlier tool calls. */
function memoryOf({ snapshot, lead }: FrozenTeam): AgentConfig['memory'] {
  const { mode, memory } = snapshot.config
  const hasTools = mode === 'dynamic-delegation' && lead.agent !== null
  return hasTools ? memory : { ...memory, history: { ...memory.history, tool_traffic_runs: 0 } }
}

/** The session without delegations: the members' work is not part of a lead's history. */
function withoutDelegations(state: SessionState | null): SessionState | null {
  const history = state?.history.map((run) => ({
    ...run,
    steps: (run.steps ?? []).flatMap((step) => {
      const calls = step.calls.filter(({ name }) => name !== DELEGATE_TOOL)
      // The state of a step belongs to all of its calls.
      const state = calls.length === step.calls.length ? (step.state ?? null) : null
      return calls.length === 0 ? [] : [{ ...step, calls, state }]
    }),
  }))
  return state && history ? { ...state, history } : null
}

/** A team as the subject of a run. */
function teamSubject(deps: RunRows, team: FrozenTeam): RunSubject {
  const { snapshot, lead } = team
  const { config } = snapshot
  const memory = memoryOf(team)
  return {
    kind: 'team',
    entityId: snapshot.teamId,
    entityVersionId: snapshot.versionId,
    name: snapshot.name,
    organizationId: snapshot.organizationId,
    projectId: snapshot.projectId,
    pins: pinsOf(team),
    storeMessages: keepsTexts(team),
    maxSeconds: config.limits.max_seconds,
    memory,
    budget: config.limits.budget,
    resolved: lead.resolved,
    chains: [lead, ...team.members, ...(team.self ? [team.self] : [])].flatMap(
      ({ resolved }) => resolved ?? [],
    ),
    author: { agentId: lead.agent?.agentId ?? null, name: lead.name },
    started: { kind: 'team', teamId: snapshot.teamId, teamName: snapshot.name, mode: config.mode },
    async work(ctx: RunContext, { request, state }: PreparedRun) {
      const rules = rulesOf(team)
      const isHandoff = config.mode === 'handoff'
      const owner: MemoryOwner = {
        organizationId: snapshot.organizationId,
        projectId: snapshot.projectId,
        kind: 'team',
        entityId: snapshot.teamId,
        settings: config.memory.user_memories,
      }
      const run: Omit<TeamRun, 'ctx' | 'message' | 'knowledge'> = {
        memories: await recalled(ctx, owner, ''),
        team,
        lead: leadActor(team, ctx.identity),
        state,
        output: request.output ?? outputOf(team),
        memberRules: isHandoff ? rules.output : null,
        startedAt: request.acceptedAt,
        memberTimeoutMs: config.limits.member_timeout_ms,
        memberHistory: config.members_keep_own_history ? memberHistoryIn(deps.store, team, state) : null,
      }
      const guarded = {
        actor: run.lead,
        projectId: snapshot.projectId,
        // In a handoff the member's text is the answer, so it is checked before its own events contain it.
        rules: isHandoff ? { ...rules, output: [] } : rules,
        keyPrefix: '',
      }
      const author = { agentId: run.lead.agentId, name: run.lead.name }
      const refusal: WorkResult = { success: false, author, plan: null }
      const ended = await withGuardrails(ctx, guarded, {
        ...rootMessage(ctx.output, request.message),
        async perform(inner, message) {
          const given = await guardedHistory(inner, guarded, state)
          const limits = historyLimits(memory, lead.resolved)
          const history = await replayedSession(inner, withoutDelegations(given), limits)
          const { result } = await orSpent(inner, run.lead, async () => {
            const knowledge = await leadKnowledge(inner, run.lead, team, message)
            return MODES[config.mode]({ ...run, state: history, ctx: inner, message, knowledge })
          })
          return { ...(result ?? refusal), text: inner.output.answer.text, messageId: null }
        },
      })
      return ended.blocked ? refusal : ended.result
    },
  }
}

/**
 * Checks a request in the contract's order and freezes the team with its agents. With warm caches this reads
 * nothing.
 *
 * @throws DomainError `team_not_found`, `forbidden`.
 */
export async function findTeamSubject(deps: RunRows, request: RunRequest): Promise<RunSubject> {
  const { organizationId, projectId } = request.scope
  const snapshot = await (request.versionId
    ? deps.catalog.teamVersion(organizationId, checkedId(TeamVersionId, request.versionId))
    : deps.catalog.team(organizationId, checkedId(TeamId, request.entityId)))
  if (!snapshot) throw new DomainError('team_not_found', 'Team not found in this organization.')
  if (projectId !== null && snapshot.projectId !== projectId) {
    throw new DomainError('forbidden', 'The team does not belong to the project of this API key.')
  }
  return teamSubject(deps, await freezeTeam(deps.catalog, snapshot, null))
}

/** The team of a job, and its agents, in the versions that the job was accepted with; null if it no longer exists. */
export async function findPinnedTeamSubject(
  deps: RunRows,
  job: Pick<ClaimedJob, 'entityVersionId' | 'pins'> & { organizationId: OrganizationId },
): Promise<RunSubject | null> {
  const version = checkedId(TeamVersionId, job.entityVersionId)
  const snapshot = await deps.catalog.teamVersion(job.organizationId, version)
  return snapshot && teamSubject(deps, await freezeTeam(deps.catalog, snapshot, job.pins))
}
