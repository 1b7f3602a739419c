import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { ListenerCallId, ListenerId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { StringMap } from '../../schema/objects.ts'
import {
  ListenerCallParams,
  ListenerParams,
  WORKFLOW_PATH,
  WorkflowPathParams,
} from '../operation/workflow-path.ts'

const path = `${WORKFLOW_PATH}/listeners` as const
const one = `${path}/{listenerId}` as const
const common = { tag: 'Triggers', access: 'builder', needs: 'build' } as const

const kind = Choice(['webhook', 'form'], {
  description: '`webhook`: signed calls. `form`: submissions of the form as the draft has it.',
})

/** The outcome of a call. */
const CallVerdict = Choice(
  [
    'accepted',
    'missing_header',
    'malformed_header',
    'wrong_time',
    'wrong_secret',
    'body_changed',
    'wrong_signature',
    'wrong_key',
    'limited',
    'too_large',
    'unreadable',
    'refused_answers',
    'wrong_password',
  ],
  {
    description:
      '`wrong_secret` and `body_changed`: the signature fits with another known secret, or with another form of the body; ' +
      '`wrong_signature`: with neither. `refused_answers` and `wrong_password`: of a form.',
  },
)
export type CallVerdict = Static<typeof CallVerdict>

const call = {
  callId: Uuid<ListenerCallId>(),
  receivedAt: IsoTimestamp(),
  verdict: CallVerdict,
  status: Type.Integer({ description: 'The HTTP status that the sender got.' }),
  reason: Nullable(
    Type.String({
      description: 'Why it was refused, or which part is not kept; not returned to the sender.',
    }),
  ),
  ip: Nullable(Type.String()),
  bodyBytes: Type.Integer(),
}

/** A call of a listener. */
const ListenerCallHead = Type.Object(call)
export type ListenerCallHead = Static<typeof ListenerCallHead>

/** A call of a listener with its headers and its body. */
const ListenerCall = Type.Object({
  ...call,
  headers: StringMap({ description: 'By lower-case name; credentials are masked.' }),
  body: Type.String({
    description: 'As text; for a form, the answers as JSON. Long bodies of refused calls are truncated.',
  }),
  payload: Type.Unknown({
    description: 'The value of `{{ trigger.body }}`; null when the body is not JSON, or was truncated.',
  }),
  isComplete: Type.Boolean(),
})
export type ListenerCall = Static<typeof ListenerCall>

const listener = {
  listenerId: Uuid<ListenerId>(),
  kind,
  url: Type.String({ description: 'The test address.' }),
  createdAt: IsoTimestamp(),
  expiresAt: IsoTimestamp(),
  startedBy: Nullable(Type.String({ description: 'The name of who began it; null: the operator.' })),
  hasOwnSecret: Type.Boolean({
    description:
      'The signing secret or the password belongs to the listener, because the workflow has none yet. Otherwise it belongs to the workflow.',
  }),
  username: Nullable(Type.String({ description: 'For a form with a password; null otherwise.' })),
  snippets: Nullable(
    Type.Object(
      { curl: Type.String(), node: Type.String(), python: Type.String() },
      { description: 'Programs that send a signed call, with a placeholder for the secret; null for forms.' },
    ),
  ),
  fault: Nullable(Type.String({ description: 'Why the form of the draft cannot be shown now.' })),
  callCount: Type.Integer({ description: 'Calls so far; of each kind of verdict the newest 20 are kept.' }),
  calls: Type.Array(ListenerCallHead, { description: 'Newest first.' }),
}

/** A test address of a workflow with its calls. */
const Listener = Type.Object(listener)
export type Listener = Static<typeof Listener>

/** A listener with its secret, including in the snippets. */
const RevealedListener = Type.Object({
  ...listener,
  secret: Nullable(
    Type.String({
      description:
        'The signing secret, or the password of the form; null: a password of the workflow, which cannot be read.',
    }),
  ),
})
export type RevealedListener = Static<typeof RevealedListener>

const StartListenerBody = Type.Object({ kind })
export type StartListenerBody = Static<typeof StartListenerBody>

export const listListenersForBuilder = defineOperation({
  ...common,
  id: 'listListeners',
  method: 'GET',
  path,
  summary: 'List the open listeners of a workflow with their calls',
  description: 'The topic `listeners:<workflow id>` of the events says when to refetch.',
  params: WorkflowPathParams,
  success: {
    status: 200,
    description: 'At most one of each kind.',
    body: Type.Object({ data: Type.Array(Listener) }),
  },
  errors: ['workflow_not_found'],
})

export const startListenerForBuilder = defineOperation({
  ...common,
  id: 'startListener',
  method: 'POST',
  path,
  summary: 'Listen to calls of a test address',
  description:
    'For ten minutes, published or not. Its calls are authenticated like those of the webhook or the form, and start and log nothing. ' +
    'An open listener of the kind is kept open for ten more minutes. An organization has at most 40.',
  params: WorkflowPathParams,
  body: StartListenerBody,
  success: {
    status: 201,
    description: 'The listener; with its secret when that is its own.',
    body: RevealedListener,
  },
  errors: ['validation_error', 'workflow_not_found', 'listener_not_found', 'concurrency_limit_reached'],
})

export const revealListenerForBuilder = defineOperation({
  ...common,
  id: 'revealListener',
  method: 'POST',
  path: `${one}/reveal`,
  summary: 'Show the secret of a listener',
  description: 'Where it is the signing secret of the workflow, the audit log records who saw it.',
  params: ListenerParams,
  success: { status: 200, description: 'The listener with its secret.', body: RevealedListener },
  errors: ['workflow_not_found', 'listener_not_found'],
})

export const stopListenerForBuilder = defineOperation({
  ...common,
  id: 'stopListener',
  method: 'DELETE',
  path: one,
  summary: 'Stop listening',
  description:
    'The test address is 404 at once, and its calls are deleted. The response is the same if there is none.',
  params: ListenerParams,
  success: { status: 204, description: 'Listener not found.', body: Type.Null() },
  errors: ['workflow_not_found'],
})

export const getListenerCallForBuilder = defineOperation({
  ...common,
  id: 'getListenerCall',
  method: 'GET',
  path: `${one}/calls/{callId}`,
  summary: 'Get a call of a listener with its headers and its body',
  params: ListenerCallParams,
  success: { status: 200, description: 'The call.', body: ListenerCall },
  errors: ['workflow_not_found', 'listener_not_found'],
})
