import type { OrganizationId, ProjectId, WorkflowId } from '@troupe/contract'
import { openFormToken } from '@troupe/operations/forms/form-token'
import { publishWorkflow } from '@troupe/operations/publishing/publish-workflow'
import type { Context } from '@troupe/server'
import { seedWorkflow } from './seed-workflow.ts'

/** The options of a form. */
export interface FormSeed {
  organizationId: OrganizationId
  projectId?: ProjectId | null
  /** Config of the Form Trigger besides its title and fields. */
  config?: Record<string, unknown>
  /** One text field `name` by default. */
  fields?: readonly Record<string, unknown>[]
  /** For a form with a password. */
  password?: string
  /** Nodes and edges after the trigger, which is called `form`; one Variable node by default. */
  steps?: { nodes: readonly unknown[]; edges: readonly unknown[] }
}

/** A published workflow with a form. */
export interface SeededForm {
  workflowId: WorkflowId
  token: string
  /** Path of the form's API. */
  path: string
}

const KEEP = {
  nodes: [
    {
      id: 'keep',
      type: 'edit-fields',
      name: 'Keep',
      position: { x: 1, y: 0 },
      config: { rows: [{ name: 'answers', value: '{{ trigger.body }}' }] },
    },
  ],
  edges: [{ id: 'form-keep', source: 'form', sourceHandle: 'out', target: 'keep' }],
}

/** The graph of a form, whose runs return the submission as `answers`. */
export function formGraph({ config = {}, fields, steps = KEEP }: Omit<FormSeed, 'organizationId'>) {
  const trigger = {
    id: 'form',
    type: 'form-trigger',
    name: 'Form',
    position: { x: 0, y: 0 },
    config: {
      title: 'Contact us',
      fields: fields ?? [{ name: 'name', label: 'Your name', type: 'text' }],
      ...config,
    },
  }
  return { nodes: [trigger, ...steps.nodes], edges: [...steps.edges] }
}

/** Publishes a workflow with a form, as a signed-in user would. */
export async function seedForm(context: Context, seed: FormSeed): Promise<SeededForm> {
  const { organizationId, projectId = null, password } = seed
  const { database } = context
  const workflowId = await seedWorkflow(database, {
    organizationId,
    projectId,
    name: 'Form',
    graph: formGraph(seed),
    publish: false,
  })
  await publishSeededForm(context, {
    organizationId,
    workflowId,
    ...(password === undefined ? {} : { password }),
  })
  const settings = await database.read.forms.settings(organizationId, workflowId)
  if (!settings) throw new Error('the form has no token')
  const token = openFormToken(context.secretBox, workflowId, settings.tokenSealed)
  return { workflowId, token, path: `/api/v1/forms/${token}` }
}

/** Publishes the draft of a workflow, as an operator would. */
export async function publishSeededForm(
  { database, configChanges, secretBox, passwords, clock }: Context,
  form: { organizationId: OrganizationId; workflowId: WorkflowId; password?: string },
): Promise<void> {
  const { organizationId, workflowId, password } = form
  const actor = { kind: 'operator', id: null, ip: null, requestId: null } as const
  const parts = { database, configChanges, box: secretBox, passwords, now: () => clock.now() }
  const body = password === undefined ? {} : { formPassword: password }
  await publishWorkflow(parts, { organizationId, projectId: null }, actor, workflowId, body)
}
