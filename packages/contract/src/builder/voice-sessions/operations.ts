import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { AgentId, ProjectId, SessionRowId, VoiceSessionId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { KeysetPage, keysetQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

const VOICE_SESSION_STATES = ['starting', 'waiting', 'dialing', 'active', 'completed', 'failed'] as const

/** A spoken conversation: in the browser, or in an outbound call. */
export const ListedVoiceSession = Type.Object({
  voiceSessionId: Uuid<VoiceSessionId>(),
  kind: Choice(['web', 'outbound_call']),
  state: Choice(VOICE_SESSION_STATES, {
    description: '`waiting` for the caller, in the browser only; `dialing` in calls only.',
  }),
  endedReason: Nullable(
    Type.String({ description: 'Such as `participant_left`; null while it is in flight.' }),
  ),
  failureMessage: Nullable(
    Type.String({
      description: 'Why a call was not connected, as a sentence; null: it was, or this is not a call.',
    }),
  ),
  sipStatusCode: Nullable(
    Type.Integer({ description: "The carrier's last answer, such as 486; null: none." }),
  ),
  agent: Type.Object({
    id: Uuid<AgentId>(),
    name: Nullable(Type.String({ description: 'null: it is deleted.' })),
  }),
  projectId: Nullable(Uuid<ProjectId>()),
  userId: Nullable(Type.String({ description: '`end_user_ref` of the request.' })),
  to: Nullable(Type.String({ description: 'The number that was called, E.164; null in the browser.' })),
  createdAt: IsoTimestamp(),
  connectedAt: Nullable(
    IsoTimestamp({ description: 'When the caller last joined, or the callee answered; null: never.' }),
  ),
  endedAt: Nullable(IsoTimestamp()),
  voiceMinutes: Nullable(
    Type.Number({
      description: "Billed seconds: a call's charge, else the time connected; null until it ends.",
    }),
  ),
  sessionId: Nullable(
    Uuid<SessionRowId>({
      description: 'The conversation with its turns, for `GET …/sessions/{id}`; null: nothing was said.',
    }),
  ),
})
export type ListedVoiceSession = Static<typeof ListedVoiceSession>

/** Voice sessions in a list. */
export const listVoiceSessionsForBuilder = defineOperation({
  id: 'listVoiceSessions',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/voice-sessions`,
  tag: 'Voice',
  summary: 'List voice sessions and outbound calls',
  description:
    'Newest first. At most 5,000 are examined for one page: with a rare filter a page may be short and still have a `next`.',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object({
    agentId: Type.Optional(Uuid<AgentId>()),
    state: Type.Optional(
      Choice(['in_flight', 'completed', 'failed'], {
        description: '`in_flight`: every one that has not ended.',
      }),
    ),
    projectId: Type.Optional(Type.Union([Uuid<ProjectId>(), Type.Literal('none')])),
    ...keysetQuery,
  }),
  success: { status: 200, description: 'One page of voice sessions.', body: KeysetPage(ListedVoiceSession) },
  errors: ['validation_error'],
})
