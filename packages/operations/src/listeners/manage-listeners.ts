import {
  DomainError,
  type IdText,
  ListenerCallId,
  ListenerId,
  type NewId,
  parseId,
  parseJson,
  type WorkflowId,
} from '@troupe/contract'
import type {
  CallVerdict,
  Listener,
  ListenerCall,
  ListenerCallHead,
  RevealedListener,
  StartListenerBody,
} from '@troupe/contract/builder'
import { parseGraph } from '@troupe/graph'
import { sampleBody, withSamples } from '@troupe/nodes/sample-payload'
import { type Passwords, randomToken, type SecretBox } from '@troupe/secrets'
import type {
  ListenerCallHead as CallRecord,
  Database,
  FormSettings,
  ListenerRecord,
  Readers,
  WorkflowRecord,
} from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { samplesOf } from '../pins/pins.ts'
import { signingSnippets } from '../webhooks/signing-snippets.ts'
import { mintSigningSecret, openWebhookSecrets } from '../webhooks/webhook-secrets.ts'
import { findWorkflow } from '../workflows/find-workflow.ts'
import { workflowNotFound } from '../workflows/workflow-errors.ts'
import { formOfDraft, listenedCredentials } from './form-listener.ts'
import { openListenerSecret, openListenerToken, sealListener } from './listener-secrets.ts'

/** Dependencies of operations on listeners. */
export interface ListenerParts {
  database: Pick<Database, 'read' | 'transaction'>
  box: SecretBox
  passwords: Pick<Passwords, 'of'>
  newId: NewId
  /** Milliseconds since the epoch. */
  now: () => number
  /** Public base URL of this server, without a trailing slash. */
  publicUrl: string
}

/** Time that a listener stays open after it was started or extended, in milliseconds. */
const OPEN_MS = 10 * 60_000
/** Time that calls can be read after their listener has expired, in milliseconds, because people still look at them. */
export const CALLS_STAY_MS = 60 * 60_000
const PASSWORD_LENGTH = 16
/** The placeholder of the secret in the snippets. */
const PLACEHOLDER = 'whs_YOUR_SIGNING_SECRET'
const NO_FORM = 'The draft has no form that can be shown: add a Form Trigger, or mend its settings.'

function listenerNotFound(): DomainError {
  return new DomainError(
    'listener_not_found',
    'Listener not found in this workflow. Listeners are open for ten minutes.',
  )
}

type ListedListener = ListenerRecord & { startedByName: string | null }

/** The state that determines the secrets of listeners and their snippets. */
interface SecretsOfWorkflow {
  /** The body of a test call; null: the draft declares none. */
  sample: Readonly<Record<string, unknown>> | null
  /** null before the first publish. */
  signingSecret: string | null
  settings: FormSettings | null
}

async function secretsOf(
  { database: { read }, box, now }: ListenerParts,
  workflow: WorkflowRecord,
): Promise<SecretsOfWorkflow> {
  const { organizationId, id, draft } = workflow
  const parsed = parseGraph(draft)
  const samples = parsed.ok ? await samplesOf(read, workflow, parsed.value) : null
  const sealed = await read.webhooks.secrets(organizationId, id)
  return {
    sample: parsed.ok && samples ? sampleBody(withSamples(parsed.value.nodes, samples)) : null,
    signingSecret: sealed && openWebhookSecrets(box, id, sealed, now()).signingSecret,
    settings: await read.forms.settings(organizationId, id),
  }
}

/** The secret that a listener accepts now. */
function secretFor(
  { box }: Pick<ListenerParts, 'box'>,
  workflow: WorkflowRecord,
  listener: ListenerRecord,
  { signingSecret, settings }: SecretsOfWorkflow,
): { hasOwnSecret: boolean; secret: string | null; username: string | null } {
  const own = openListenerSecret(box, listener)
  if (listener.kind === 'webhook') {
    return { hasOwnSecret: signingSecret === null, secret: signingSecret ?? own, username: null }
  }
  const form = formOfDraft(workflow.draft)
  const access = form && listenedCredentials(form, listener, settings)
  if (!access?.credentials) return { hasOwnSecret: false, secret: null, username: null }
  return {
    hasOwnSecret: access.isOwn,
    secret: access.isOwn ? own : null,
    username: access.credentials.username,
  }
}

