import { KnowledgeBaseId, LlmConfigId, newId } from '@troupe/contract'
import { rankByWords } from '@troupe/knowledge'
import { describe, expect, it } from 'vitest'
import { chunk, knowledgeBuilders } from './knowledge-builders.ts'
import { createTenant, type Subject, SYSTEM } from './tenant.ts'

/** Searches ignore the case of every letter, in any locale of the database. */
export function letterCaseContract(subject: Subject): void {
  const { base, ready, texts } = knowledgeBuilders(subject)

  describe('letters beyond ASCII', () => {
    it.for([
      'ÜBERGABE',
      'übergabe',
      'БЕРЛИН',
      'берлин',
      'straße ć',
      '100%_ö',
    ])('are found in any case in lists: %s', async (q) => {
      const db = subject()
      const tenant = await createTenant(db)
      const { organizationId } = tenant
      const text = 'Übergabe Берлин Straße Ć 100%_Ö'
      const agent = tenant.agent({ name: text })
      const described = tenant.agent({ name: 'Other', description: `It says: ${text}` })
      const llm = tenant.llm({ name: text })
      const baseId = newId(KnowledgeBaseId)
      await db.transaction(async ({ write }) => {
        await write.agents.insert(agent, SYSTEM)
        await write.agents.insert(described, SYSTEM)
        await write.llmConfigurations.insert(llm)
        await write.knowledge.insertBase({
          ...{ id: baseId, organizationId, projectId: null, slug: null, name: text, lang: 'english' },
          embedding: { llmConfigId: newId(LlmConfigId), modelId: 'emb-1' },
          ...{ chunkTokens: 400, overlapTokens: 60 },
        })
      })
      await db.voice.calls.proposeDoNotCall(organizationId, '+442079460999', text)
      const page = { page: 1, limit: 20 }
      const filter = { q, sort: 'name', projectId: null, status: null, ...page } as const
      const agents = await db.overviews.page('agent', organizationId, filter, new Date())
      expect(agents.rows.map(({ id }) => id)).toEqual([described.id, agent.id])
      const llms = await db.read.builder.llmConfigurations.page(organizationId, { q })
      expect(llms.rows.map(({ id }) => id)).toEqual([llm.id])
      const bases = await db.read.knowledge.basePage({ organizationId, projectId: null }, { q, ...page })
      expect(bases.rows.map(({ id }) => id)).toEqual([baseId])
      const found = await db.observed.search(organizationId, q, 20)
      expect(found.map(({ id }) => id).sort()).toEqual([agent.id, llm.id, baseId].sort())
      expect((await db.read.phone.doNotCall(organizationId, { ...page, q })).total).toBe(1)
    })

    it('are sorted without regard to case', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      for (const name of ['ÄC', 'äb', 'ÄA']) {
        await db.transaction(({ write }) => write.agents.insert(tenant.agent({ name }), SYSTEM))
      }
      const filter = { q: null, sort: 'name', projectId: null, status: null, page: 1, limit: 20 } as const
      const { rows } = await db.overviews.page('agent', tenant.organizationId, filter, new Date())
      expect(rows.map(({ name }) => name)).toEqual(['ÄA', 'äb', 'ÄC'])
    })

    it('are found in any case in passages, beside every sign', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const baseId = await base(tenant)
      const passage = '„ÜBERGABE“—ÄRGER… «Ünal»–¿Ñandú? ПРИВЕТ! “ÉTÉ”·Größe → ½ €5 👋Öl👋 हिन्दी। שָׁלוֹם׃'
      await ready(tenant, baseId, [chunk(0, passage)])
      const words = ['übergabe', 'Ärger', 'ÜNAL', 'ñandú', 'привет', 'été', 'größe', 'öl', 'हिन्दी', 'שָׁלוֹם']
      for (const question of words) {
        const found = await db.knowledge.matching({ baseIds: [baseId], filters: {} }, 'english', question)
        const ids = rankByWords(found.words, { passages: found.chunks, limit: 1 })
        expect(await texts(ids), question).toEqual([passage])
      }
    })
  })
}
