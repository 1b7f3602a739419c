import {
  DomainError,
  isJsonObject,
  ListenerCallId,
  type ListenerId,
  type NewId,
  REDACTED,
  statusOf,
} from '@troupe/contract'
import { parseGraph } from '@troupe/graph'
import type { Form } from '@troupe/nodes/form'
import type { Database, FormSettings, ListenerRecord, Transaction } from '@troupe/storage'
import { formNotFound } from '../forms/form-errors.ts'
import { formOfGraph } from '../forms/form-of-graph.ts'
import type { OpenForm } from '../forms/published-forms.ts'
import { answersIn, readAnswers } from '../forms/submit-form.ts'
import { type ArrivedCall, type CallOutcome, keptCall } from './call-of-listener.ts'
import { hashListenerToken } from './listener-secrets.ts'

const LONGEST_TOKEN = 200
/** Maximum stored bytes of a submission's answers, equal to that of a webhook call. */
const MAX_ANSWERS = 1024 * 1024
/**
 * Characters to which the texts of files are shortened if the answers are too long: the first number with which they
 * fit.
 */
const SHORT_TEXTS = [20_000, 2_000, 200, 0]

/** Dependencies of forms of listeners. */
export interface FormListenerParts {
  database: Pick<Database, 'read' | 'transaction'>
  clock: { now(): number }
  newId: NewId
}

/** The form of a draft while a listener is open. */
export interface ListenedForm extends OpenForm {
  listenerId: ListenerId
}

/**
 * The credentials of a draft's form: those of the published form if the user name is the same, else the listener's
 * password. null: the form requires none.
 */
export function listenedCredentials(
  { auth }: Form,
  listener: Pick<ListenerRecord, 'passwordHash'>,
  settings: FormSettings | null,
): Pick<OpenForm, 'credentials' | 'credentialVersion'> & { isOwn: boolean } {
  const { mode, username } = auth
  if (mode !== 'basic' || username === null || listener.passwordHash === null) {
    return { credentials: null, credentialVersion: 0, isOwn: false }
  }
  if (settings?.credentials?.username === username) {
    const { credentials, credentialVersion } = settings
    return { credentials, credentialVersion, isOwn: false }
  }
  return { credentials: { username, passwordHash: listener.passwordHash }, credentialVersion: 0, isOwn: true }
}

/** The form of a draft; null when it has none that can be shown. */
export function formOfDraft(draft: unknown): Form | null {
  const parsed = parseGraph(draft)
  return parsed.ok ? formOfGraph(parsed.value) : null
}

/** The current form of the draft behind a token; null for every token without one, for every reason. */
export async function findListenedForm(
  { database: { read }, clock }: FormListenerParts,
  token: string,
): Promise<ListenedForm | null> {
  if (token.length > LONGEST_TOKEN) return null
  const tokenHash = hashListenerToken(token)
  const listener = await read.listeners.byToken('form', tokenHash, new Date(clock.now()))
  if (!listener) return null
  const { id, organizationId, workflowId, projectId } = listener
  const [workflow, settings] = await Promise.all([
    read.workflows.byId(organizationId, workflowId),
    read.forms.settings(organizationId, workflowId),
  ])
  const form = workflow && formOfDraft(workflow.draft)
  if (!form) return null
  const { isOwn: _, ...access } = listenedCredentials(form, listener, settings)
  return { organizationId, workflowId, projectId, ...access, tokenHash, form, listenerId: id }
}

/** A submission of a draft's form. */
export interface TestSubmission extends Pick<ArrivedCall, 'ip' | 'distinct'> {
  /** By field name. */
  values: Readonly<Record<string, unknown>>
  /** The HTTP status for the visitor if the submission is accepted. */
  status: number
}

/**
 * Validates a submission like one of the published form, and stores its answers for the editor. Its files can be used
 * once, and no run starts. If the listener is stopped or expires at the same time, the submission takes no file: the
 * listener's row is locked in the same transaction.
 *
 * @throws DomainError `validation_error` with `issues`, `form_not_found`
 */
