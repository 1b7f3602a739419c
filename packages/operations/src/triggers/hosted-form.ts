import { type AuditAction, DomainError, type IdText, type WorkflowId } from '@troupe/contract'
import type { HostedForm } from '@troupe/contract/builder'
import { parseGraph } from '@troupe/graph'
import { formPasswordFault, type Passwords, randomToken, type SecretBox } from '@troupe/secrets'
import type { Database, FormSettings, Readers, WorkflowRecord } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { formOfGraph } from '../forms/form-of-graph.ts'
import { openFormToken, sealFormToken } from '../forms/form-token.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import { formUrl } from './form-url.ts'

/** Dependencies of operations on hosted forms. */
export interface HostedFormParts {
  database: { read: Pick<Readers, 'workflows' | 'forms'> } & Pick<Database, 'transaction'>
  box: SecretBox
  /** Public base URL of this server, without a trailing slash. */
  publicUrl: string
}

export interface FormPasswordParts extends HostedFormParts {
  passwords: Pick<Passwords, 'of'>
}

/** @throws DomainError `workflow_not_found` */
export async function getHostedForm(
  { database, ...parts }: HostedFormParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
): Promise<HostedForm> {
  const { read } = database
  const workflow = await findWorkflow(read.workflows.byId, caller, workflowId)
  const settings = await read.forms.settings(workflow.organizationId, workflow.id)
  return present(parts, workflow, settings, await publishedForm(read, workflow))
}

/**
 * Replaces the address of a form; the old one is invalid from the commit on.
 *
 * @throws DomainError `workflow_not_found`, or `workflow_not_published` before a form is first published
 */
export async function rotateFormToken(
  parts: HostedFormParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
): Promise<HostedForm> {
  await changeSettings(parts, caller, workflowId, 'workflow.form_token_rotated', (settings, id) => ({
    ...settings,
    ...sealFormToken(parts.box, id, randomToken()),
  }))
  return getHostedForm(parts, caller, workflowId)
}

/**
 * Replaces the password of a published form and signs its visitors out. It is hashed before the workflow is locked;
 * the user name is read under the lock, because a publish may just have changed it.
 *
 * @throws DomainError as `rotateFormToken`, or `validation_error` for an invalid password, or if the form requires none
 * @throws BusyError when too many passwords are being hashed
 */
export async function setFormPassword(
  parts: FormPasswordParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
  password: string,
): Promise<HostedForm> {
  const fault = formPasswordFault(password)
  if (fault !== null) throw passwordFault(fault)
  // Authorize before hashing.
  await findWorkflow(parts.database.read.workflows.byId, caller, workflowId)
  const passwordHash = await parts.passwords.of(caller.organizationId).hash(password)
  await changeSettings(parts, caller, workflowId, 'workflow.form_password_changed', (settings) => {
    const { credentials, credentialVersion } = settings
    if (credentials === null) {
      throw passwordFault('must be omitted: the published form requires no password')
    }
    return {
      ...settings,
      credentials: { ...credentials, passwordHash },
      credentialVersion: credentialVersion + 1,
    }
  })
  return getHostedForm(parts, caller, workflowId)
}

function passwordFault(message: string): DomainError {
  return new DomainError('validation_error', 'The password was not changed.', {
    errors: [{ path: 'password', message }],
  })
}

/**
 * Writes new settings of a form, with an audit row. Locks the row of the workflow, like a publish.
 *
 * @throws DomainError `workflow_not_found`, or `workflow_not_published` before a form is first published
 */
async function changeSettings(
  { database }: Pick<HostedFormParts, 'database'>,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
  action: AuditAction,
  changed: (settings: FormSettings, id: WorkflowRecord['id']) => FormSettings,
): Promise<void> {
  const { organizationId, actor } = caller
  await database.transaction(async ({ read, write }) => {
    // As `lockWebhook` does.
    await write.organizations.hold(organizationId)
    const { id, projectId } = await findWorkflow(write.workflows.lock, caller, workflowId)
    const settings = await read.forms.settings(organizationId, id)
    if (!settings) {
      throw new DomainError(
        'workflow_not_published',
        'The workflow gets its form when one is first published.',
      )
    }
    await write.forms.putSettings(organizationId, id, changed(settings, id))
    await write.audit.append({
      organizationId,
      projectId,
      actor,
      action,
      entityKind: 'workflow',
      entityId: id,
      before: null,
      after: null,
    })
  })
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
