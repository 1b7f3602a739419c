import type { MediaEvent, MediaPlane } from '@troupe/voice'
import { AgentDispatchClient, RoomServiceClient, SipClient } from 'livekit-server-sdk'
import { createProbe } from './create-probe.ts'
import { dial } from './dial.ts'
import { isRoomAlive, redispatch } from './dispatches.ts'
import { participantToken } from './participant-token.ts'
import { provisionTrunk, removeTrunk } from './provision-trunk.ts'
import { createRoom, deleteRoom } from './rooms.ts'
import { createWebhookVerifier } from './verify-webhook.ts'

export interface LivekitConfig {
  /** The server API, `http://host:port` or `https://host`. */
  httpUrl: string
  apiKey: string
  /** At least 32 characters. */
  apiSecret: string
  /** The SIP bridge's health page; null without one, then calls are as healthy as rooms. */
  sipHealthUrl: string | null
}

/** A LiveKit server as the media plane. */
export interface Livekit extends MediaPlane {
  /**
   * Checks whether the server and the SIP bridge respond, within 1.5 seconds; `health` returns the result. Two consecutive failures open
   * the breaker, one success closes it. To be called every 2 seconds. Never throws.
   */
  probe(): Promise<void>
  /**
   * The event of a webhook, or null when the request was not signed by this server. `rawBody` is the received body: the signature covers
   * its bytes.
   */
  verifyWebhook(rawBody: string, authorization: string | undefined): Promise<MediaEvent | null>
}

/** Long enough for a busy server; shorter than a stall that a caller of the API would notice. */
const REQUEST_TIMEOUT_S = 2
/** For a request about a dead room, the server responds only after 3 seconds, when no media node has claimed it. */
const DISPATCH_TIMEOUT_S = 5

/** The media plane over a self-hosted LiveKit server. Opens no connection until it is used. */
export function createLivekit({ httpUrl, apiKey, apiSecret, sipHealthUrl }: LivekitConfig): Livekit {
  // Failover looks for other regions of LiveKit's cloud, which a self-hosted server does not have.
  const options = { requestTimeout: REQUEST_TIMEOUT_S, failover: false }
  const rooms = new RoomServiceClient(httpUrl, apiKey, apiSecret, options)
  const sip = new SipClient(httpUrl, apiKey, apiSecret, options)
  const dispatches = new AgentDispatchClient(httpUrl, apiKey, apiSecret, {
    ...options,
    requestTimeout: DISPATCH_TIMEOUT_S,
  })
  const probe = createProbe({ httpUrl, sipHealthUrl })

  return {
    health: probe.health,
    probe: probe.probe,
    verifyWebhook: createWebhookVerifier({ apiKey, apiSecret }),
    mintToken: (participant) => participantToken({ apiKey, apiSecret }, participant),
    createRoom: (room) => createRoom(rooms, room),
    deleteRoom: (roomName, options) => deleteRoom(rooms, roomName, options),
    redispatch: (room) => redispatch({ dispatches, rooms }, room),
    isRoomAlive: (roomName) => isRoomAlive(dispatches, roomName),
    provisionTrunk: (trunk) => provisionTrunk(sip, trunk),
    removeTrunk: (mediaTrunkId) => removeTrunk(sip, mediaTrunkId),
    dial: (call) => dial(sip, call),
  }
}
