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
/** Bytes of the answers of a submission that are kept, as of a call of a webhook. */
const MAX_ANSWERS = 1024 * 1024
/** Characters of each file that stay in answers of more than that: the first number with which they fit. */
const SHORT_TEXTS = [20_000, 2_000, 200, 0]

/** What forms of listeners use. */
export interface FormListenerParts {
  database: Pick<Database, 'read' | 'transaction'>
  clock: { now(): number }
  newId: NewId
}

/** The form of a draft while somebody listens to it. */
export interface ListenedForm extends OpenForm {
  listenerId: ListenerId
}

/**
 * The credentials of the form of a draft: those of the published form while the user name is the same, else the password of the
 * listener. null: the form asks for none.
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

/** The form behind a token as the draft has it now; null for every token without one, whatever the reason. */
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

/** A submission of the form of a draft. */
export interface TestSubmission extends Pick<ArrivedCall, 'ip' | 'distinct'> {
  /** By field name. */
  values: Readonly<Record<string, unknown>>
  /** The status that the visitor gets when it is accepted. */
  status: number
}

/**
 * Checks a submission as one of the published form, and keeps its answers for the editor. Its files are used once, and no run starts. A
 * submission that arrives while its listener is stopped or expires takes no file: the row of the listener decides in the same transaction.
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

/** Keeps a submission that was refused. */
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

/** Keeps a refused sign-in at a form with a password. Neither the password nor the user name is kept. */
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
 * Whether a value stays in kept answers: a password does not, however often it was sent, and neither does a value of a question that
 * the draft no longer has, which may have been one.
 */
function isShown(type: string | undefined, value: unknown): boolean {
  return value === '' || value === null || (type !== undefined && type !== 'password')
}

/** Answers as JSON, without passwords; the texts of files are shortened when they are together too long. */
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
  // Too long without any text of a file: they are cut as a body is.
  return { text, cut: null }
}
