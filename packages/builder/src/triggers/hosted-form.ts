import type { HostedForm } from '@troupe/builder-contract'
import { DomainError } from '@troupe/contract'
import type { Database, FormSettings, Readers, WorkflowRecord } from '@troupe/database'
import { parseGraph } from '@troupe/graph'
import { formOfGraph } from '@troupe/operations/forms/form-of-graph'
import { openFormToken, sealFormToken } from '@troupe/operations/forms/form-token'
import { findWorkflow } from '@troupe/operations/workflows/find-workflow'
import { randomToken, type SecretBox } from '@troupe/secrets'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { formUrl } from './form-url.ts'

/** What the operations on hosted forms use. */
export interface HostedFormParts {
  database: { read: Pick<Readers, 'workflows' | 'forms'> } & Pick<Database, 'transaction'>
  box: SecretBox
  /** Public base URL of this server, without a trailing slash. */
  publicUrl: string
}

/** @throws DomainError `workflow_not_found` */
export async function getHostedForm(
  { database, ...parts }: HostedFormParts,
  caller: BuilderCaller,
  workflowId: string,
): Promise<HostedForm> {
  const { read } = database
  const workflow = await findWorkflow(read.workflows.byId, caller, workflowId)
  const settings = await read.forms.settings(workflow.organizationId, workflow.id)
  return present(parts, workflow, settings, await publishedForm(read, workflow))
}

/**
 * Replaces the address of a form; the old one leads nowhere from the commit on.
 *
 * @throws DomainError `workflow_not_found`, or `workflow_not_published` before a form is first published
 */
export async function rotateFormToken(
  parts: HostedFormParts,
  caller: BuilderCaller,
  workflowId: string,
): Promise<HostedForm> {
  const { organizationId, actor } = caller
  await parts.database.transaction(async ({ read, write }) => {
    await write.organizations.lock(organizationId)
    const { id, projectId } = await findWorkflow(
      (_, id) => write.workflows.lock(organizationId, id),
      caller,
      workflowId,
    )
    const settings = await read.forms.settings(organizationId, id)
    if (!settings) {
      throw new DomainError(
        'workflow_not_published',
        'The workflow gets its form when one is first published.',
      )
    }
    const token = sealFormToken(parts.box, id, randomToken())
    await write.forms.putSettings(organizationId, id, { ...settings, ...token })
    await write.audit.append({
      organizationId,
      projectId,
      actor,
      action: 'workflow.form_token_rotated',
      entityKind: 'workflow',
      entityId: id,
      before: null,
      after: null,
    })
  })
  return getHostedForm(parts, caller, workflowId)
}

async function publishedForm({ workflows }: Pick<Readers, 'workflows'>, workflow: WorkflowRecord) {
  const { organizationId, activeDeployment } = workflow
  if (activeDeployment === null) return null
  const parsed = parseGraph(await workflows.versionGraph(organizationId, activeDeployment.versionId))
  return parsed.ok ? formOfGraph(parsed.value) : null
}

function present(
  { box, publicUrl }: Pick<HostedFormParts, 'box' | 'publicUrl'>,
  { id }: WorkflowRecord,
  settings: FormSettings | null,
  form: Awaited<ReturnType<typeof publishedForm>>,
): HostedForm {
  const url = settings && formUrl(publicUrl, openFormToken(box, id, settings.tokenSealed))
  const { mode, username = null } = form?.auth ?? {}
  return {
    url,
    published: form !== null && url !== null,
    auth: mode === undefined ? null : { mode, username },
    embed:
      form === null || url === null
        ? null
        : {
            origins: form.embedOrigins,
            html: `<iframe src="${url}" title="${escaped(form.title)}" width="100%" height="640"></iframe>`,
          },
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
