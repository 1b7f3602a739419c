import type { MemoryKeeper } from '@troupe/agents/ports'
import { describe, expect, it } from 'vitest'
import { exchange, sessionOf } from './run-builders.ts'
import { createTenant, newId, type Subject } from './tenant.ts'

const TEXTS = Array.from({ length: 20 }, (_, at) => ({ text: `Likes tea ${at}.`, fingerprint: `tea ${at}` }))

/** What several requests delete or change at the same moment. */
export function deletionsContract(subject: Subject): void {
  describe('at the same moment', () => {
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

    it('changes of one user in any order wait for each other, and one of two deletions counts', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const { organizationId } = tenant
      const keeper: MemoryKeeper = {
        organizationId,
        projectId: null,
        kind: 'agent',
        entityId: newId.agent(),
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
      const id = kept[0]?.id ?? ''
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
