import type { NewRoom } from '@troupe/voice'
import { DISPATCH_AGENT_NAME } from '@troupe/voice-protocol'
import { RoomAgentDispatch, type RoomServiceClient } from 'livekit-server-sdk'
import { isNotFound, toMediaPlaneError } from './failures/media-plane-failure.ts'

/** The caller and, while a lost connection is replaced, the caller again. Voice workers do not count. */
const MAX_PARTICIPANTS = 2

export async function createRoom(rooms: RoomServiceClient, room: NewRoom): Promise<{ roomSid: string }> {
  try {
    const created = await rooms.createRoom({
      name: room.roomName,
      emptyTimeout: room.emptyTimeoutS,
      departureTimeout: room.departureTimeoutS,
      maxParticipants: MAX_PARTICIPANTS,
      metadata: room.metadata,
      // Dispatched with the room, in one step; this also turns off the dispatch of any unnamed agent.
      agents: [new RoomAgentDispatch({ agentName: DISPATCH_AGENT_NAME, metadata: room.dispatchMetadata })],
    })
    return { roomSid: created.sid }
  } catch (error) {
    throw toMediaPlaneError(error, 'create the room')
  }
}

export async function deleteRoom(rooms: RoomServiceClient, roomName: string): Promise<void> {
  try {
    await rooms.deleteRoom(roomName)
  } catch (error) {
    if (!isNotFound(error)) throw toMediaPlaneError(error, 'delete the room')
  }
}
