import type { BundleWorkflow } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import { formOfGraph } from '@troupe/operations/forms/form-of-graph'
import { hashFormToken } from '@troupe/operations/forms/form-token'
import { formSettingFaults } from '@troupe/operations/forms/publish-form'
import { type GivenFormPassword, hashFormPassword } from '@troupe/operations/workflows/given-form-password'
import type { PublishSettings } from '@troupe/operations/workflows/trigger-publisher'
import type { FormSettings, WorkflowRecord } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import { KeptResults } from '../resolve/kept-results.ts'
import type { Planner } from '../resolve/planner.ts'

/** The form settings of a bundle, and whether they differ from the stored ones. */
export interface FormPlan {
  settings: Pick<PublishSettings, 'formToken' | 'formPassword'>
  differs: boolean
}

/** The workflow of the form. */
export interface FormPlace {
  before: WorkflowRecord | null
  id: string
  graph: Graph
  /**
   * Whether the graph cannot be published. Then its Form Trigger may merely be unreadable, which is reported instead.
   */
  blocked: boolean
}

/** Checks the form settings of a bundle and what its graph requires. Absent settings change nothing. */
export async function planForm(
  planner: Pick<Planner, 'read' | 'problems' | 'passwords'>,
  { value, path }: Item<BundleWorkflow>,
  { before, id, graph, blocked }: FormPlace,
): Promise<FormPlan> {
  const { read, problems } = planner
  const { token, password } = value.form ?? {}
  const settings = token === undefined ? {} : { formToken: token }
  if (value.publish !== true) {
    if (value.form) problems.add(`${path}.form`, 'must be given together with publish: true')
    return { settings, differs: false }
  }
  const stored = before && (await read.forms.settings(before.organizationId, before.id))
  const form = formOfGraph(graph)
  const faults =
    form === null && blocked
      ? []
      : formSettingFaults(form, { formToken: token, formPassword: password }, stored)
  for (const fault of faults) {
    problems.add(`${path}.${fault.path}`, fault.message)
  }
  const owner = token === undefined ? null : await read.forms.ownerOf(hashFormToken(token))
  if (owner !== null && owner !== id) problems.add(`${path}.form.token`, 'is the token of another workflow')
  if (faults.length > 0 || password === undefined) return { settings, differs: differs(settings, stored) }
  const storedHash = stored?.credentials?.passwordHash ?? null
  const formPassword = await hashed.of(value, storedHash ?? '', () =>
    hashFormPassword(planner.passwords, password, storedHash),
  )
  const all = { ...settings, formPassword }
  return { settings: all, differs: differs(all, stored) }
}

const hashed = new KeptResults<GivenFormPassword>()

function differs({ formToken, formPassword }: FormPlan['settings'], stored: FormSettings | null): boolean {
  if (formToken !== undefined && hashFormToken(formToken) !== stored?.tokenHash) return true
  return formPassword !== undefined && formPassword.passwordHash !== stored?.credentials?.passwordHash
}