function presentCall({ id, receivedAt, listenerId: _, verdict, ...call }: CallRecord): ListenerCallHead {
  const { status, reason, ip, bodyBytes } = call
  return {
    callId: id,
    receivedAt: receivedAt.toISOString(),
    // The stored JSON is written only by this package.
    verdict: verdict as CallVerdict,
    status,
    reason,
    ip,
    bodyBytes,
  }
}

function present(
  parts: ListenerParts,
  workflow: WorkflowRecord,
  listener: ListedListener,
  {
    secrets,
    calls,
    isRevealed,
  }: { secrets: SecretsOfWorkflow; calls: readonly CallRecord[]; isRevealed: boolean },
): RevealedListener {
  const { id, kind, createdAt, expiresAt, startedByName, calls: callCount } = listener
  const token = openListenerToken(parts.box, listener)
  const url = `${parts.publicUrl}/${kind === 'webhook' ? 'trigger-test' : 'forms/preview'}/${token}`
  const { hasOwnSecret, secret, username } = secretFor(parts, workflow, listener, secrets)
  const shown = isRevealed && secret !== null ? secret : PLACEHOLDER
  return {
    listenerId: id,
    kind,
    url,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    startedBy: startedByName,
    hasOwnSecret,
    username,
    snippets: kind === 'webhook' ? signingSnippets(url, shown, secrets.sample) : null,
    fault: kind === 'form' && formOfDraft(workflow.draft) === null ? NO_FORM : null,
    callCount,
    calls: calls.filter(({ listenerId }) => listenerId === id).map(presentCall),
    secret: isRevealed ? secret : null,
  }
}

function withoutSecret({ secret: _, ...listener }: RevealedListener): Listener {
  return listener
}

/** The open listeners of a workflow. @throws DomainError `workflow_not_found` */
export async function listListeners(
  parts: ListenerParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
): Promise<{ data: Listener[] }> {
  const { read } = parts.database
  const workflow = await findWorkflow(read.workflows.byId, caller, workflowId)
  const listeners = await openListeners(parts, workflow)
  if (listeners.length === 0) return { data: [] }
  const calls = await read.listeners.calls(listeners.map(({ id }) => id))
  const secrets = await secretsOf(parts, workflow)
  return {
    data: listeners.map((one) =>
      withoutSecret(present(parts, workflow, one, { secrets, calls, isRevealed: false })),
    ),
  }
}

function openListeners(
  { database: { read }, now }: ListenerParts,
  { organizationId, id }: WorkflowRecord,
): Promise<ListedListener[]> {
  return read.listeners.list(organizationId, id, new Date(now()))
}

/**
 * Opens a test address for ten minutes, or extends the open one of the same kind. Every listener has its own secret,
 * which applies while the workflow has none.
 *
 * @throws DomainError `workflow_not_found`, `concurrency_limit_reached`; `listener_not_found` if somebody stops it
 * concurrently
 */
export async function startListener(
  parts: ListenerParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
  { kind }: StartListenerBody,
): Promise<RevealedListener> {
  const { database, box, passwords, newId, now } = parts
  const { organizationId, userId } = caller
  const { id: ofWorkflow } = await findWorkflow(database.read.workflows.byId, caller, workflowId)
  const secret = kind === 'webhook' ? mintSigningSecret() : randomToken().slice(0, PASSWORD_LENGTH)
  // Before the transaction, because hashing takes a quarter of a second.
  const passwordHash = kind === 'webhook' ? null : await passwords.of(organizationId).hash(secret)
  const id = newId(ListenerId)
  const at = now()
  const begun = await database.transaction(({ write }) =>
    write.listeners.start(
      {
        ...{ id, organizationId, workflowId: ofWorkflow, kind, passwordHash, startedBy: userId },
        ...sealListener(box, id, { token: randomToken(), secret }),
        expiresAt: new Date(at + OPEN_MS),
      },
      new Date(at),
    ),
  )
  if (begun === 'deleted') throw workflowNotFound()
  if (begun === 'full') {
    throw new DomainError(
      'concurrency_limit_reached',
      'Your organization has 40 open listeners, the most that it may have. Stop one, or wait until one expires.',
    )
  }
  const { listener, secrets, workflow } = await foundListener(parts, caller, workflowId, begun.id)
  const calls = await database.read.listeners.calls([listener.id])
  const { hasOwnSecret } = secretFor(parts, workflow, listener, secrets)
  return present(parts, workflow, listener, { secrets, calls, isRevealed: hasOwnSecret })
}

