import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import {
  AGENT_CONFIG_DEFAULTS,
  type AgentJob,
  checkedId,
  RunId,
  type StreamEvent,
  type TeamJob,
} from '@troupe/contract'
import { seedTeam } from '@troupe/test-kit/seed-team'
import type { TestAnswer, TestServer } from '@troupe/test-kit/server'
import { expect } from 'vitest'
import { type EventReader, readEvents } from '../runs/event-reader.ts'
import { type RunSetting, startRunSetting } from '../runs/model-agent.ts'
import { instructionsOf, messageOf, ScriptedCrew, SUBJECTS, type SubjectName } from './scripted-crew.ts'

export type Job = AgentJob & TeamJob

/** A kind of job, with its paths. */
export interface Subject {
  name: SubjectName
  kind: 'agent' | 'team'
  id: string
  /** `/api/v1/agents/<id>` or `/api/v1/teams/<id>`. */
  path: string
  /** `/api/v1/jobs` or `/api/v1/team-jobs`. */
  jobs: string
}

/** Usually immediate; slower on a busy machine. */
export const EVENTUALLY = { interval: 5, timeout: 10_000 }

const TERMINAL = ['completed', 'failed', 'timeout', 'cancelled']

/** The paths of an agent or a team. */
export function subjectOf(name: SubjectName, id: string): Subject {
  return name === 'agent'
    ? { name, kind: 'agent', id, path: `/api/v1/agents/${id}`, jobs: '/api/v1/jobs' }
    : { name, kind: 'team', id, path: `/api/v1/teams/${id}`, jobs: '/api/v1/team-jobs' }
}

/** A server with an agent and a team of each mode, all answered by a scripted crew. */
export class JobSetting implements AsyncDisposable {
  readonly runs: RunSetting
  readonly crew: ScriptedCrew
  readonly subjects: Readonly<Record<SubjectName, Subject>>
  readonly agentIds: readonly string[]
  #origin: string | null = null

  private constructor(runs: RunSetting, subjects: Record<SubjectName, Subject>, agentIds: readonly string[]) {
    this.runs = runs
    this.crew = new ScriptedCrew(runs.model)
    this.subjects = subjects
    this.agentIds = agentIds
  }

  static async start(options: Parameters<typeof startRunSetting>[0] = {}): Promise<JobSetting> {
    const runs = await startRunSetting(options)
    const primary = { llm_config_id: runs.llmConfigId }
    const retry = { attempts_per_model: 1 }
    const agent = await runs.agent({ instructions: instructionsOf('Ada'), model: { retry } })
    const subjects = { agent: subjectOf('agent', agent.agentId) } as Record<SubjectName, Subject>
    const agentIds: string[] = []
    for (const mode of SUBJECTS.filter((name) => name !== 'agent')) {
      const team = await seedTeam(runs.server.context.database, {
        organizationId: runs.server.seed.organizationId,
        projectId: null,
        name: `Team ${mode}`,
        config: {
          mode,
          lead: { managed: { instructions: instructionsOf(`lead of ${mode}`), model: { primary, retry } } },
        },
        memberConfig: (name) => ({
          instructions: instructionsOf(name),
          model: {
            ...AGENT_CONFIG_DEFAULTS.model,
            primary: { ...AGENT_CONFIG_DEFAULTS.model.primary, ...primary },
            retry: { ...AGENT_CONFIG_DEFAULTS.model.retry, ...retry },
          },
        }),
      })
      subjects[mode] = subjectOf(mode, team.teamId)
      agentIds.push(...team.agentIds)
    }
    return new JobSetting(runs, subjects, agentIds)
  }

  get server(): TestServer {
    return this.runs.server
  }

  /** Sends the request for a job; the message contains its tag. */
  enqueue(
    subject: Subject,
    tag: string,
    more: { body?: object; headers?: Record<string, string>; on?: TestServer } = {},
  ): Promise<TestAnswer> {
    const { body = {}, headers = {}, on = this.server } = more
    const key = this.server.seed.keys.organization
    return on.call(`POST ${subject.path}/run-async`, {
      key,
      headers,
      body: { message: messageOf(tag), ...body },
    })
  }

  /** An accepted job, by its id. */
  async start(subject: Subject, tag: string, body: object = {}): Promise<RunId> {
    const accepted = await this.enqueue(subject, tag, { body })
    if (accepted.status !== 202) throw new Error(JSON.stringify(accepted.body))
    return checkedId(RunId, (accepted.body as Job).jobId)
  }

  async poll({ jobs }: Subject, jobId: string, on: TestServer = this.server): Promise<Job> {
    const answer = await on.call(`GET ${jobs}/${jobId}`, { key: this.server.seed.keys.organization })
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as Job
  }

  /** Polls like a caller, until the job has ended. */
  async untilEnded(subject: Subject, jobId: string, timeout = 15_000): Promise<Job> {
    let job = await this.poll(subject, jobId)
    await expect
      .poll(
        async () => {
          job = await this.poll(subject, jobId)
          return TERMINAL.includes(job.status) ? 'ended' : job.status
        },
        { interval: 10, timeout },
      )
      .toBe('ended')
    return job
  }

  cancel({ jobs }: Subject, jobId: string, on: TestServer = this.server): Promise<TestAnswer> {
    return on.call(`POST ${jobs}/${jobId}/cancel`, { key: this.server.seed.keys.organization })
  }

  cancelRun({ path }: Subject, runId: string, on: TestServer = this.server): Promise<TestAnswer> {
    return on.call(`DELETE ${path}/runs/${runId}`, { key: this.server.seed.keys.organization })
  }

  /** Opens a job's stream over a real connection. */
  async stream(
    subject: Subject,
    jobId: string,
    more: { headers?: Record<string, string>; query?: string; origin?: string } = {},
  ): Promise<EventReader> {
    const { headers = {}, query = '?detail=full', origin = await this.origin() } = more
    return readEvents(`${origin}${subject.path}/runs/${jobId}/stream${query}`, {
      headers: { 'x-api-key': this.server.seed.keys.organization, ...headers },
    })
  }

  /** The whole log of a job that has ended. */
  async log(subject: Subject, jobId: string): Promise<StreamEvent[]> {
    const reader = await this.stream(subject, jobId)
    await reader.ended
    return reader.events
  }

  /** The address of this server, which listens from the first call on. */
  async origin(): Promise<string> {
    this.#origin ??= await listen(this.server)
    return this.#origin
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runs[Symbol.asyncDispose]()
  }
}

/** Lets a test server listen on a free port. */
export async function listen(server: TestServer): Promise<string> {
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
}

/** A unique tag of a job. */
export function newTag(): string {
  return randomUUID().slice(0, 8)
}
