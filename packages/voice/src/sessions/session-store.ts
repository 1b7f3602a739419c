import type { VoiceSessionId } from '@troupe/contract'
import type { EndedReason, InFlightState, VoiceSessionKey, VoiceSessionRecord } from './session.ts'

/** A session in the browser before its room exists; the row starts as `starting`. */
export type NewWebSession = Pick<
  VoiceSessionRecord,
  | 'id'
  | 'organizationId'
  | 'projectId'
  | 'apiKeyId'
  | 'agentId'
  | 'agentVersionId'
  | 'voiceConfigId'
  | 'roomName'
  | 'participantIdentity'
  | 'endUserRef'
  | 'createdAt'
  | 'expiresAt'
> & { phaseDeadline: Date; jobTokenHash: string }

/** The end of a session. */
export interface SessionEnd {
  reason: EndedReason
  at: Date
  /** The states that it may end from; all in flight when absent. */
  from?: readonly InFlightState[]
  /** Set for `call_failed`. */
  failureReason?: string | null
  /** The message for the caller of the API. */
  failureMessage?: string | null
  sipStatusCode?: number | null
  sipStatus?: string | null
  /** True when the room needs no deletion. */
  roomGone?: boolean
  usage?: unknown
  /** Calls: seconds that a charge is rounded up to. */
  billingUnitS: number
}

/** A change that hands the session to another worker. */
export interface Redispatch {
  /** The attempt that is given up; another value in the row means that another process has already replaced it. */
  formerAttempt: number
  jobTokenHash: string
  at: Date
  /** `loss` and `unready` are counted, each against its own limit. */
  cause: 'loss' | 'unready' | 'draining'
}

/**
 * The rows of voice sessions. Every change is a compare-and-set: null or false means that the row was not in a state
 * that allows it, and nothing was written. A terminal row never changes its state.
 */
export interface VoiceSessionStore {
  /**
   * Takes a slot of the API key and room of a worker, and inserts the row. `no_slot`: the key has `slots` sessions in
   * flight. `no_room`: no worker that was seen since `workersSeenAfter` has room for it.
   */
  openWeb(
    session: NewWebSession,
    limits: { slots: number; workersSeenAfter: Date },
  ): Promise<'opened' | 'no_slot' | 'no_room'>
  /** For workers and webhooks, which know no organization: the id is a secret between the server and its room. */
  locate(id: VoiceSessionId): Promise<VoiceSessionRecord | null>
  /** The session of a room; `roomSid` null, or a row without one, compares the name only. */
  locateRoom(roomName: string, roomSid: string | null): Promise<VoiceSessionRecord | null>
  byKey(key: VoiceSessionKey): Promise<VoiceSessionRecord | null>
  /**
   * The existing sessions among the ids, unordered. For the connections of workers, which were authorized for
   * each session before.
   */
  byIds(ids: readonly VoiceSessionId[]): Promise<VoiceSessionRecord[]>
  /** `starting` → `waiting`: the room exists, and its agent was dispatched. */
  toWaiting(
    key: VoiceSessionKey,
    change: { roomSid: string; phaseDeadline: Date; at: Date },
  ): Promise<boolean>
  /** Records a join of the caller or callee; a session in the browser becomes `active`. */
  joined(key: VoiceSessionKey, at: Date): Promise<boolean>
  /** Records that the caller or callee left, unless they joined again after `at`. */
  left(key: VoiceSessionKey, at: Date): Promise<boolean>
  /** Records that the agent left the room, unless it became ready after `at`. */
  agentLeft(key: VoiceSessionKey, at: Date): Promise<boolean>
  /**
   * Ends the session and, in the same statement, settles the cost of a call: the seconds since the answer, rounded
   * up to the billing unit and at most what was reserved; 0 without an answer or an agent.
   */
  end(key: VoiceSessionKey, end: SessionEnd): Promise<VoiceSessionRecord | null>
  /**
   * Moves the deadline of a call's ringing to an earlier time, never to a later one. False: the call is not
   * ringing.
   */
  phaseEndsBy(key: VoiceSessionKey, deadline: Date): Promise<boolean>
  /** Marks that the room of an ended session needs no further deletion. */
  roomGone(key: VoiceSessionKey): Promise<void>
  redispatch(key: VoiceSessionKey, change: Redispatch): Promise<VoiceSessionRecord | null>
  /** The media server's id of the dispatch of an attempt. */
  dispatched(key: VoiceSessionKey, attempt: number, dispatchId: string): Promise<void>

  /** A worker is about to accept the job. False: the session has ended or another worker has it. */
  accepted(key: VoiceSessionKey, workerId: string, at: Date): Promise<boolean>
  /**
   * Exchanges the one-time token of the dispatch for a session token. `used`: this token was exchanged before, or
   * belongs to a previous dispatch. `over`: the session has ended.
   */
  claim(
    id: VoiceSessionId,
    change: { jobTokenHash: string; sessionTokenHash: string; at: Date },
  ): Promise<{ status: 'claimed'; session: VoiceSessionRecord } | { status: 'used' | 'over' }>
  /** Marks the agent as ready. False: the session has ended. */
  ready(key: VoiceSessionKey, at: Date): Promise<boolean>
  /** Marks that a failover of a provider was used. */
  failedOver(key: VoiceSessionKey): Promise<void>
}

/** The queries of upkeep; rows that another process is changing are skipped. */
export interface VoiceUpkeepStore {
  /**
   * Ends sessions past their limit (`timeout`), and those past the limit of their phase. Oldest first, at most
   * `limit`.
   */
  endOverdue(now: Date, options: { billingUnitS: number; limit: number }): Promise<VoiceSessionRecord[]>
  /**
   * Erases the sessions and calls that ended before the retention of their organization: their turns, their runs, and
   * the caller's identity. Their times, end and cost are kept. A session that was continued later, or is in use, waits.
   */
  eraseExpired(now: Date): Promise<void>
  /** Ended sessions whose rooms are still to be deleted. */
  roomsToDelete(limit: number): Promise<VoiceSessionRecord[]>
  /** Sessions with a room that were created before a time, oldest first. */
  withRooms(createdBefore: Date): Promise<VoiceSessionRecord[]>
  /** Stores when the media server was first found not to have the room; null: it has it. */
  missedProbe(key: VoiceSessionKey, at: Date | null): Promise<void>
  /**
   * Sessions whose worker was not seen since `seenBefore`, or not since the agent left if that was before
   * `leftBefore`; and sessions without a ready agent that were dispatched before `dispatchedBefore`.
   */
  withoutWorker(before: {
    seenBefore: Date
    leftBefore: Date
    dispatchedBefore: Date
  }): Promise<VoiceSessionRecord[]>
}