async function foundListener(
  parts: ListenerParts,
  caller: BuilderCaller,
  workflowId: IdText<WorkflowId>,
  listenerId: IdText<ListenerId>,
) {
  const workflow = await findWorkflow(parts.database.read.workflows.byId, caller, workflowId)
  const listeners = await openListeners(parts, workflow)
  const listener = listeners.find(({ id }) => id === listenerId.toLowerCase())
  if (!listener) throw listenerNotFound()
  return { workflow, listener, secrets: await secretsOf(parts, workflow) }
}

/**
 * A listener with its secret. If that is the workflow's signing secret, the audit log records that the caller saw it.
 *
 * @throws DomainError `workflow_not_found`, `listener_not_found`
 */
export async function revealListener(
  parts: ListenerParts,
  caller: BuilderCaller,
  { workflowId, listenerId }: { workflowId: IdText<WorkflowId>; listenerId: IdText<ListenerId> },
): Promise<RevealedListener> {
  const { workflow, listener, secrets } = await foundListener(parts, caller, workflowId, listenerId)
  const { organizationId, projectId, id: entityId } = workflow
  if (listener.kind === 'webhook' && secrets.signingSecret !== null) {
    await parts.database.transaction(({ write }) =>
      write.audit.append({
        ...{ organizationId, projectId, actor: caller.actor, entityKind: 'workflow', entityId },
        ...{ action: 'workflow.signing_secret_revealed', before: null, after: null },
      }),
    )
  }
  const calls = await parts.database.read.listeners.calls([listener.id])
  return present(parts, workflow, listener, { secrets, calls, isRevealed: true })
}

/** Deletes a listener with its calls. @throws DomainError `workflow_not_found` */
export async function stopListener(
  { database }: ListenerParts,
  caller: BuilderCaller,
  { workflowId, listenerId }: { workflowId: IdText<WorkflowId>; listenerId: IdText<ListenerId> },
): Promise<null> {
  const { organizationId, id } = await findWorkflow(database.read.workflows.byId, caller, workflowId)
  const listener = parseId(ListenerId, listenerId)
  if (listener !== null) {
    await database.transaction(({ write }) => write.listeners.stop(organizationId, id, listener))
  }
  return null
}

/**
 * A call with its headers and its body, also for an hour after its listener has expired.
 *
 * @throws DomainError `workflow_not_found`, `listener_not_found`
 */
export async function getListenerCall(
  parts: ListenerParts,
  caller: BuilderCaller,
  {
    workflowId,
    listenerId,
    callId,
  }: { workflowId: IdText<WorkflowId>; listenerId: IdText<ListenerId>; callId: IdText<ListenerCallId> },
): Promise<ListenerCall> {
  const read: Pick<Readers, 'workflows' | 'listeners'> = parts.database.read
  const workflow = await findWorkflow(read.workflows.byId, caller, workflowId)
  const since = new Date(parts.now() - CALLS_STAY_MS)
  const listeners = await read.listeners.list(workflow.organizationId, workflow.id, since)
  const listener = listeners.find(({ id }) => id === listenerId.toLowerCase())
  const call = parseId(ListenerCallId, callId)
  const found = listener && call && (await read.listeners.call(listener.id, call))
  if (!found) throw listenerNotFound()
  const { headers, body, keptBytes, ...head } = found
  const isComplete = keptBytes >= head.bodyBytes
  return { ...presentCall(head), headers, body, payload: isComplete ? payloadOf(body) : null, isComplete }
}

/** Parsed like a delivery. */
function payloadOf(text: string): unknown {
  if (text === '') return {}
  const parsed = parseJson(text, undefined, 'text')
  return parsed.ok ? parsed.value : null
}
