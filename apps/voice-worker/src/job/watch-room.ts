import {
  DisconnectReason,
  type Participant,
  type RemoteParticipant,
  type Room,
  RoomEvent,
} from '@livekit/rtc-node'
import type { LiveSession } from './live-session.ts'

/** Milliseconds in which a browser caller may return. */
const RETURN_MS = 20_000
/** Reasons why this agent lost its place in the room, other than its own end and network failures. */
const LOST_PLACES: ReadonlySet<DisconnectReason> = new Set([
  DisconnectReason.ROOM_DELETED,
  DisconnectReason.PARTICIPANT_REMOVED,
  DisconnectReason.DUPLICATE_IDENTITY,
  DisconnectReason.ROOM_CLOSED,
])
const CALL_STATUS = 'sip.callStatus'
const CALL_ID = 'sip.callID'

/** The part of a session that a room reports to. */
type WatchedSession = Pick<
  LiveSession,
  | 'participantIdentity'
  | 'kind'
  | 'ended'
  | 'callerPresent'
  | 'callStatus'
  | 'keyPressed'
  | 'end'
  | 'leave'
  | 'abandon'
>

/** Reports the events of a room to its session: callers who leave, keys, the state of a call, and the agent's removal. */
export function watchRoom(room: Room, live: WatchedSession): void {
  let leaving: NodeJS.Timeout | null = null
  const isCaller = ({ identity }: RemoteParticipant) => identity === live.participantIdentity
  const stay = () => {
    if (leaving) clearTimeout(leaving)
    leaving = null
  }
  const tellStatus = ({ identity, attributes }: Participant) => {
    const status = attributes[CALL_STATUS]
    if (identity === live.participantIdentity && status !== undefined)
      live.callStatus(status, attributes[CALL_ID] ?? null)
  }
  // The caller may have joined, and a call may have been answered, before this agent took over.
  for (const participant of room.remoteParticipants.values()) {
    if (isCaller(participant)) live.callerPresent(true)
    tellStatus(participant)
  }
  live.ended.addEventListener('abort', stay)
  room.on(RoomEvent.ParticipantConnected, (participant) => {
    if (!isCaller(participant)) return
    stay()
    live.callerPresent(true)
    tellStatus(participant)
  })
  room.on(RoomEvent.ParticipantDisconnected, (participant) => {
    if (!isCaller(participant) || live.ended.aborted) return
    live.callerPresent(false)
    if (live.kind === 'outbound_call') void live.end('participant_left')
    else leaving ??= setTimeout(() => void live.end('participant_left'), RETURN_MS)
  })
  room.on(RoomEvent.ParticipantAttributesChanged, (changed, participant) => {
    if (changed[CALL_STATUS] !== undefined) tellStatus(participant)
  })
  room.on(RoomEvent.DtmfReceived, (_code, key, participant) => {
    if (participant.identity === live.participantIdentity) live.keyPressed(key)
  })
  room.on(RoomEvent.Disconnected, (reason) => {
    // The connection is permanently lost, and the caller may still be there. Abandons before the SDK shuts the job down without a
    // reason.
    if (reason === undefined || !LOST_PLACES.has(reason)) return void live.abandon()
    // An unanswered callee leaves an empty room, which possibly only this agent can report. Otherwise the server has ended the room
    // or is notified of it, or another worker gets the session.
    const isUntold = reason === DisconnectReason.ROOM_CLOSED && live.kind === 'outbound_call'
    void (isUntold ? live.end('participant_left') : live.leave())
  })
}
