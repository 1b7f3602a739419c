import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SqlDriver } from '../../src/sql/client/sql-client.ts'
import { createTenant, type Subject, SYSTEM } from './tenant.ts'
import { publisher } from './workflow-builders.ts'

/** Noon (UTC) some days ago, as SQL; for today a time shortly after midnight, which is already past. */
const noon = (ago: string) =>
  `(date_trunc('day', now() at time zone 'UTC') + case when ${ago} = 0 then interval '0' else interval '12 hours' end
    - ${ago} * interval '1 day') at time zone 'UTC'`

/** The number of runs per outcome and number of days ago. */
const RUNS = `(values (0, 'completed', 2), (0, 'failed', 1), (0, 'running', 4), (1, 'failed', 3), (6, 'completed', 1),
  (7, 'completed', 5), (8, 'failed', 5)) as made(ago, status, number)`
const EXPECTED = { ok: [1, 0, 0, 0, 0, 0, 2], failed: [0, 0, 0, 0, 0, 3, 1] }

export function weekOfRunsContract(subject: Subject, driver: () => SqlDriver): void {
  describe('a week of runs in a list', () => {
    it('counts the ended runs of a workflow on their days, without tests', async () => {
      const db = subject()
      const { tenant, workflow, versionId } = await publisher(db)
      const { organizationId } = tenant
      const insert = (kind: string, from: string) => `
        insert into workflow_runs (id, organization_id, workflow_id, deployment_id, version_id, kind, source, status, input,
            variables, created_at)
          select gen_random_uuid(), '${organizationId}', '${workflow.id}', gen_random_uuid(), '${versionId}', '${kind}',
            'api_async', made.status, '{}', '{}', ${noon('made.ago')} from ${from};`
      const each = `${RUNS}, generate_series(1, made.number)`
      await driver().script(insert('run', each) + insert('test', each))
      const weekOf = async () => (await db.read.builder.workflows.byId(organizationId, workflow.id))?.week
      expect(await weekOf()).toEqual(EXPECTED)
      const { rows } = await db.read.builder.workflows.page(organizationId, {})
      expect(rows.map(({ week }) => week)).toEqual([EXPECTED])
      // A busy last day is counted up to its limit, and does not reduce the other days.
      await driver().script(
        insert('run', `(values (0, 'completed')) as made(ago, status), generate_series(1, 1500)`),
      )
      expect(await weekOf()).toEqual({ ...EXPECTED, ok: [1, 0, 0, 0, 0, 0, 1_000] })
    })

    it('counts the ended runs of an agent on their days, without trials and calls of teams', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const { organizationId } = tenant
      const agent = tenant.agent()
      await db.transaction(({ write }) => write.agents.insert(agent, SYSTEM))
      const sessionId = randomUUID()
      const insert = (changes: { parent: string; isTest: boolean }, rows = RUNS) => `
        insert into runs (id, organization_id, kind, entity_id, entity_version_id, session_row_id, parent_run_id, source,
            status, user_id, include_messages, is_test, created_at)
          select gen_random_uuid(), '${organizationId}', 'agent', '${agent.id}', gen_random_uuid(), '${sessionId}',
            ${changes.parent}, 'api_sync', made.status, 'ana', false, ${changes.isTest}, ${noon('made.ago')}
          from ${rows}, generate_series(1, made.number);`
      await driver().script(
        [
          `insert into sessions (id, organization_id, kind, entity_id, session_id, user_id, last_seq)
            values ('${sessionId}', '${organizationId}', 'agent', '${agent.id}', 's', 'ana', 0);`,
          insert({ parent: 'null', isTest: false }),
          insert({ parent: 'null', isTest: true }),
          insert({ parent: `(select id from runs where entity_id = '${agent.id}' limit 1)`, isTest: false }),
        ].join(''),
      )
      const filter = { q: null, sort: 'name', projectId: null, status: null, page: 1, limit: 20 } as const
      const { rows } = await db.overviews.page('agent', organizationId, filter, new Date())
      expect(rows.map(({ week }) => week)).toEqual([EXPECTED])
      const found = await db.overviews.find('agent', organizationId, agent.id, new Date())
      expect(found?.week).toEqual(EXPECTED)
      // Of a busy day only the newest runs are read: the older ones of yesterday's noon are not counted.
      const busy = `(values (1, 'completed', 1998)) as made(ago, status, number)`
      const later = `update runs set created_at = created_at + interval '1 hour'
        where entity_id = '${agent.id}' and status = 'completed' and created_at = ${noon('1')};`
      await driver().script(insert({ parent: 'null', isTest: false }, busy) + later)
      const read = await db.overviews.find('agent', organizationId, agent.id, new Date())
      expect(read?.week).toEqual({ ok: [1, 0, 0, 0, 0, 1_000, 2], failed: [0, 0, 0, 0, 0, 2, 1] })
    })
  })
}
