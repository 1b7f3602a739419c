import { randomUUID } from 'node:crypto'
import {
  AgentId,
  AgentVersionId,
  ApiKeyId,
  checkedId,
  newId,
  OrganizationId,
  SessionRowId,
  VoiceConfigurationId,
  VoiceSessionId,
} from '@troupe/contract'
import { ENDED_REASONS, type EndedReason, type NewWebSession, type VoiceSessionRecord } from '@troupe/voice'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { createTenant, type Subject } from './tenant.ts'
import { everyWorker } from './voice-room.ts'

const START = Date.parse('2026-11-22T12:00:00Z')
const at = (seconds: number) => new Date(START + seconds * 1_000)
const end = (reason: EndedReason, seconds: number) => ({ reason, at: at(seconds), billingUnitS: 60 })

export function voiceSessionsContract(subject: Subject, client: () => SqlClient): void {
  describe('voice sessions', () => contract(subject, client))
}

function contract(subject: Subject, client: () => SqlClient): void {
  let organizationId: OrganizationId
  beforeEach(async () => {
    organizationId = (await createTenant(subject())).organizationId
  })

  const voice = () => subject().voice
  const newSession = (apiKeyId: ApiKeyId = newId(ApiKeyId)): NewWebSession => {
    const id = newId(VoiceSessionId)
    return {
      ...{ id, organizationId, projectId: null, apiKeyId, agentId: newId(AgentId) },
      ...{
        agentVersionId: newId(AgentVersionId),
        voiceConfigId: newId(VoiceConfigurationId),
        roomName: `vs_${id}`,
      },
      ...{ participantIdentity: 'caller', endUserRef: null, createdAt: at(0), phaseDeadline: at(15) },
      ...{ expiresAt: at(3_600), jobTokenHash: `hash ${id}` },
    }
  }
  const open = async (session: NewWebSession) =>
    voice().sessions.openWeb(session, { slots: 5, ...(await everyWorker(subject())) })
  const opened = async (): Promise<NewWebSession> => {
    const session = newSession()
    expect(await open(session)).toBe('opened')
    return session
  }
  const stored = async (session: Pick<NewWebSession, 'id'>): Promise<VoiceSessionRecord> => {
    const found = await voice().sessions.locate(session.id)
    if (!found) throw new Error('no session')
    return found
  }

  it('grants a key five slots under twenty concurrent starts, and another key its own', async () => {
    const [key, other]: ApiKeyId[] = [newId(ApiKeyId), newId(ApiKeyId)]
    const starts = Array.from({ length: 20 }, () => open(newSession(key)))
    const others = Array.from({ length: 4 }, () => open(newSession(other)))
    expect((await Promise.all(starts)).filter((opening) => opening === 'opened')).toHaveLength(5)
    expect(await Promise.all(others)).toEqual(Array(4).fill('opened'))
  })

  it('counts neither ended sessions nor those past their end', async () => {
    const key: ApiKeyId = newId(ApiKeyId)
    const sessions = Array.from({ length: 5 }, () => newSession(key))
    for (const session of sessions) await open(session)
    expect(await open(newSession(key))).toBe('no_slot')
    await voice().sessions.end(sessions[0] ?? newSession(), end('agent_ended', 1))
    expect(await open(newSession(key))).toBe('opened')
    expect(await open(newSession(key))).toBe('no_slot')
    const later = { ...newSession(key), createdAt: at(3_600), expiresAt: at(7_200) }
    expect(await open(later)).toBe('opened')
  })

  it('are summed up for some keys, for any rank', async () => {
    for (const [endUserRef, seconds] of [
      ['long', 90],
      ['short', 20],
      [null, 30],
    ] as const) {
      const session = { ...newSession(), endUserRef }
      expect(await open(session)).toBe('opened')
      const change = { roomSid: 'RM', phaseDeadline: at(300), at: at(1) }
      await voice().sessions.toWaiting(session, change)
      await voice().sessions.joined(session, at(1))
      await voice().sessions.end(session, end('agent_ended', 1 + seconds))
    }
    const day = at(0).toISOString().slice(0, 10)
    const report = { groupBy: 'user' as const, from: day, to: day, limit: 2 }
    const spoken = async (keys?: (string | null)[]) => {
      const scope = { organizationId, projectId: null }
      const rows = await subject().usage.voiceSeconds(scope, { ...report, ...(keys && { keys }) })
      return rows.map(({ key, seconds }) => [key, seconds])
    }
    expect(await spoken()).toEqual([
      ['long', 90],
      [null, 30],
    ])
    expect(await spoken(['short', null, 'nobody'])).toEqual([
      [null, 30],
      ['short', 20],
    ])
  })

  it('reads nothing of another organization', async () => {
    const session = await opened()
    const foreign = { organizationId: newId(OrganizationId), id: session.id }
    const { sessions } = voice()
    expect(await sessions.byKey(foreign)).toBeNull()
    expect(await sessions.joined(foreign, at(1))).toBe(false)
    expect(await sessions.ready(foreign, at(1))).toBe(false)
    expect(await sessions.end(foreign, end('agent_ended', 1))).toBeNull()
    expect((await stored(session)).sessionState).toBe('starting')
  })

  it('lets one worker exchange the token of the dispatch, once, and none after the end', async () => {
    const session = await opened()
    const { sessions } = voice()
    const claim = () =>
      sessions.claim(session.id, {
        jobTokenHash: session.jobTokenHash,
        sessionTokenHash: 'of the session',
        at: at(1),
      })
    expect(await sessions.accepted(session, 'w1', at(1))).toBe(true)
    const claims = await Promise.all([claim(), claim()])
    expect(claims.map(({ status }) => status).toSorted()).toEqual(['claimed', 'used'])
    expect(await stored(session)).toMatchObject({ jobTokenHash: null, workerId: 'w1' })
    await sessions.end(session, end('agent_ended', 2))
    expect((await claim()).status).toBe('over')
  })

  it('makes a worker end jobs that are over or that another worker has, but not one that it is about to claim', async () => {
    const [mine, ended, others, unclaimed] = [await opened(), await opened(), await opened(), await opened()]
    const { sessions, workers } = voice()
    for (const session of [mine, ended]) await sessions.accepted(session, 'w-beat', at(1))
    await sessions.accepted(others, 'w-other', at(1))
    await sessions.end(ended, end('timeout', 2))
    const named = [mine, ended, others, unclaimed].map(({ id }) => id)
    const beat = {
      workerId: 'w-beat',
      capacity: 5,
      draining: false,
      version: '1',
      sessionIds: named,
      callersPresent: [],
    }
    const answer = await workers.beat(beat, at(3))
    expect(answer.end.toSorted()).toEqual([ended.id, others.id].toSorted())
    expect((await stored(mine)).workerSeenAt).toEqual(at(3))
    expect((await stored(others)).workerSeenAt).toEqual(at(1))
  })

  it('counts a caller as joined if a worker sees them in the room, with or without a webhook', async () => {
    const [unseen, seen, told] = [await opened(), await opened(), await opened()]
    const { sessions, workers } = voice()
    for (const session of [unseen, seen, told]) {
      await sessions.accepted(session, 'w-caller', at(1))
      await sessions.toWaiting(session, { roomSid: 'RM', phaseDeadline: at(300), at: at(1) })
    }
    await sessions.joined(told, at(2))
    const sessionIds = [unseen, seen, told].map(({ id }) => id)
    const beat = { workerId: 'w-caller', capacity: 5, draining: false, version: '1', sessionIds }
    await workers.beat({ ...beat, callersPresent: [seen.id, told.id] }, at(4))
    await workers.beat({ ...beat, callersPresent: [seen.id, told.id] }, at(6))
    expect(await stored(unseen)).toMatchObject({ sessionState: 'waiting', joinedAt: null })
    expect(await stored(seen)).toMatchObject({
      sessionState: 'active',
      joinedAt: at(4),
      phaseDeadline: null,
    })
    expect(await stored(told)).toMatchObject({ sessionState: 'active', joinedAt: at(2) })
    // Another worker cannot report that.
    await workers.beat({ ...beat, workerId: 'w-foreign', callersPresent: sessionIds }, at(7))
    expect(await stored(unseen)).toMatchObject({ sessionState: 'waiting' })
  })

  it('counts a caller as gone if they left in the second in which a worker saw the join, but not if they joined after it', async () => {
    const session = await opened()
    const { sessions } = voice()
    await sessions.toWaiting(session, { roomSid: 'RM_1', phaseDeadline: at(300), at: at(1) })
    await sessions.joined(session, at(10.4))
    expect(await sessions.left(session, at(9))).toBe(false)
    expect(await sessions.left(session, at(10))).toBe(true)
    await sessions.joined(session, at(12))
    expect(await sessions.left(session, at(11))).toBe(false)
  })

  it('finds a worker with room only while it is seen, not draining and not full', async () => {
    const { workers } = voice()
    const lists = { sessionIds: [], callersPresent: [] }
    const beat = { workerId: 'w-room', capacity: 1, draining: false, version: '1', ...lists }
    const later = (seconds: number) => at(1_000_000 + seconds)
    expect(await workers.hasRoom(later(0))).toBe(false)
    await workers.beat(beat, later(1))
    expect(await workers.hasRoom(later(0))).toBe(true)
    expect(await workers.hasRoom(later(1))).toBe(false)
    await workers.beat({ ...beat, draining: true }, later(2))
    expect(await workers.hasRoom(later(0))).toBe(false)
    await workers.beat({ ...beat, sessionIds: [newId(VoiceSessionId)] }, later(3))
    expect(await workers.hasRoom(later(0))).toBe(false)
    await workers.sweep(later(4))
  })

  it('grants the last three slots of a worker to three of twenty concurrent starts, and keeps no row of the others', async () => {
    const { sessions, workers } = voice()
    const later = (seconds: number) => at(2_000_000 + seconds)
    const beat = { workerId: 'w-last', draining: false, version: '1', sessionIds: [], callersPresent: [] }
    // Sessions of other tests no longer wait for a worker at that time: they are past their end.
    await workers.beat({ ...beat, capacity: 3 }, later(1))
    const starts = Array.from({ length: 20 }, (): NewWebSession => {
      return { ...newSession(), createdAt: later(1), expiresAt: later(3_600) }
    })
    const limits = { slots: 5, workersSeenAfter: later(0) }
    const openings = await Promise.all(starts.map((session) => sessions.openWeb(session, limits)))
    expect(openings.toSorted()).toEqual([...Array(17).fill('no_room'), ...Array(3).fill('opened')])
    const rows = await Promise.all(starts.map(({ id }) => sessions.locate(id)))
    expect(rows.map((row) => row !== null)).toEqual(openings.map((opening) => opening === 'opened'))
    for (const session of starts) await sessions.end(session, end('agent_ended', 2_000_002))
    await workers.sweep(later(2))
  })

  it('stores an item once, however often it is sent', async () => {
    const session = await opened()
    const turn = (itemId: string, text: string) => ({
      ...{ itemId, role: 'user' as const, text, interrupted: false },
      ...{ runId: null, metrics: { sttMs: 200 }, createdAt: at(1) },
    })
    await voice().turns.append(session, [turn('a', 'hel'), turn('b', 'bye'), turn('a', 'hello')])
    await voice().turns.append(session, [turn('b', 'bye')])
    expect((await voice().turns.list(session)).map(({ seq, text }) => [seq, text])).toEqual([
      [1, 'hello'],
      [2, 'bye'],
    ])
  })

  it('stores no item that arrives while the session is deleted', async () => {
    for (let round = 0; round < 5; round++) {
      const session = await opened()
      const say = (itemId: string) =>
        voice().turns.append(session, [
          {
            itemId,
            role: 'user',
            text: itemId,
            interrupted: false,
            runId: null,
            metrics: null,
            createdAt: at(1),
          },
        ])
      await say('first')
      await voice().sessions.end(session, end('agent_ended', 2))
      // The session of runs has the id of its voice session.
      const deletion = subject().transaction(({ write }) =>
        write.sessions.delete(organizationId, checkedId(SessionRowId, String(session.id))),
      )
      const [outcome] = await Promise.all([deletion, say('late'), say('later'), say('last')])
      expect(outcome).toBe('deleted')
      expect(await voice().turns.list(session)).toEqual([])
    }
  })

  it('settles a call with its end: rounded up, never above the reservation, nothing without answer or agent', async () => {
    const asCall = async (columns: string, reservedS = 300) => {
      const session = await opened()
      await client().execute(
        `update voice_sessions set kind = 'outbound_call', session_state = 'active', ${columns}, reserved_s = ${reservedS} where id = $1`,
        [session.id],
      )
      const ended = await voice().sessions.end(session, end('participant_left', 125))
      return ended?.chargedS
    }
    const answered = `answered_at = '${at(0).toISOString()}'`
    const ready = `first_ready_at = '${at(0).toISOString()}'`
    expect(await asCall(`${answered}, ${ready}`)).toBe(180)
    expect(await asCall(`${answered}, ${ready}`, 120)).toBe(120)
    expect(await asCall(answered)).toBe(0)
    expect(await asCall(ready)).toBe(0)
    // One call lost a worker before its agent was ready; the other was handed over to the next worker, which is not
    // ready yet.
    expect(await asCall(`${answered}, losses = 1`)).toBe(0)
    expect(await asCall(`${answered}, ${ready}, agent_ready_at = null`)).toBe(180)
    const web = await voice().sessions.end(await opened(), end('agent_ended', 1))
    expect(web?.chargedS).toBeNull()
  })

  it('records an event once', async () => {
    const id = randomUUID()
    expect([await voice().events.note(id, at(0)), await voice().events.note(id, at(1))]).toEqual([
      true,
      false,
    ])
    await voice().events.sweep(at(1))
    expect(await voice().events.note(id, at(2))).toBe(true)
  })

  const reasons = Object.keys(ENDED_REASONS) as EndedReason[]
  const step = fc.oneof(
    fc.constant('wait' as const),
    fc.constant('join' as const),
    fc.constant('leave' as const),
    fc.constant('ready' as const),
    fc.constant('redispatch' as const),
    fc.constant('agent left' as const),
    fc.constantFrom(...reasons),
  )

  it('moves only forward in any order of events: a terminal session never changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const session = await opened()
        let expected = 'starting'
        let final: VoiceSessionRecord | null = null
        for (const [index, one] of steps.entries()) {
          await perform(session, one, index + 1)
          expected = nextState(expected, one)
          const now = await stored(session)
          expect(now.sessionState).toBe(expected)
          if (final) expect(now).toEqual(final)
          else if (expected === 'completed' || expected === 'failed') final = now
        }
      }),
      { numRuns: 40 },
    )
  })

  async function perform(session: NewWebSession, one: string, seconds: number): Promise<void> {
    const { sessions } = voice()
    if (one === 'wait') {
      const change = { roomSid: 'RM_1', phaseDeadline: at(300), at: at(seconds) }
      await sessions.toWaiting(session, change)
    } else if (one === 'join') await sessions.joined(session, at(seconds))
    else if (one === 'leave') await sessions.left(session, at(seconds))
    else if (one === 'ready') await sessions.ready(session, at(seconds))
    else if (one === 'agent left') await sessions.agentLeft(session, at(seconds))
    else if (one === 'redispatch') {
      const { dispatchAttempt: formerAttempt } = await stored(session)
      await sessions.redispatch(session, { formerAttempt, jobTokenHash: 'x', at: at(seconds), cause: 'loss' })
    } else await sessions.end(session, end(one as EndedReason, seconds))
  }
}

/** The state machine of sessions in the browser. */
function nextState(state: string, step: string): string {
  const isOver = state === 'completed' || state === 'failed'
  if (isOver) return state
  if (Object.hasOwn(ENDED_REASONS, step)) return ENDED_REASONS[step as EndedReason]
  if (step === 'wait' && state === 'starting') return 'waiting'
  if (step === 'join' && state === 'waiting') return 'active'
  return state
}
