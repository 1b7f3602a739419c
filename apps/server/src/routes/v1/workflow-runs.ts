import type { Clock } from '@troupe/agents/ports'
import { type IdText, OPERATIONS, type WorkflowId } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import type { Principal } from '@troupe/operations/access/principal'
import { cancelWorkflowJob } from '@troupe/operations/workflow-runs/cancel-workflow-job'
import { getWorkflowJob } from '@troupe/operations/workflow-runs/get-workflow-job'
import { getWorkflowJobResult } from '@troupe/operations/workflow-runs/get-workflow-job-result'
import { listWorkflowJobNodes } from '@troupe/operations/workflow-runs/list-workflow-job-nodes'
import { pauseWorkflowJob } from '@troupe/operations/workflow-runs/pause-workflow-job'
import { resumeWorkflowJob } from '@troupe/operations/workflow-runs/resume-workflow-job'
import { workflowRunRequest } from '@troupe/operations/workflow-runs/workflow-run-request'
import type { Database } from '@troupe/storage'
import type { FastifyRequest } from 'fastify'
import type { Workflows } from '../../wiring/create-workflows.ts'

/** Dependencies of the workflow-run routes. */
export interface WorkflowRunRoutes {
  workflows: Workflows
  database: Pick<Database, 'workflowRuns'>
  clock: Clock
}

/** Registers the routes that run workflows and read their runs. */
export function registerWorkflowRuns(app: App, { workflows, database, clock }: WorkflowRunRoutes): void {
  const { runner, graphs, send } = workflows
  const store = database.workflowRuns
  const callOf = (call: {
    request: FastifyRequest
    principal: Principal
    params: { workflowId: IdText<WorkflowId> }
    headers: { 'idempotency-key'?: string }
  }) => ({
    principal: call.principal,
    workflowId: call.params.workflowId,
    acceptedAt: clock.now(),
    path: call.request.url.split('?', 1)[0] ?? '',
    idempotencyKey: call.headers['idempotency-key'] ?? null,
  })

  registerOperation(app, OPERATIONS.runWorkflow, async (call) => {
    const request = workflowRunRequest(callOf(call), call.body, 'api_sync')
    const { runId, status, output, error, createdAt } = await runner.run(request)
    return {
      executionId: runId,
      workflowId: request.workflowId,
      status,
      output,
      error,
      createdAt: Math.floor(createdAt / 1000),
    }
  })

  registerOperation(app, OPERATIONS.runWorkflowAsync, async (call) => {
    const request = workflowRunRequest(callOf(call), call.body, 'api_async')
    const { runId, createdAt } = await runner.start(request)
    const status = 'queued' as const
    return {
      executionId: runId,
      workflowId: request.workflowId,
      status,
      createdAt: Math.floor(createdAt / 1000),
    }
  })

  registerOperation(app, OPERATIONS.getWorkflowJob, async ({ principal, params }) =>
    getWorkflowJob(store, principal, params.jobId),
  )
  registerOperation(app, OPERATIONS.cancelWorkflowJob, async ({ principal, params }) =>
    cancelWorkflowJob(store, principal, params.jobId),
  )
  registerOperation(app, OPERATIONS.getWorkflowJobResult, async ({ principal, params }) =>
    getWorkflowJobResult(store, principal, params.jobId),
  )
  registerOperation(app, OPERATIONS.pauseWorkflowJob, async ({ principal, params }) =>
    pauseWorkflowJob(store, principal, params.jobId),
  )
  registerOperation(app, OPERATIONS.resumeWorkflowJob, async ({ principal, params }) =>
    resumeWorkflowJob(store, send, principal, params.jobId),
  )
  registerOperation(app, OPERATIONS.listWorkflowJobNodes, async ({ principal, params, query }) =>
    listWorkflowJobNodes({ store, graphs }, principal, params.jobId, {
      page: query.page ?? 1,
      limit: query.limit ?? 20,
    }),
  )
}
