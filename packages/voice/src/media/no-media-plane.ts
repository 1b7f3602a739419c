import { type MediaPlane, MediaPlaneError } from './media-plane.ts'

/** Voice that is not configured: everything that needs a media server is refused at once. */
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
