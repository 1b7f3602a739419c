import { DomainError, type FieldError } from '@troupe/contract'
import type { Form } from '@troupe/nodes/form'
import { formPasswordFault, randomToken } from '@troupe/secrets'
import type { FormSettings } from '@troupe/storage'
import type { GivenFormPassword } from '../workflows/given-form-password.ts'
import type { TriggerPublisher } from '../workflows/trigger-publisher.ts'
import { formOfGraph } from './form-of-graph.ts'
import { hashFormToken, sealFormToken } from './form-token.ts'

const TOKEN = /^[A-Za-z0-9._~-]{8,200}$/

/**
 * Mints the token of a form on its first publish and keeps it permanently, even while the published graph has
 * no form. Access changes take effect with the publish: the graph's user name applies with the new password,
 * or with the stored one if the name is unchanged; another access mode deletes the password.
 */
export const publishForm: TriggerPublisher = async (
  { box },
  { read, write },
  { workflow, graph, settings },
) => {
  const { id, organizationId } = workflow
  const stored = await read.forms.settings(organizationId, id)
  const form = formOfGraph(graph)
  const { formToken, formPassword } = settings
  const texts = { formToken, formPassword: formPassword?.text }
  const errors = formSettingFaults(form, texts, stored)
  if (errors.length > 0) {
    throw new DomainError('validation_error', 'The workflow cannot be published.', { errors })
  }
  if (form === null && stored === null) return false
  const isNewToken =
    stored === null || (formToken !== undefined && hashFormToken(formToken) !== stored.tokenHash)
  const before: FormAccess = stored ?? { credentials: null, credentialVersion: 0 }
  const access = newAccess(form, before, formPassword)
  if (!isNewToken && access === null) return false
  const { tokenHash, tokenSealed } = isNewToken ? sealFormToken(box, id, formToken ?? randomToken()) : stored
  const { credentials, credentialVersion } = access ?? before
  await write.forms.putSettings(organizationId, id, {
    tokenHash,
    tokenSealed,
    credentials,
    credentialVersion,
  })
  return true
}

/** Settings of a form as submitted. */
interface FormTexts {
  formToken?: string | undefined
  formPassword?: string | undefined
}

/**
 * Every mismatch between the settings and the form; paths start with `form`. `stored` is null for a new form.
 */
export function formSettingFaults(
  form: Form | null,
  { formToken, formPassword }: FormTexts,
  stored: FormSettings | null,
): FieldError[] {
  const errors: FieldError[] = []
  const fault = (path: string, message: string) => void errors.push({ path, message })
  if (form === null) {
    const [given] = [
      formToken !== undefined && 'form.token',
      formPassword !== undefined && 'form.password',
    ].filter((path) => path !== false)
    // One cause, one error.
    if (given) fault(given, 'must be omitted: the graph has no Form Trigger')
    return errors
  }
  if (formToken !== undefined && !TOKEN.test(formToken)) {
    fault('form.token', 'must be 8 to 200 letters, digits and . _ ~ -')
  }
  const { mode, username } = form.auth
  if (mode !== 'basic') {
    if (formPassword !== undefined) fault('form.password', `must be omitted: the form's access is ${mode}`)
    return errors
  }
  if (formPassword !== undefined) {
    const wrong = formPasswordFault(formPassword)
    if (wrong !== null) fault('form.password', wrong)
    return errors
  }
  const before = stored?.credentials ?? null
  if (before === null) fault('form.password', 'is required: the form requires a password and has none yet')
  else if (before.username !== username) fault('form.password', 'is required: the user name has changed')
  return errors
}

type FormAccess = Pick<FormSettings, 'credentials' | 'credentialVersion'>

/** The form's access from this publish on; null if it is unchanged. */
function newAccess(
  form: Form | null,
  { credentials: before, credentialVersion }: FormAccess,
  password: GivenFormPassword | undefined,
): FormAccess | null {
  const { mode, username = null } = form?.auth ?? { mode: 'none' }
  const next = { credentialVersion: credentialVersion + 1 }
  if (mode !== 'basic' || username === null) return before === null ? null : { ...next, credentials: null }
  if (password === undefined) return null
  // Reapplying the same bundle must not sign visitors out.
  const { passwordHash } = password
  if (before?.username === username && before.passwordHash === passwordHash) return null
  return { ...next, credentials: { username, passwordHash } }
}
