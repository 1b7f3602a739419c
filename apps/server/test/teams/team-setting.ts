import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import {
  AGENT_CONFIG_DEFAULTS,
  AgentId,
  type CoordinationMode,
  checkedId,
  type LlmConfigId,
  type TeamId,
  type TeamJob,
  type TeamRunResult,
} from '@troupe/contract'
import type { ModelReply } from '@troupe/test-kit/model-server'
import { seedTeam } from '@troupe/test-kit/seed-team'
import type { TestAnswer } from '@troupe/test-kit/server'
import { expect } from 'vitest'
import { type EventReader, readEvents } from '../runs/event-reader.ts'
import { type RunSetting, startRunSetting } from '../runs/model-agent.ts'
import { type RecordedCall, type Role, roleOf } from './model-requests.ts'
import { recordRows, type WrittenRows } from './written-rows.ts'

type Line = ModelReply | string
/** The answers of one role: constant, in sequence and then an error, or by the request. */
export type Part = Line | readonly Line[] | ((call: RecordedCall, n: number) => Line | undefined)
/** The answers of each role. A role without any answers with an error. */
export type Cast = Partial<Record<Role, Part>>

/** A seeded team with the ids needed by its tests. */
export interface TestTeam {
  teamId: TeamId
  /** In builder order: `m1` first. */
  agentIds: AgentId[]
  /** The promoted lead; null for a managed one. */
  leadId: AgentId | null
  llmConfigId: LlmConfigId
}

/** The configuration of a test team. */
export interface TeamOptions {
  /** Names of the members; three by default. */
  members?: readonly string[]
  /** Below `config`: toggles, limits, … */
  config?: Record<string, unknown>
  /** Whether an agent leads. */
  promoted?: boolean
  /** Options of the model of the lead or of a member besides its primary: fallbacks, retry, mid_stream. */
  model?: Partial<Record<Role, Record<string, unknown>>>
  /** The configuration of a promoted lead beside its model. */
  leadConfig?: Record<string, unknown>
  /** The configuration of members beside their model. */
  memberConfig?: Record<string, unknown>
  project?: boolean
  /** Whether every role has a separate LLM configuration, so that the failures of one open no circuit of another. */
  apart?: boolean
}

/** A Troupe whose teams use a scripted model server, which identifies lead and members by their model id. */
export interface TeamSetting extends AsyncDisposable {
  runs: RunSetting
  server: RunSetting['server']
  model: RunSetting['model']
  origin: string
  /** Rows written by the runs: the ledger, members, ends. */
  rows: WrittenRows
  team(mode: CoordinationMode, options?: TeamOptions): Promise<TestTeam>
  /** Clears the records and sets the answers from now on. */
  play(cast: Cast): void
  /** Model calls since the last {@link TeamSetting.play}, oldest first; optionally of one role. */
  calls(role?: Role): RecordedCall[]
  call(target: string, request?: Parameters<RunSetting['server']['call']>[1]): Promise<TestAnswer>
  run(team: Pick<TestTeam, 'teamId'>, body: object, headers?: Record<string, string>): Promise<TestAnswer>
  /** The result of a synchronous run that must succeed. */
  result(team: Pick<TestTeam, 'teamId'>, body: object): Promise<TeamRunResult>
  stream(team: Pick<TestTeam, 'teamId'>, body: object, query?: string): Promise<EventReader>
  resume(
    team: Pick<TestTeam, 'teamId'>,
    runId: string,
    query?: string,
    headers?: Record<string, string>,
  ): Promise<EventReader>
  /** Starts a job and returns its id. */
  enqueue(team: Pick<TestTeam, 'teamId'>, body: object): Promise<string>
  /** The job once it has ended. */
  jobEnd(jobId: string): Promise<TeamJob>
}

const EVERY_CAUSE = ['error', 'rate_limit', 'timeout', 'context_overflow']

/** The model of a role: one attempt, so that a failure needs no retry pause. Fallbacks take over for every cause. */
function modelOf(role: Role, llmConfigId: LlmConfigId, more: Record<string, unknown> = {}) {
  const { model } = structuredClone(AGENT_CONFIG_DEFAULTS)
  const retry = { ...model.retry, attempts_per_model: 1, ...(more.retry as object) }
  const primary = {
    ...model.primary,
    llm_config_id: llmConfigId,
    model_id: role,
    ...(more.primary as object),
  }
  const fallbacks = ((more.fallbacks ?? []) as object[]).map((fallback) => ({ on: EVERY_CAUSE, ...fallback }))
  return { ...model, ...more, retry, primary, fallbacks }
}

