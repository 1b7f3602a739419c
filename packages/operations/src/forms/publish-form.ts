import { DomainError, type FieldError, type WorkflowId } from '@troupe/contract'
import type { FormCredentials, FormSettings } from '@troupe/database'
import type { Form } from '@troupe/nodes/form'
import { formPasswordFault, type Passwords, randomToken, type SecretBox } from '@troupe/secrets'
import type { PublishSettings, TriggerPublisher } from '../workflows/trigger-publisher.ts'
import { formOfGraph } from './form-of-graph.ts'
import { hashFormToken, sealFormToken } from './form-token.ts'

const TOKEN = /^[A-Za-z0-9._~-]{8,200}$/

/**
 * Mints the token of a form with its first publish and keeps it for ever, also while a published graph has no form. Who
 * gets in counts from here on: the user name of the graph with the password that was given now, or that was given before
 * for the same name. Nothing changed keeps the password; another mode forgets it.
 *
 * Hashing takes a quarter of a second under the lock of the organization, and only when a password is given.
 */
export const publishForm: TriggerPublisher = async (
  { box, passwords },
  { read, write },
  { workflow, graph, settings },
) => {
  const { id, organizationId } = workflow
  const stored = await read.forms.settings(organizationId, id)
  const form = formOfGraph(graph)
  const errors = formSettingFaults(form, settings, stored)
  if (errors.length > 0) {
    throw new DomainError('validation_error', 'The workflow cannot be published.', { errors })
  }
  if (form === null && stored === null) return workflow
  const token = nextToken(box, id, stored, settings.formToken)
  const access = await nextAccess(passwords, form, stored, settings.formPassword)
  if (token === stored && access === stored) return workflow
  await write.forms.putSettings(organizationId, id, {
    tokenHash: token.tokenHash,
    tokenSealed: token.tokenSealed,
    credentials: access.credentials,
    credentialVersion: access.credentialVersion,
  })
  // Another object tells that something changed, though nothing that the record shows.
  return { ...workflow }
}

/** Everything that keeps the settings from fitting the form; paths begin with `form`. `stored`: null for a new one. */
export function formSettingFaults(
  form: Form | null,
  { formToken, formPassword }: Pick<PublishSettings, 'formToken' | 'formPassword'>,
  stored: FormSettings | null,
): FieldError[] {
  const errors: FieldError[] = []
  const fault = (path: string, message: string) => void errors.push({ path, message })
  if (form === null) {
    if (formToken !== undefined) fault('form.token', 'must be left out: the graph has no Form Trigger')
    if (formPassword !== undefined) fault('form.password', 'must be left out: the graph has no Form Trigger')
    return errors
  }
  if (formToken !== undefined && !TOKEN.test(formToken)) {
    fault('form.token', 'must be 8 to 200 letters, digits and . _ ~ -')
  }
  const { mode, username } = form.auth
  if (mode !== 'basic') {
    if (formPassword !== undefined) fault('form.password', `must be left out: the form's access is ${mode}`)
    return errors
  }
  if (formPassword !== undefined) {
    const wrong = formPasswordFault(formPassword)
    if (wrong !== null) fault('form.password', wrong)
    return errors
  }
  const before = stored?.credentials ?? null
  if (before === null) fault('form.password', 'is required: the form asks for a password and has none yet')
  else if (before.username !== username) fault('form.password', 'is required: the user name has changed')
  return errors
}

/** Gives back what is stored when nothing changes. */
function nextToken(
  box: SecretBox,
  id: WorkflowId,
  stored: FormSettings | null,
  given: string | undefined,
): Pick<FormSettings, 'tokenHash' | 'tokenSealed'> {
  if (stored && (given === undefined || hashFormToken(given) === stored.tokenHash)) return stored
  return sealFormToken(box, id, given ?? randomToken())
}

type Access = Pick<FormSettings, 'credentials' | 'credentialVersion'>

/** Gives back what is stored when nothing changes. */
async function nextAccess(
  passwords: Passwords,
  form: Form | null,
  stored: FormSettings | null,
  password: string | undefined,
): Promise<Access> {
  const before = stored ?? { credentials: null, credentialVersion: 0 }
  const credentials = await nextCredentials(passwords, form, before.credentials, password)
  if (credentials === before.credentials) return before
  return { credentials, credentialVersion: before.credentialVersion + 1 }
}

async function nextCredentials(
  passwords: Passwords,
  form: Form | null,
  before: FormCredentials | null,
  password: string | undefined,
): Promise<FormCredentials | null> {
  const { mode, username = null } = form?.auth ?? { mode: 'none' }
  if (mode !== 'basic' || username === null) return null
  // The same bundle applied again must not sign anybody out.
  const isSame =
    before?.username === username &&
    (password === undefined || (await passwords.matches(password, before.passwordHash)))
  if (isSame || password === undefined) return before
  return { username, passwordHash: await passwords.hash(password) }
}
