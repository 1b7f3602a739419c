import { DISPATCH_AGENT_NAME } from '@troupe/contract/voice-worker'
import { MediaPlaneError, type NewRoom } from '@troupe/voice'
import { RoomAgentDispatch, type RoomServiceClient } from 'livekit-server-sdk'
import { isNotFound, saysThatNodeIsUnknown, toMediaPlaneError } from './failures/media-plane-failure.ts'

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
      // Dispatched with the room, in one step; this also disables the dispatch of any unnamed agent.
      agents: [new RoomAgentDispatch({ agentName: DISPATCH_AGENT_NAME, metadata: room.dispatchMetadata })],
    })
    return { roomSid: created.sid }
  } catch (error) {
    throw toMediaPlaneError(error, 'create the room')
  }
}

/** Seconds after which a room that was recreated only for its deletion expires, if its deletion fails. */
const UNWANTED_ROOM_S = 10

/**
 * Deletes a room for all participants; a nonexistent one is ignored. A media node keeps its rooms in memory, but deletes only those that
 * Redis knows. After a Redis restart with an empty database, the room is alive and "not found", so "not found" is trusted only for a room
 * without known participants. Recreating it tells Redis which node has it (with several nodes, a newly chosen one), and the node stores the
 * room when its agent speaks or leaves. Until then this throws, so that the caller retries. A liveness check would not help: a node that
 * has not reconnected to its Redis does not respond, exactly as for a room that is gone.
 */
export async function deleteRoom(
  rooms: RoomServiceClient,
  roomName: string,
  { isOccupied = false }: { isOccupied?: boolean } = {},
): Promise<void> {
  const first = await tryToDelete(rooms, roomName)
  if (first === 'deleted' || (first === 'not_found' && !isOccupied)) return
  try {
    await rooms.createRoom({ name: roomName, emptyTimeout: UNWANTED_ROOM_S })
  } catch (error) {
    throw toMediaPlaneError(error, 'find the room to delete')
  }
  if ((await tryToDelete(rooms, roomName)) === 'deleted') return
  throw new MediaPlaneError('unavailable', 'The media server did not delete the room: its Redis has lost it')
}

/** `without_node`: Redis knows the room, but not the media node that has it. */
async function tryToDelete(
  rooms: RoomServiceClient,
  roomName: string,
): Promise<'deleted' | 'not_found' | 'without_node'> {
  try {
    await rooms.deleteRoom(roomName)
    return 'deleted'
  } catch (error) {
    if (isNotFound(error)) return 'not_found'
    if (saysThatNodeIsUnknown(error)) return 'without_node'
    throw toMediaPlaneError(error, 'delete the room')
  }
}