export async function submitTestForm(
  parts: FormListenerParts,
  form: ListenedForm,
  { values, ip, distinct, status }: TestSubmission,
): Promise<void> {
  const now = parts.clock.now()
  const call = {
    id: parts.newId(ListenerCallId),
    listenerId: form.listenerId,
    receivedAt: new Date(now),
    ip,
    distinct,
  }
  const keep = async ({ write }: Pick<Transaction, 'write'>, answers: unknown, outcome: CallOutcome) => {
    const { text, cut } = answersText(answers, form.form)
    const kept = keptCall({ ...call, raw: Buffer.from(text) }, { ...outcome, reason: outcome.reason ?? cut })
    if (!(await write.listeners.record(kept))) throw formNotFound()
  }
  try {
    const read = readAnswers(form, values)
    await parts.database.transaction(async (tx) => {
      const { input } = await answersIn(tx, form, read, now)
      await keep(tx, input, { verdict: 'accepted', status, reason: null })
    })
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'validation_error') throw error
    await refuseTestForm(parts, form, { values, ip, distinct, status: statusOf(error.code) }, reasonOf(error))
    throw error
  }
}

/** Stores a refused submission. */
export async function refuseTestForm(
  { database, clock, newId }: FormListenerParts,
  { form, listenerId }: ListenedForm,
  { values, ip, distinct, status }: TestSubmission,
  reason: string,
): Promise<void> {
  const call = { id: newId(ListenerCallId), listenerId, receivedAt: new Date(clock.now()), ip, distinct }
  const { text } = answersText(values, form)
  const kept = keptCall({ ...call, raw: Buffer.from(text) }, { verdict: 'refused_answers', status, reason })
  await database.transaction(({ write }) => write.listeners.record(kept))
}

/** Stores a refused sign-in to a form with a password, without the user name and the password. */
export async function refuseTestSignIn(
  { database, clock, newId }: FormListenerParts,
  { listenerId, credentials }: ListenedForm,
  { username, ...sent }: Pick<TestSubmission, 'ip' | 'distinct' | 'status'> & { username: string | null },
): Promise<void> {
  const { ip, distinct, status } = sent
  const call = {
    id: newId(ListenerCallId),
    listenerId,
    receivedAt: new Date(clock.now()),
    ip,
    distinct,
    raw: Buffer.alloc(0),
  }
  const outcome = { verdict: 'wrong_password', status, reason: signInReason(username, credentials) } as const
  await database.transaction(({ write }) => write.listeners.record(keptCall(call, outcome)))
}

function signInReason(username: string | null, credentials: OpenForm['credentials']): string {
  if (username === null) return 'The user name or the password in the header is wrong.'
  return username === credentials?.username
    ? 'The password is wrong.'
    : 'The user name does not match the form.'
}

function reasonOf(error: DomainError): string {
  const issues = error.issues ?? []
  return issues.length === 0
    ? error.message
    : issues.map(({ field, message }) => `"${field}" ${message}`).join('; ')
}

function shortFiles(value: unknown, most: number): unknown {
  if (Array.isArray(value)) return value.map((one) => shortFiles(one, most))
  if (!isJsonObject(value) || typeof value.text !== 'string') return value
  return { ...value, text: value.text.slice(0, most).toWellFormed() }
}

/**
 * Whether a value may be stored. Passwords are not, even if they were sent several times. Nor are values of questions
 * that the draft no longer has, because they may have been passwords.
 */
function isShown(type: string | undefined, value: unknown): boolean {
  return value === '' || value === null || (type !== undefined && type !== 'password')
}

/** The answers as JSON, without passwords; the texts of files are shortened if they are too long in total. */
function answersText(answers: unknown, { fields }: Form): { text: string; cut: string | null } {
  const types = new Map(fields.map(({ name, type }) => [name, type]))
  const entries = Object.entries(answers ?? {}).map(([name, value]): [string, unknown] => [
    name,
    isShown(types.get(name), value) ? value : REDACTED,
  ])
  const text = JSON.stringify(Object.fromEntries(entries))
  if (Buffer.byteLength(text) <= MAX_ANSWERS) return { text, cut: null }
  for (const most of SHORT_TEXTS) {
    const short = JSON.stringify(
      Object.fromEntries(
        entries.map(([name, value]) => [name, types.get(name) === 'file' ? shortFiles(value, most) : value]),
      ),
    )
    if (Buffer.byteLength(short) > MAX_ANSWERS) continue
    const cut = `The texts of files were truncated to ${most.toLocaleString('en')} characters each, because the answers have more than 1 MB.`
    return { text: short, cut }
  }
  // Too long even without the texts of files, so the JSON is truncated like a body.
  return { text, cut: null }
}