/** Starts everything; every test file has its own. */
export async function startTeamSetting(
  options: Parameters<typeof startRunSetting>[0] = {},
): Promise<TeamSetting> {
  await using resources = new AsyncDisposableStack()
  const runs = resources.use(await startRunSetting(options))
  const { server, model } = runs
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  const rows = recordRows(server.context.database)
  const key = { 'x-api-key': server.seed.keys.organization }
  const owned = resources.move()
  const setting: TeamSetting = {
    runs,
    server,
    model,
    origin,
    rows,
    async team(mode, given = {}) {
      const { members = ['Ada', 'Ben', 'Cleo'], config = {}, promoted = false, project = false } = given
      const llmConfigId = await runs.connect(model.url)
      const roles: Role[] = ['lead', ...members.map((_, index) => `m${index + 1}` as Role)]
      const own = new Map<Role, LlmConfigId>()
      if (given.apart) for (const role of roles) own.set(role, await runs.connect(model.url))
      const configured = (role: Role) => modelOf(role, own.get(role) ?? llmConfigId, given.model?.[role])
      const lead = promoted
        ? await runs.agent(
            { instructions: 'You lead.', ...given.leadConfig, model: configured('lead') },
            { name: 'Lena', description: 'Leads.' },
          )
        : null
      const seeded = await seedTeam(server.context.database, {
        organizationId: server.seed.organizationId,
        projectId: project ? server.seed.projectId : null,
        members,
        memberConfig: (name) => ({
          instructions: `You are ${name}.`,
          ...given.memberConfig,
          model: configured(`m${members.indexOf(name) + 1}` as Role),
        }),
        config: {
          mode,
          lead: lead
            ? { agent: lead.agentId }
            : { managed: { instructions: 'You lead.', model: configured('lead') } },
          ...config,
        },
      })
      server.context.catalog.forget(server.seed.organizationId)
      return { ...seeded, leadId: lead ? checkedId(AgentId, lead.agentId) : null, llmConfigId }
    },
    play(cast) {
      model.reset()
      const counts = new Map<Role, number>()
      model.respond((request) => {
        const role = roleOf(request)
        const n = counts.get(role) ?? 0
        counts.set(role, n + 1)
        const part = cast[role]
        const line =
          typeof part === 'function'
            ? part(request, n)
            : Array.isArray(part)
              ? (part as readonly Line[])[n]
              : (part as Line | undefined)
        return line ?? { status: 500, body: { error: { message: `${role} has no line ${n}` } } }
      })
    },
    calls: (role) =>
      model.requests.filter(
        (request) =>
          request.path.endsWith('/chat/completions') && (role === undefined || roleOf(request) === role),
      ),
    call: server.call,
    run: ({ teamId }, body, headers = {}) =>
      server.call(`POST /api/v1/teams/${teamId}/run-sync`, { body, headers }),
    async result(team, body) {
      const answer = await setting.run(team, body)
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
      return answer.body as TeamRunResult
    },
    stream: ({ teamId }, body, query = '') =>
      readEvents(`${origin}/api/v1/teams/${teamId}/run-stream${query}`, {
        method: 'POST',
        headers: { ...key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    resume: ({ teamId }, runId, query = '', headers = {}) =>
      readEvents(`${origin}/api/v1/teams/${teamId}/runs/${runId}/stream${query}`, {
        headers: { ...key, ...headers },
      }),
    async enqueue({ teamId }, body) {
      const answer = await server.call(`POST /api/v1/teams/${teamId}/run-async`, { body })
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 202 })
      return (answer.body as TeamJob).jobId
    },
    async jobEnd(jobId) {
      let job: TeamJob | null = null
      await expect
        .poll(
          async () => {
            job = (await server.call(`GET /api/v1/team-jobs/${jobId}`)).body as TeamJob
            return job.completedAt
          },
          { timeout: 10_000, interval: 20 },
        )
        .not.toBeNull()
      return job as unknown as TeamJob
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
  return setting
}

/** An unused session id. */
export const newSession = (): string => `session-${randomUUID()}`
