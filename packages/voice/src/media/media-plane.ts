import type { PhoneTrunkId, VoiceSessionId } from '@troupe/contract'
/**
 * The media server as voice sessions and calls use it: rooms, participant tokens, the dispatch of voice workers, and
 * phone calls. `packages/livekit` implements it. A method that fails throws a `MediaPlaneError`.
 */
export interface MediaPlane {
  /** Whether the media server answers; read from the last probe, so it costs no round trip. */
  health(): MediaHealth
  /** Creates the room and dispatches a voice worker into it, in one request. Returns the room's server id. */
  createRoom(room: NewRoom): Promise<{ roomSid: string }>
  /** A participant token (a JWT) for one room, valid for 60 minutes. Computed here, without a request. */
  mintToken(participant: { roomName: string; identity: string; sessionId: VoiceSessionId }): Promise<string>
  /**
   * Ends the room for every participant; a missing room is not an error. `isOccupied`: a participant was seen in it, so a
   * media server that does not find it may have lost it.
   */
  deleteRoom(roomName: string, options?: { isOccupied?: boolean }): Promise<void>
  /**
   * Withdraws the previous dispatch, or every one when its id is not known (null), removes its agent from the room, and dispatches
   * another worker. Returns the new dispatch's id.
   */
  redispatch(room: Redispatched): Promise<string>
  /**
   * Whether a media node still serves the room; asks the node itself, not the registry of rooms. Throws when this
   * cannot be determined (the server is down), which is not the same as `false`.
   */
  isRoomAlive(roomName: string): Promise<boolean>
  /** Stores an outbound trunk in the media server and returns its id there. */
  provisionTrunk(trunk: TrunkSettings): Promise<string>
  /** Removes a trunk with its password; a missing trunk is not an error. */
  removeTrunk(mediaTrunkId: string): Promise<void>
  /**
   * Dials into a room and resolves when the call is answered. Throws a `UnansweredCall` for every other outcome.
   * Ended early by `deleteRoom`, which cancels the ringing.
   */
  dial(call: NewCall): Promise<{ sipCallId: string; participantIdentity: string }>
}

export interface MediaHealth {
  /** False while the circuit breaker is open, or when no media server is configured. */
  rooms: boolean
  /** Also false when the SIP bridge does not answer or refuses more calls. */
  calls: boolean
}

/** A room whose worker is replaced. */
export interface Redispatched {
  roomName: string
  /** For the next worker; LiveKit stores it, so it holds no secret but a one-time token. */
  metadata: string
  formerDispatchId: string | null
  /** The previous agent's identity in the room. */
  agentIdentity: string
}

export interface NewRoom {
  roomName: string
  /** Public to the participant: it holds no names and no personal data. */
  metadata: string
  /** For the dispatched worker only: the session id and a one-time token. */
  dispatchMetadata: string
  /** Seconds until a room that nobody joined is closed. */
  emptyTimeoutS: number
  /** Seconds that a participant has to reconnect. */
  departureTimeoutS: number
}

export interface TrunkSettings {
  trunkId: PhoneTrunkId
  name: string
  /** `host[:port]`. */
  address: string
  transport: 'auto' | 'udp' | 'tcp' | 'tls'
  /** Caller ids of the trunk, in the carrier's format. */
  numbers: readonly string[]
  authUsername: string | null
  authPassword: string | null
  headers: Readonly<Record<string, string>>
  mediaEncryption: 'disabled' | 'allowed' | 'required'
}

export interface NewCall {
  sessionId: VoiceSessionId
  roomName: string
  /** The trunk's id in the media server. */
  mediaTrunkId: string
  /** The number in the carrier's format. */
  dialString: string
  fromNumber: string
  participantIdentity: string
  headers: Readonly<Record<string, string>>
  ringingTimeoutS: number
  /** Counted from before the INVITE. */
  maxDurationS: number
  /** Seconds without inbound audio after which the call ends; null: the bridge's default. */
  mediaTimeoutS: number | null
}

/** The media server did not carry out the request. */
export class MediaPlaneError extends Error {
  override readonly name = 'MediaPlaneError'
  /**
   * `unavailable`: not reachable, overloaded or without an answer in time. `not_found`: the room or trunk does not
   * exist. `refused`: a retry would get the same response.
   */
  readonly reason: 'unavailable' | 'not_found' | 'refused'
  /**
   * Whether the request may have had an effect despite the failure: a room whose creation timed out must be
   * deleted.
   */
  readonly mayHaveHappened: boolean
  constructor(
    reason: MediaPlaneError['reason'],
    message: string,
    options: ErrorOptions & { mayHaveHappened?: boolean } = {},
  ) {
    super(message, options)
    this.reason = reason
    this.mayHaveHappened = options.mayHaveHappened ?? false
  }
}

/**
 * An outbound call that was not answered. `failureReason` `infra` is a fault of ours; every other one is the carrier's
 * or the callee's.
 */
export class UnansweredCall extends Error {
  override readonly name = 'UnansweredCall'
  readonly failureReason: CallFailureReason
  /** SIP status code of the carrier; null when none arrived. */
  readonly sipStatusCode: number | null
  /** SIP phrase, at most 120 characters, without control characters and host names; null when none arrived. */
  readonly sipStatus: string | null
  /** The message is for the caller of the API. */
  constructor(
    failureReason: CallFailureReason,
    message: string,
    sip: { statusCode: number | null; status: string | null },
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.failureReason = failureReason
    this.sipStatusCode = sip.statusCode
    this.sipStatus = sip.status
  }
}

export type CallFailureReason =
  | 'busy'
  | 'no_answer'
  | 'invalid_number'
  | 'carrier_unreachable'
  | 'declined'
  | 'trunk_auth'
  | 'carrier_refused'
  | 'media_mismatch'
  | 'carrier_error'
  | 'carrier_limit'
  | 'canceled'
  | 'trunk_lost'
  | 'infra'
  | 'unknown'
