import { type MediaPlane, MediaPlaneError } from './media-plane.ts'

/** Voice without a configuration: every request to a media server is refused immediately. */
export function noMediaPlane(): MediaPlane {
  const refuse = () => Promise.reject(new MediaPlaneError('unavailable', 'no media server is configured'))
  return {
    health: () => ({ rooms: false, calls: false }),
    createRoom: refuse,
    mintToken: refuse,
    deleteRoom: refuse,
    redispatch: refuse,
    isRoomAlive: refuse,
    provisionTrunk: refuse,
    removeTrunk: refuse,
    dial: refuse,
  }
}
