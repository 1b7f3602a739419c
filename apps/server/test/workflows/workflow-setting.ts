import { checkedId, type WorkflowId, WorkflowRunId } from '@troupe/contract'
import { node } from '@troupe/test-kit/graph-parts'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import type { TestAnswer, TestServer } from '@troupe/test-kit/server'
import { expect } from 'vitest'
import { JobSetting } from '../jobs/job-setting.ts'
import { instructionsOf, messageOf, type ScriptedCrew, type SubjectName } from '../jobs/scripted-crew.ts'

/** A run as the poll returns it. */
export interface PolledRun {
  executionId: string
  status: string
  startedAt: number | null
  completedAt: number | null
  error: string | null
  statusReason: string | null
}

const IN_FLIGHT = ['queued', 'running', 'paused', 'awaiting_approval']
/** The message of every node to the crew: the run that it is for. */
const MESSAGE = messageOf('{{ trigger.tag }}')

/** A server with workflows whose models, agents and teams are played by a scripted crew. */
export class WorkflowSetting implements AsyncDisposable {
  readonly jobs: JobSetting

  private constructor(jobs: JobSetting) {
    this.jobs = jobs
  }

  static async start(options: Parameters<typeof JobSetting.start>[0] = {}): Promise<WorkflowSetting> {
    return new WorkflowSetting(await JobSetting.start(options))
  }

  get server(): TestServer {
    return this.jobs.server
  }

  get crew(): ScriptedCrew {
    return this.jobs.crew
  }

  /** A node that calls the crew under its own id; `config` takes precedence over its own. */
  prompt(id: string, config: object = {}, parentId?: string) {
    const model = this.#model()
    return node(id, 'ai-prompt', { model, system: instructionsOf(id), prompt: MESSAGE, ...config }, parentId)
  }

  /** A node whose text the crew assigns to no class. */
  classify(id: string, config: object = {}) {
    const classes = [{ id: 'a', name: 'A' }]
    const asked = { model: this.#model(), instructions: instructionsOf(id), text: MESSAGE }
    return node(id, 'classify', { ...asked, classes, ...config })
  }

  agent(id: string, config: object = {}, parentId?: string) {
    const { id: agentId } = this.jobs.subjects.agent
    return node(id, 'ai-agent', { agentId, message: MESSAGE, ...config }, parentId)
  }

  team(id: string, mode: Exclude<SubjectName, 'agent'>) {
    return node(id, 'team-step', { teamId: this.jobs.subjects[mode].id, message: MESSAGE })
  }

  #model() {
    return { primary: { llm_config_id: this.jobs.runs.llmConfigId }, retry: { attempts_per_model: 1 } }
  }

  publish(graph: unknown): Promise<WorkflowId> {
    const { context, seed } = this.server
    return seedWorkflow(context.database, { organizationId: seed.organizationId, projectId: null, graph })
  }

  call(target: string, body?: object, on: TestServer = this.server): Promise<TestAnswer> {
    return on.call(target, { key: this.server.seed.keys.organization, ...(body && { body }) })
  }

  run(workflowId: string, tag: string, on?: TestServer): Promise<TestAnswer> {
    return this.call(`POST /api/v1/workflows/${workflowId}/run`, { input: { tag } }, on)
  }

  async start(workflowId: string, tag: string, on?: TestServer): Promise<WorkflowRunId> {
    const accepted = await this.call(`POST /api/v1/workflows/${workflowId}/run-async`, { input: { tag } }, on)
    expect(accepted.status).toBe(202)
    return checkedId(WorkflowRunId, (accepted.body as PolledRun).executionId)
  }

  async poll(executionId: string, on?: TestServer): Promise<PolledRun> {
    const answer = await this.call(`GET /api/v1/workflow-jobs/${executionId}`, undefined, on)
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as PolledRun
  }

  change(executionId: string, to: 'cancel' | 'pause' | 'resume', on?: TestServer): Promise<TestAnswer> {
    return this.call(`POST /api/v1/workflow-jobs/${executionId}/${to}`, undefined, on)
  }

  /** Polls until the run has ended. */
  async untilEnded(executionId: string, timeout = 15_000): Promise<PolledRun> {
    await this.untilStatus(executionId, (status) => !IN_FLIGHT.includes(status), timeout)
    return this.poll(executionId)
  }

  async untilStatus(executionId: string, isIt: (status: string) => boolean, timeout = 15_000): Promise<void> {
    await expect
      .poll(
        async () => {
          const { status } = await this.poll(executionId)
          return isIt(status) ? 'it is' : status
        },
        { interval: 10, timeout },
      )
      .toBe('it is')
  }

  /** The outcome of the run. */
  async output(executionId: string): Promise<unknown> {
    const { body } = await this.call(`GET /api/v1/workflow-jobs/${executionId}/result`)
    return (body as { output: unknown }).output
  }

  /** The trace, in order. */
  async nodes(executionId: string) {
    const { body } = await this.call(`GET /api/v1/workflow-jobs/${executionId}/nodes?limit=100`)
    return (body as { data: { nodeId: string; status: string; attempts: number; error: string | null }[] })
      .data
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.jobs[Symbol.asyncDispose]()
  }
}
