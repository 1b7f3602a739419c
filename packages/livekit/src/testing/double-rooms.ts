import { randomUUID } from 'node:crypto'
import { DoubleError, objectsOf, textOf, type WireObject } from './double-wire.ts'

export interface DoubleDispatch {
  id: string
  agentName: string
  metadata: string
}

export interface DoubleRoom {
  name: string
  sid: string
  metadata: string
  /** The creation request, in LiveKit's JSON. */
  request: WireObject
  dispatches: DoubleDispatch[]
}

/** The rooms of a double, with LiveKit's responses about them. */
export class DoubleRooms {
  readonly #rooms = new Map<string, DoubleRoom>()
  /** Called with the name of each room that ends. */
  onEnded: (roomName: string) => void = () => {}

  list(): readonly DoubleRoom[] {
    return [...this.#rooms.values()]
  }

  create(body: WireObject): WireObject {
    const name = textOf(body, 'name')
    const dispatches = objectsOf(body, 'agents').map((agent) => newDispatch(agent))
    // LiveKit responds to the creation of an existing room with that room.
    const room: DoubleRoom = this.#rooms.get(name) ?? {
      name,
      sid: `RM_${shortId()}`,
      metadata: textOf(body, 'metadata'),
      request: body,
      dispatches,
    }
    this.#rooms.set(name, room)
    return { sid: room.sid, name, metadata: room.metadata }
  }

  delete(body: WireObject): WireObject {
    const name = textOf(body, 'room')
    if (!this.#rooms.delete(name)) throw new DoubleError(404, 'not_found', 'requested room does not exist')
    this.onEnded(name)
    return {}
  }

  /** The media node that served the room died. Without a webhook, as after `kill -9`. */
  lose(roomName: string): void {
    if (this.#rooms.delete(roomName)) this.onEnded(roomName)
  }

  listDispatches(body: WireObject): WireObject {
    return { agentDispatches: this.#served(body).dispatches.map((dispatch) => ({ ...dispatch })) }
  }

  createDispatch(body: WireObject): WireObject {
    const dispatch = newDispatch(body)
    this.#served(body).dispatches.push(dispatch)
    return { ...dispatch, room: textOf(body, 'room') }
  }

  deleteDispatch(body: WireObject): WireObject {
    const room = this.#served(body)
    const id = textOf(body, 'dispatchId')
    const at = room.dispatches.findIndex((dispatch) => dispatch.id === id)
    if (at < 0) throw new DoubleError(404, 'not_found', 'agent dispatch not found')
    room.dispatches.splice(at, 1)
    return { id, room: room.name }
  }

  /** Rooms of a double have no participants. */
  removeParticipant(body: WireObject): WireObject {
    this.#served(body)
    throw new DoubleError(404, 'not_found', 'participant does not exist')
  }

  /** Only a media node that serves the room responds for it. LiveKit detects after 3 seconds that there is none. */
  #served(body: WireObject): DoubleRoom {
    const room = this.#rooms.get(textOf(body, 'room'))
    if (room === undefined) {
      throw new DoubleError(503, 'unavailable', 'twirp error unknown: no response from servers')
    }
    return room
  }
}

function newDispatch(from: WireObject): DoubleDispatch {
  return {
    id: `AD_${shortId()}`,
    agentName: textOf(from, 'agentName'),
    metadata: textOf(from, 'metadata'),
  }
}

export function shortId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 12)
}
