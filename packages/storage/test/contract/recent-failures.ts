import { newId, RunId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { SqlClient } from '../../src/sql/client/sql-client.ts'
import { usage } from './run-builders.ts'
import { createTenant, type Subject } from './tenant.ts'
import { accepted, claimed, commit, earlier, publisher } from './workflow-builders.ts'

const DAY_S = 24 * 3_600

export function recentFailuresContract(subject: Subject, client: () => SqlClient): void {
  describe('failures of a day', () => {
    it('count from the end of a run, however long before it started', async () => {
      const db = subject()
      const from = await publisher(db)
      const { organizationId } = from.tenant
      const ended = async (error: string, days: { begun: number; ended: number }) => {
        const run = await accepted(db, from)
        await earlier(client(), run, (days.begun - days.ended) * DAY_S)
        const to = { status: 'failed', output: null, error } as const
        await commit(db, await claimed(db, run), to)
        await earlier(client(), run, days.ended * DAY_S)
        return run
      }
      const rejected = await ended('Rejected 12 of 13.\nMore', { begun: 9, ended: 0 })
      await ended('Rejected 1 of 2.', { begun: 3, ended: 0.5 })
      await ended('Long ago.', { begun: 3, ended: 2 })
      const { failures } = await db.observed.attention(organizationId, null)
      expect(failures).toMatchObject([
        {
          ...{ cause: 'Rejected … of ….', count: 2 },
          ...{ lastRunId: rejected.runId, lastError: 'Rejected 12 of 13.' },
        },
      ])
      const [{ since = 0, lastAt = 0 } = {}] = failures
      expect(Math.round((lastAt - since) / 1_000 / DAY_S)).toBe(9)
      const failuresOf = await db.observed.attention(organizationId, from.tenant.projectA)
      expect(failuresOf.failures).toEqual([])
    })
  })

  describe('Home', () => {
    it('does not count a workflow started by a schedule as a first run, but one started by a person', async () => {
      const db = subject()
      const from = await publisher(db)
      const hasRun = async () => (await db.observed.attention(from.tenant.organizationId, null)).steps.run
      await accepted(db, from, { source: 'schedule' })
      expect(await hasRun()).toBe(false)
      await accepted(db, from, { source: 'builder' })
      expect(await hasRun()).toBe(true)
    })

    it('does not list a model whose calls were stopped as failing', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const { organizationId } = tenant
      const llm = tenant.llm()
      await db.transaction(({ write }) => write.llmConfigurations.insert(llm))
      const record = (errorCode: string) => {
        const call = usage({ llmConfigId: llm.id, ok: false, errorCode })
        const run = { runId: newId(RunId), organizationId, projectId: null, userId: 'ana', tag: null }
        return db.runs.recordUsage({ ...run, usage: [call, call, call] })
      }
      const failing = async () => (await db.observed.attention(organizationId, null)).failingModels
      await record('aborted')
      expect(await failing()).toEqual([])
      await record('timeout')
      expect(await failing()).toMatchObject([{ calls: 6, failed: 3, lastError: 'timeout' }])
    })
  })
}
