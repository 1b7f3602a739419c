import { DISPATCH_AGENT_NAME } from '@troupe/contract/voice-worker'
import type { Redispatched } from '@troupe/voice'
import type { AgentDispatchClient, RoomServiceClient } from 'livekit-server-sdk'
import { isNotFound, saysThatNobodyAnswered, toMediaPlaneError } from './failures/media-plane-failure.ts'

/**
 * The previous agent leaves the room before the next one is dispatched: its process may be alive although its worker is dead. The server
 * identifies the jobs of a room by the identities of their agents, so an agent that is replaced in the room takes the next one's job with
 * it.
 */
export async function redispatch(
  { dispatches, rooms }: { dispatches: AgentDispatchClient; rooms: RoomServiceClient },
  room: Redispatched,
): Promise<string> {
  try {
    await withdraw(dispatches, room.roomName, room.formerDispatchId)
    await remove(rooms, room.roomName, room.agentIdentity)
    const dispatch = await dispatches.createDispatch(room.roomName, DISPATCH_AGENT_NAME, {
      metadata: room.metadata,
    })
    return dispatch.id
  } catch (error) {
    throw toMediaPlaneError(error, 'dispatch a voice worker')
  }
}

async function remove(rooms: RoomServiceClient, roomName: string, identity: string): Promise<void> {
  try {
    await rooms.removeParticipant(roomName, identity)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** Withdraws one dispatch, or all when the id is unknown: a new room does not return the id of its own dispatch. */
async function withdraw(dispatches: AgentDispatchClient, roomName: string, id: string | null): Promise<void> {
  const ids = id === null ? (await dispatches.listDispatch(roomName)).map((dispatch) => dispatch.id) : [id]
  for (const former of ids) {
    try {
      await dispatches.deleteDispatch(former, roomName)
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}

/**
 * Listing dispatches must reach the media node that serves the room. The list of rooms comes from Redis, which keeps rooms of dead nodes
 * indefinitely.
 */
export async function isRoomAlive(dispatches: AgentDispatchClient, roomName: string): Promise<boolean> {
  try {
    await dispatches.listDispatch(roomName)
    return true
  } catch (error) {
    if (isNotFound(error) || saysThatNobodyAnswered(error)) return false
    throw toMediaPlaneError(error, 'return the room')
  }
}
