import { randomUUID } from 'node:crypto'
import { DeliveryId, type ErrorCode, newId, UploadId } from '@troupe/contract'
import { type SeededWebhook, seedWebhook } from '../server/seed-webhook.ts'
import type { TestServer } from '../server/start-test-server.ts'
import type { BuilderRequest, BuilderRow } from './builder-row.ts'

const made = new WeakMap<TestServer, Map<string, Promise<SeededWebhook>>>()

/** A published workflow with a webhook in an organization, created on first use. */
function workflowIn(server: TestServer, organization: 'own' | 'other'): Promise<SeededWebhook> {
  const known = made.get(server) ?? new Map<string, Promise<SeededWebhook>>()
  made.set(server, known)
  const { seed, context } = server
  const organizationId = organization === 'own' ? seed.organizationId : seed.otherOrganizationId
  const webhook = known.get(organization) ?? seedWebhook(context, { organizationId, projectId: null })
  known.set(organization, webhook)
  return webhook
}

function row(
  suffix: string,
  body: object | undefined,
  foreign: { error: ErrorCode; path: (server: TestServer) => Promise<string> },
): BuilderRow {
  const request = (path: string): BuilderRequest => ({ path, ...(body ? { body } : {}) })
  return {
    // A nonexistent workflow, so that no row changes a workflow that another one needs.
    own: () => request(`/workflows/${randomUUID()}${suffix}`),
    foreign: { error: foreign.error, request: async (server) => request(await foreign.path(server)) },
  }
}

/** An operation on a workflow. */
function builderWorkflowRow(suffix = '', body?: object): BuilderRow {
  return row(suffix, body, {
    error: 'workflow_not_found',
    path: async (server) => `/workflows/${(await workflowIn(server, 'other')).workflowId}${suffix}`,
  })
}

/** An operation on a version of a workflow: a version of another organization does not belong to the own workflow. */
function versionRow(suffix = '', body?: object): BuilderRow {
  return row(`/versions/${randomUUID()}${suffix}`, body, {
    error: 'version_not_found',
    path: async (server) => {
      const { read } = server.context.database
      const { otherOrganizationId } = server.seed
      const foreign = await read.workflows.byId(
        otherOrganizationId,
        (await workflowIn(server, 'other')).workflowId,
      )
      const { workflowId } = await workflowIn(server, 'own')
      return `/workflows/${workflowId}/versions/${foreign?.activeDeployment?.versionId}${suffix}`
    },
  })
}

const deliveryRow = row(`/deliveries/${randomUUID()}`, undefined, {
  error: 'delivery_not_found',
  path: async (server) => {
    const { workflowId } = await workflowIn(server, 'own')
    const foreign = await workflowIn(server, 'other')
    const id = newId(DeliveryId)
    await server.context.database.webhookLog.append([
      {
        id,
        organizationId: server.seed.otherOrganizationId,
        workflowId: foreign.workflowId,
        receivedAt: new Date(),
        status: 202,
        reason: null,
        executionId: null,
        ip: null,
        headers: {},
        body: '{}',
        bodyBytes: 2,
      },
    ])
    return `/workflows/${workflowId}/deliveries/${id}`
  },
})

/** An operation on a file that a visitor of a form in another organization uploaded. */
function uploadRow(suffix: string): BuilderRow {
  return {
    own: () => ({ path: `/uploads/${randomUUID()}${suffix}` }),
    foreign: {
      error: 'upload_not_found',
      request: async (server) => {
        const { workflowId } = await workflowIn(server, 'other')
        const id = newId(UploadId)
        await server.context.database.formUploads.insert(
          {
            id,
            organizationId: server.seed.otherOrganizationId,
            workflowId,
            listenerId: null,
            field: 'file',
            storageKey: id,
            filename: 'a.txt',
            sizeBytes: 1,
            createdAt: Date.now(),
            visitor: 'v',
          },
          {
            workflowBytes: 1e9,
            organizationBytes: 1e9,
            visitor: { workflowBytes: 1e9, organizationBytes: 1e9 },
          },
        )
        return { path: `/uploads/${id}${suffix}` }
      },
    },
  }
}

