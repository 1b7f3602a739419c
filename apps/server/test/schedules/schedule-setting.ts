import { TestClock } from '@troupe/agents/testing/test-clock'
import type { NewId, WorkflowSchedule } from '@troupe/contract'
import { type PublishWorkflowParts, publishWorkflow } from '@troupe/operations/publishing/publish-workflow'
import { listSchedules } from '@troupe/operations/triggers/list-schedules'
import { createWorkflow } from '@troupe/operations/workflows/create-workflow'
import { updateWorkflow } from '@troupe/operations/workflows/update-workflow'
import type { Actor, Database } from '@troupe/storage'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { expect, vi } from 'vitest'

export const BUILDER: Actor = { kind: 'system', id: null, ip: null, requestId: null }
export const HOUR = 3_600_000
const EVENTUALLY = { timeout: 15_000 }

/** A server whose schedules use a clock set by tests. */
export class ScheduleSetting implements AsyncDisposable {
  readonly server: TestServer
  readonly clock: TestClock
  readonly parts: PublishWorkflowParts & { database: Database; newId: NewId }
  readonly scope: { organizationId: TestServer['seed']['organizationId']; projectId: null }

  constructor(server: TestServer, clock: TestClock) {
    const { database, configChanges, secretBox: box, passwords, newId } = server.context
    this.server = server
    this.clock = clock
    this.parts = { database, configChanges, box, passwords, now: () => clock.now(), newId }
    this.scope = { organizationId: server.seed.organizationId, projectId: null }
  }

  static async start(): Promise<ScheduleSetting> {
    const clock = new TestClock()
    return new ScheduleSetting(await startTestServer({ overrides: { clock } }), clock)
  }

  /** A published workflow of the seeded organization. */
  async publish(draft: object): Promise<string> {
    const body = { name: 'Report', draft: draft as Record<string, unknown> }
    const { workflowId } = await createWorkflow(this.parts, this.scope, BUILDER, body)
    await publishWorkflow(this.parts, this.scope, BUILDER, workflowId)
    return workflowId
  }

  /** Publishes a different graph of the workflow. */
  async republish(workflowId: string, draft: object, draftRevision: number): Promise<void> {
    const body = { draft: draft as Record<string, unknown>, draftRevision }
    await updateWorkflow(this.parts, this.scope, BUILDER, workflowId, body)
    await publishWorkflow(this.parts, this.scope, BUILDER, workflowId)
  }

  list(workflowId: string): Promise<WorkflowSchedule[]> {
    return listSchedules(this.parts.database.read, this.scope, workflowId, this.clock.now())
  }

  /** Sets the clock to a moment after the next fire of a node. @returns the planned time */
  async passNextFire(workflowId: string, nodeId = 'every'): Promise<number> {
    const schedule = (await this.list(workflowId)).find((one) => one.nodeId === nodeId)
    const planned = Date.parse(schedule?.nextFires[0] ?? '')
    this.clock.moveTo(planned + 500)
    return planned
  }

  /** The ledger of a workflow, oldest first, once it has this many rows. */
  async fires(workflowId: string, rows: number) {
    return vi.waitFor(async () => {
      await this.server.context.scheduler.turn()
      const { database } = this.parts
      const fires = await database.read.schedules.fires(this.scope.organizationId, workflowId as never, 100)
      expect(fires).toHaveLength(rows)
      return fires.toReversed()
    }, EVENTUALLY)
  }

  /** The run in the API's format, once it has ended. */
  async ended(executionId: string | null | undefined) {
    return vi.waitFor(async () => {
      const { status, body } = await this.server.call(`GET /api/v1/workflow-jobs/${executionId}/result`)
      expect(status).toBe(200)
      return body as { status: string; output: unknown; error: string | null }
    }, EVENTUALLY)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]()
  }
}

/** A Recurrence node. */
export function every(id: string, config: object = { mode: 'cron', cron: '@hourly' }) {
  return { id, type: 'recurrence', name: id, position: { x: 0, y: 0 }, config }
}
