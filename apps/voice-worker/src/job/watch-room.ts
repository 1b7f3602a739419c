import {
  DisconnectReason,
  type Participant,
  type RemoteParticipant,
  type Room,
  RoomEvent,
} from '@livekit/rtc-node'
import type { LiveSession } from './live-session.ts'

/** Milliseconds in which a caller in a browser may come back. */
const RETURN_MS = 20_000
/** Why this agent is in the room no longer, although neither it nor the network wanted it. */
const LOST_PLACES: ReadonlySet<DisconnectReason> = new Set([
  DisconnectReason.ROOM_DELETED,
  DisconnectReason.PARTICIPANT_REMOVED,
  DisconnectReason.DUPLICATE_IDENTITY,
  DisconnectReason.ROOM_CLOSED,
])
const CALL_STATUS = 'sip.callStatus'
const CALL_ID = 'sip.callID'

/** What a room tells of. */
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

/** Tells the session what happens in its room: callers who leave, keys, the state of a call, and its own removal. */
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
  // The caller may have come, and a call may have been answered, before this agent took it over.
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
    // The connection is gone for good, and the caller may be there still. Before the SDK shuts the job down, which says nothing.
    if (reason === undefined || !LOST_PLACES.has(reason)) return void live.abandon()
    // A callee who never answered leaves an empty room, and nobody else may be there to tell. Otherwise the server has ended
    // the room or hears of it, or another worker gets the session.
    const isUntold = reason === DisconnectReason.ROOM_CLOSED && live.kind === 'outbound_call'
    void (isUntold ? live.end('participant_left') : live.leave())
  })
}
