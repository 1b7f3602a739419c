import type { MemoryKeeper } from '@troupe/agents/ports'
import {
  AgentId,
  AgentVersionId,
  ApiKeyId,
  checkedId,
  MemoryId,
  newId,
  VoiceConfigurationId,
  VoiceSessionId,
} from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import { exchange, sessionOf } from './run-builders.ts'
import { createTenant, type Subject } from './tenant.ts'
import { everyWorker } from './voice-room.ts'

const NOW = new Date()
const TEXTS = Array.from({ length: 20 }, (_, at) => ({ text: `Likes tea ${at}.`, fingerprint: `tea ${at}` }))

/** Concurrent deletions and changes. */
export function deletionsContract(subject: Subject): void {
  describe('concurrently', () => {
    it('a session is deleted once, and is gone for the other request', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      for (let round = 0; round < 10; round += 1) {
        const key = sessionOf(tenant)
        await exchange(db, tenant, key, 'one')
        const { organizationId } = tenant
        const named = { agentId: null, teamId: null }
        const [session] = await db.read.sessions.named(organizationId, key.sessionId, named)
        if (!session) throw new Error('the run has made no session')
        const outcomes = await Promise.all(
          [1, 2].map(() => db.transaction(({ write }) => write.sessions.delete(organizationId, session.id))),
        )
        expect(outcomes.toSorted()).toEqual(['deleted', 'gone'])
      }
    })

    it('a transcript that arrives during a deletion is deleted or not stored', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const { organizationId } = tenant
      for (let round = 0; round < 10; round += 1) {
        const key = sessionOf(tenant)
        await exchange(db, tenant, key, 'hello')
        const id: VoiceSessionId = checkedId(VoiceSessionId, key.sessionId)
        const voice = { organizationId, id }
        await db.voice.sessions.openWeb(
          {
            ...{
              ...voice,
              projectId: null,
              apiKeyId: newId(ApiKeyId),
              agentId: checkedId(AgentId, key.entityId),
            },
            ...{
              agentVersionId: newId(AgentVersionId),
              voiceConfigId: newId(VoiceConfigurationId),
              roomName: `vs_${id}`,
            },
            ...{ participantIdentity: 'caller', endUserRef: null, createdAt: NOW, phaseDeadline: NOW },
            ...{ expiresAt: new Date(NOW.getTime() + 3_600_000), jobTokenHash: 'hash' },
          },
          { slots: 5, ...(await everyWorker(db)) },
        )
        await db.voice.sessions.end(voice, { reason: 'participant_left', at: NOW, billingUnitS: 60 })
        const [session] = await db.read.sessions.named(organizationId, key.sessionId, {
          agentId: null,
          teamId: null,
        })
        if (!session) throw new Error('the run has made no session')
        const said = (itemId: string) => ({
          ...{ itemId, role: 'user' as const, text: 'hello', interrupted: false },
          ...{ runId: null, metrics: {}, createdAt: NOW },
        })
        await Promise.all([
          ...['a', 'b', 'c'].map((item) => db.voice.turns.append(voice, [said(item)])),
          db.transaction(({ write }) => write.sessions.delete(organizationId, session.id)),
          ...['d', 'e'].map((item) => db.voice.turns.append(voice, [said(item)])),
        ])
        expect(await db.voice.turns.list(voice)).toEqual([])
      }
    })

    it('changes of one user in any order wait for each other, and one of two deletions counts', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const { organizationId } = tenant
      const keeper: MemoryKeeper = {
        organizationId,
        projectId: null,
        kind: 'agent',
        entityId: newId(AgentId),
        scope: 'agent',
        userId: 'ana',
      }
      for (let round = 0; round < 10; round += 1) {
        await Promise.all(
          [TEXTS, TEXTS.toReversed(), TEXTS].map((add) =>
            db.memories.change(keeper, { add, forget: [] }, 100),
          ),
        )
      }
      const kept = await db.memories.of(keeper, 100)
      expect(kept).toHaveLength(TEXTS.length)
      const id = kept[0]?.id ?? newId(MemoryId)
      const outcomes = await Promise.all(
        [1, 2].map(() => db.transaction(({ write }) => write.memories.delete(organizationId, id))),
      )
      expect(outcomes.toSorted()).toEqual([false, true])
      await Promise.all([
        db.transaction(({ write }) => write.memories.forgetUser({ organizationId, projectId: null }, 'ana')),
        db.memories.change(keeper, { add: TEXTS.toReversed(), forget: [] }, 100),
      ])
      expect([0, TEXTS.length]).toContain((await db.memories.of(keeper, 100)).length)
    })
  })
}
