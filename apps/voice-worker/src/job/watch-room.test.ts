import { DisconnectReason, Room, RoomEvent } from '@livekit/rtc-node'
import { expect, test } from 'vitest'
import { watchRoom } from './watch-room.ts'

/** The calls to a session when its room is gone. */
function told(reason: DisconnectReason | undefined, kind: 'web' | 'outbound_call' = 'web'): string[] {
  const room = new Room()
  const heard: string[] = []
  watchRoom(room, {
    participantIdentity: 'caller',
    kind,
    ended: new AbortController().signal,
    callerPresent() {},
    callStatus() {},
    keyPressed() {},
    end: async (end) => void heard.push(`end ${end}`),
    leave: async () => void heard.push('leave'),
    abandon: async () => void heard.push('abandon'),
  })
  // The native library omits the argument for an unknown reason.
  room.emit(RoomEvent.Disconnected, reason as DisconnectReason)
  return heard
}

test('an agent that loses its connection permanently leaves the session to another one', () => {
  for (const reason of [
    DisconnectReason.SIGNAL_CLOSE,
    DisconnectReason.CONNECTION_TIMEOUT,
    DisconnectReason.SERVER_SHUTDOWN,
    DisconnectReason.UNKNOWN_REASON,
    undefined,
  ]) {
    expect(told(reason), String(reason)).toEqual(['abandon'])
  }
})

test('an agent that is removed, replaced, or whose room is deleted leaves without a report', () => {
  for (const reason of [
    DisconnectReason.ROOM_DELETED,
    DisconnectReason.PARTICIPANT_REMOVED,
    DisconnectReason.DUPLICATE_IDENTITY,
    DisconnectReason.ROOM_CLOSED,
  ]) {
    expect(told(reason), String(reason)).toEqual(['leave'])
  }
})

test('the empty room of an unanswered call is reported', () => {
  expect(told(DisconnectReason.ROOM_CLOSED, 'outbound_call')).toEqual(['end participant_left'])
})
