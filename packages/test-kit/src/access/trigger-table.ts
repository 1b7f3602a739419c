import { randomUUID } from 'node:crypto'
import type { TriggerOperationId } from '@troupe/contract'
import { seedForm } from '../server/seed-form.ts'
import { seedWebhook } from '../server/seed-webhook.ts'
import type { TestServer } from '../server/start-test-server.ts'
import type { AccessRequest } from './access-row.ts'

/** The expected treatment of strangers by a trigger endpoint. */
export interface TriggerRow {
  /** A call with the address but without the further credentials that the trigger requires. */
  stranger(server: TestServer): Promise<AccessRequest>
  /**
   * Calls to triggers that are unavailable for different reasons; their responses must be indistinguishable.
   */
  nowhere(server: TestServer): Promise<AccessRequest[]>
}

const FORM_BASIC = { auth: { mode: 'basic', username: 'guest' } }

/** An endpoint of a form, with its request body. The stranger has the address but no password. */
function formRow(suffix: string, body?: object): TriggerRow {
  const request = (path: string): AccessRequest => ({ path: path + suffix, ...(body ? { body } : {}) })
  return {
    stranger: async ({ context, seed: { organizationId } }) => {
      const form = await seedForm(context, {
        organizationId,
        config: FORM_BASIC,
        password: 'secret of guests',
      })
      return request(form.path)
    },
    nowhere: async ({ context, seed: { organizationId } }) => {
      const { path, workflowId } = await seedForm(context, { organizationId })
      await context.database.transaction(({ write }) => write.workflows.unpublish(organizationId, workflowId))
      return [path, '/api/v1/forms/unknown-token', `/api/v1/forms/${workflowId}`].map(request)
    },
  }
}

/** One row per trigger endpoint; a new one without a row does not compile. */
export const TRIGGER_TABLE: Record<TriggerOperationId, TriggerRow> = {
  triggerWorkflow: {
    stranger: async ({ context, seed }) => {
      const { organizationId } = seed
      return { path: (await seedWebhook(context, { organizationId, projectId: null })).path, body: {} }
    },
    nowhere: async ({ context, seed }) => {
      const { organizationId, otherOrganizationId } = seed
      const mine = await seedWebhook(context, { organizationId, projectId: null })
      const foreign = await seedWebhook(context, { organizationId: otherOrganizationId, projectId: null })
      const path = (id: string, token: string) => `/api/v1/workflows/${id}/trigger/${token}`
      return [
        { path: path(mine.workflowId, 'unknown-token'), body: {} },
        { path: path(randomUUID(), mine.token), body: {} },
        { path: path(foreign.workflowId, mine.token), body: {} },
        { path: path(mine.workflowId, foreign.token), body: {} },
      ]
    },
  },
  getForm: formRow(''),
  openFormSession: formRow('/session', { username: 'guest', password: 'wrong' }),
  submitForm: formRow('/submit', {}),
  submitFormShortly: formRow('', {}),
  uploadFormFile: formRow('/upload?field=cv'),
}