/** The rows of workflows and their triggers, of bundles and of uploads. */
export const BUILDER_WORKFLOW_ROWS = {
  listWorkflows: { own: () => ({ path: '/workflows' }) },
  createWorkflow: { own: () => ({ path: '/workflows', body: { name: 'Access' } }) },
  importWorkflow: {
    own: () => ({
      path: '/workflow-imports',
      body: { text: '{"nodes": [{"name": "A", "type": "n8n-nodes-base.noOp"}], "connections": {}}' },
    }),
  },
  getWorkflow: builderWorkflowRow(),
  updateWorkflow: builderWorkflowRow('', { name: 'Access' }),
  deleteWorkflow: builderWorkflowRow(),
  undeleteWorkflow: builderWorkflowRow('/undelete'),
  saveWorkflowDraft: builderWorkflowRow('/draft', {
    draftRevision: 1,
    changes: [{ remove: { nodeId: 'access' } }],
  }),
  listDraftChanges: builderWorkflowRow('/draft/changes?since=1'),
  listWorkflowTimeline: builderWorkflowRow('/timeline'),
  getDraftRevision: builderWorkflowRow('/draft/revisions/1'),
  sharePresence: builderWorkflowRow('/presence', { tabId: crypto.randomUUID() }),
  keepDraft: builderWorkflowRow('/draft/snapshots', {}),
  validateWorkflow: builderWorkflowRow('/validate', {}),
  previewPublish: builderWorkflowRow('/publish-preview'),
  publishWorkflow: builderWorkflowRow('/publish', { draftRevision: 1 }),
  unpublishWorkflow: builderWorkflowRow('/unpublish'),
  startWorkflowRun: builderWorkflowRow('/runs', {}),
  planTestRun: builderWorkflowRow('/test-runs/plan', { draftRevision: 1, scope: { kind: 'all' } }),
  startTestRun: builderWorkflowRow('/test-runs', { draftRevision: 1, scope: { kind: 'all' } }),
  previewForm: builderWorkflowRow('/form-preview', { config: {} }),
  listPins: builderWorkflowRow('/pins'),
  setPin: builderWorkflowRow('/pins/access', { output: 1 }),
  removePin: builderWorkflowRow('/pins/access'),
  listTestCases: builderWorkflowRow('/test-cases'),
  getTestCase: builderWorkflowRow(`/test-cases/${randomUUID()}`),
  createTestCase: builderWorkflowRow('/test-cases', { fromRunId: randomUUID() }),
  updateTestCase: builderWorkflowRow(`/test-cases/${randomUUID()}`, { version: 1 }),
  deleteTestCase: builderWorkflowRow(`/test-cases/${randomUUID()}`),
  runTestCase: builderWorkflowRow(`/test-cases/${randomUUID()}/run`, { draftRevision: 1 }),
  listWorkflowVersions: builderWorkflowRow('/versions'),
  getWorkflowVersion: versionRow(),
  describeWorkflowVersion: versionRow('', { label: 'Access' }),
  restoreWorkflowVersion: versionRow('/restore', { draftRevision: 1 }),
  getWebhook: builderWorkflowRow('/webhook'),
  revealWebhook: builderWorkflowRow('/webhook/reveal'),
  rotateWebhookSecret: builderWorkflowRow('/webhook/rotate-secret'),
  rotateWebhookToken: builderWorkflowRow('/webhook/rotate-token'),
  getHostedForm: builderWorkflowRow('/form'),
  rotateFormToken: builderWorkflowRow('/form/rotate-token'),
  setFormPassword: builderWorkflowRow('/form/password', { password: 'access' }),
  listSchedules: builderWorkflowRow('/schedules'),
  listDeliveries: builderWorkflowRow('/deliveries'),
  getDelivery: deliveryRow,
  listListeners: builderWorkflowRow('/listeners'),
  startListener: builderWorkflowRow('/listeners', { kind: 'webhook' }),
  revealListener: builderWorkflowRow(`/listeners/${randomUUID()}/reveal`),
  stopListener: builderWorkflowRow(`/listeners/${randomUUID()}`),
  getListenerCall: builderWorkflowRow(`/listeners/${randomUUID()}/calls/${randomUUID()}`),
  exportOrganizationBundle: { own: () => ({ path: '/bundle' }) },
  planOrganizationBundle: { own: () => ({ path: '/bundle/plan', body: { text: 'apiVersion: troupe/v1' } }) },
  applyOrganizationBundle: {
    own: () => ({ path: '/bundle/apply', body: { text: 'apiVersion: troupe/v1' } }),
  },
  exportOrganizationBundleArchive: { own: () => ({ path: '/bundle/archive' }) },
  planOrganizationBundleArchive: { own: () => ({ path: '/bundle/archive/plan', body: {} }) },
  applyOrganizationBundleArchive: { own: () => ({ path: '/bundle/archive/apply', body: {} }) },
  listUploads: { own: () => ({ path: '/uploads' }) },
  getUploadContent: uploadRow('/content'),
  deleteUpload: uploadRow(''),
} satisfies Record<string, BuilderRow>
