import type { FieldError, IdText, WorkflowId } from '@troupe/contract'
import type { FormPreview } from '@troupe/contract/builder'
import { type Form, readForm } from '@troupe/nodes/form'
import type { Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'

/** Dependencies of previews of forms. */
export interface PreviewFormParts {
  database: { read: Pick<Readers, 'workflows'> }
  /** Renders the page of a form with no logo. */
  renderForm(form: Form): NonNullable<FormPreview['page']>
}

/**
 * The page of a form that is being edited. Questions and settings with faults are omitted, so that the rest stays visible.
 *
 * @throws DomainError `workflow_not_found`
 */
export async function previewForm(
  { database, renderForm }: PreviewFormParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
  config: Record<string, unknown>,
): Promise<FormPreview> {
  await findWorkflow(database.read.workflows.byId, caller, workflowId)
  const read = readForm(config)
  const faults = read.ok ? [] : read.errors
  const shown = read.ok ? read : readForm(withoutFaults(config, faults))
  if (!shown.ok) return { page: null, logoUrl: null, faults: [...faults] }
  const { theme } = shown.value
  // The builder's page must not load images from other sites.
  const page = renderForm({ ...shown.value, theme: { ...theme, logoUrl: null } })
  return { page, logoUrl: theme.logoUrl, faults: [...faults] }
}

/** The config without the questions and settings that have faults; a missing title is replaced. */
function withoutFaults(
  config: Record<string, unknown>,
  faults: readonly FieldError[],
): Record<string, unknown> {
  const places = faults.map(({ path }) => path.split('.'))
  const questions = new Set(
    places.flatMap(([key, index]) => (key === 'fields' && index ? Number(index) : [])),
  )
  const settings = new Set(places.flatMap(([key = '', index]) => (key === 'fields' && index ? [] : key)))
  const rest = Object.fromEntries(Object.entries(config).filter(([key]) => !settings.has(key)))
  const fields = Array.isArray(rest.fields) ? rest.fields.filter((_, index) => !questions.has(index)) : []
  return { ...rest, title: rest.title ?? 'Untitled form', fields }
}
