import { type ProjectId, propertyOf, type WorkflowId } from '@troupe/contract'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import type { TestServer } from '@troupe/test-kit/server'

/** Publishes a workflow of the organization. */
export async function publishWorkflow(
  { context, seed }: TestServer,
  name: string,
  graph: object,
  projectId: ProjectId | null = null,
): Promise<WorkflowId> {
  return seedWorkflow(context.database, { organizationId: seed.organizationId, projectId, name, graph })
}

/** Starts a run of it, and returns the id of the run. */
export async function startWorkflow(
  server: TestServer,
  workflowId: string,
  input: object = {},
): Promise<string> {
  const answer = await server.call(`POST /api/v1/workflows/${workflowId}/run-async`, { body: { input } })
  return String(propertyOf(answer.body, 'executionId'))
}
