import { randomUUID } from 'node:crypto'
import { AgentId, checkedId, newId, RunId, type UsageDimension } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { SqlDriver } from '../../src/sql/client/sql-client.ts'
import type { UsageRank } from '../../src/usage-ledger/port.ts'
import { budgetFixture } from './budget-fixture.ts'
import { endOf, runOn, sessionOf, usage } from './run-builders.ts'
import { createTenant, type Subject, type Tenant } from './tenant.ts'

/** Guarantees of the usage totals. */
export function usageTotalsContract(subject: Subject, client: () => SqlDriver): void {
  const { spend, shift } = budgetFixture(subject, client)
  const today = new Date().toISOString().slice(0, 10)
  const longAgo = new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10)
  const sums = (tenant: Tenant, groupBy: UsageDimension, projectId: Tenant['projectA'] | null = null) => {
    const scope = { organizationId: tenant.organizationId, projectId }
    return subject().usage.sums(scope, { groupBy, from: longAgo, to: today, limit: 1_000 })
  }
  const total = async (tenant: Tenant) => {
    const days = await sums(tenant, 'day')
    return days.reduce((sum, { inputTokens }) => sum + inputTokens, 0)
  }

  /** Restarts the totals: rows from before this are not added to them. */
  const forget = async (age: string) => {
    await client().execute('update usage_rollup set rolled_until = now() - $1::interval', [age])
    await client().execute('delete from usage_totals', [])
    await client().execute('delete from usage_months', [])
  }
  const rollUpOnce = () => client().execute('select roll_up_usage()', [])
  /** Totals of a month that differ from the sums of its days. */
  const differences = () =>
    client().execute(
      `with days as (
        select organization_id, project_id, dimension, date_trunc('month', day)::date as month, key, sum(runs) as runs,
          sum(model_calls) as calls, sum(failed_calls) as failed, sum(input_tokens) as input, sum(cached_tokens) as cached,
          sum(output_tokens) as output, sum(cost_micros) as cost
        from usage_totals where dimension <> 'day' group by 1, 2, 3, 4, 5
      ), months as (
        select organization_id, project_id, dimension, month, key, runs, model_calls, failed_calls, input_tokens,
          cached_tokens, output_tokens, cost_micros
        from usage_months
      )
      (table days except table months) union all (table months except table days)`,
      [],
    )

  it('the largest keys by a measure come first, equal ones by tokens', async () => {
    const db = subject()
    const tenant = await createTenant(db)
    const { organizationId, projectA: projectId } = tenant
    const spent = async (userId: string, calls: Parameters<typeof usage>[0][]) => {
      const run = { runId: newId(RunId), organizationId, projectId, userId, tag: null }
      await db.runs.recordUsage({ ...run, usage: calls.map((call) => usage(call)) })
    }
    await spent('dear', [{ inputTokens: 10, costMicros: 90 }])
    await spent('large', [{ inputTokens: 900, costMicros: null }])
    await spent('failing', [
      { inputTokens: 20, costMicros: null, ok: false },
      { inputTokens: 0, costMicros: null, ok: false },
    ])
    const stopped = { ok: false, errorCode: 'aborted', inputTokens: 1, costMicros: null } as const
    await spent('stopping', [stopped, stopped, stopped])
    const largest = async (rankBy: UsageRank) => {
      const report = { groupBy: 'user', from: longAgo, to: today, limit: 2, rankBy } as const
      const rows = await db.usage.sums({ organizationId, projectId: null }, report)
      return rows.map(({ key }) => key)
    }
    expect(await largest('tokens')).toEqual(['large', 'failing'])
    expect(await largest('cost')).toEqual(['dear', 'large'])
    expect(await largest('errors')).toEqual(['failing', 'large'])
    expect(await largest('runs')).toEqual(['large', 'failing'])
  })

  it('the sums of some keys equal those of the whole report, for any rank', async () => {
    const db = subject()
    const tenant = await createTenant(db)
    const { organizationId, projectA: projectId } = tenant
    for (const [tag, inputTokens] of [
      ['large', 900],
      ['small', 1],
      [null, 2],
    ] as const) {
      const run = { runId: newId(RunId), organizationId, projectId, userId: 'ana', tag }
      await db.runs.recordUsage({ ...run, usage: [usage({ inputTokens })] })
    }
    const scope = { organizationId, projectId: null }
    const report = { groupBy: 'tag' as const, from: longAgo, to: today, limit: 2 }
    const whole = await db.usage.sums(scope, { ...report, limit: 10 })
    const some = await db.usage.sums(scope, { ...report, keys: ['small', null, 'nobody'] })
    expect(some).toEqual(whole.filter(({ key }) => key !== 'large'))
    expect(await db.usage.sums(scope, { ...report, keys: [] })).toEqual([])
  })

  it('a call of the ledger names the key, the agent, the session and the user of its run', async () => {
    const db = subject()
    const tenant = await createTenant(db)
    const run = runOn(tenant, sessionOf(tenant), { source: 'voice', userId: 'caller-7' })
    await db.runs.start(run)
    const call = usage({ agentId: checkedId(AgentId, run.session.entityId) })
    await db.runs.finish(endOf(run, { usage: [call] }))
    const { organizationId, projectId } = run.session
    const later = { runId: run.runId, organizationId, projectId, userId: 'caller-7', tag: null }
    await db.runs.recordUsage({ ...later, usage: [call] })
    const rows = await client().execute(
      'select api_key_id, agent_id, session_id, user_id from usage_records where run_id = $1::uuid',
      [run.runId],
    )
    const named = [tenant.apiKeyId, run.session.entityId, run.session.sessionId, 'caller-7']
    expect(rows).toEqual([named, named])
  })

  describe('totals of usage', () => {
    it('have each call once, however often and concurrently they are rolled up', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      for (const hours of [100, 50, 2, 1]) {
        await spend(db, tenant, { inputTokens: hours, outputTokens: 1 })
        await shift('usage_records', 'created_at', tenant, `${hours} hours`)
      }
      await forget('200 hours')
      await spend(db, tenant, { inputTokens: 7, outputTokens: 1 })
      // Each shift also moved the earlier rows; 100 + 50 + 2 + 1 hours are the oldest.
      expect(await total(tenant)).toBe(160)
      await Promise.all([db.usage.rollUp(), db.usage.rollUp(), db.usage.rollUp()])
      expect(await total(tenant)).toBe(160)
      const [rows] = await client().execute(
        `select sum(input_tokens)::int from usage_totals where organization_id = $1::uuid and dimension = 'day'`,
        [tenant.organizationId],
      )
      expect(rows).toEqual([153])
      await db.usage.rollUp()
      expect(await total(tenant)).toBe(160)
      expect(await differences()).toEqual([])
    })

    it('equal the ledger between any two days, however far it is rolled up', {
      timeout: 60_000,
    }, async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const scope = { organizationId: tenant.organizationId, projectId: null }
      // A call every seven hours for 117 days; two calls per run; every fifth call without a price.
      await client().execute(
        `insert into usage_records (organization_id, run_id, agent_id, purpose, llm_config_id, model_id, attempt,
          is_fallback, input_tokens, cached_tokens, output_tokens, reasoning_tokens, usage_incomplete, cost_micros,
          latency_ms, ok, user_id, created_at)
        select $1::uuid, md5($1::text || n / 2)::uuid, md5('agent' || n % 3)::uuid, 'chat', $1::uuid, 'm', 1, false, n, 1,
          2, 0, false, case when n % 5 > 0 then n end, 1, true, 'user-' || n / 2 % 4,
          now() - n * interval '7 hours' - interval '1 hour'
        from generate_series(1, 400) n`,
        [tenant.organizationId],
      )
      const inLedger = async (from: string, to: string) => {
        const rows = await client().execute(
          `select key, count(distinct run_id) filter (where began between $2::date and $3::date)::int, count(*)::int,
            sum(input_tokens)::int, sum(cost_micros)::int
          from (
            select u.*, u.user_id as key, (u.created_at at time zone 'UTC')::date as day,
              min((u.created_at at time zone 'UTC')::date) over (partition by run_id) as began
            from usage_records u where organization_id = $1::uuid
          ) u
          where day between $2::date and $3::date group by key order by key`,
          [tenant.organizationId, from, to],
        )
        return rows
      }
      const reported = async (from: string, to: string) => {
        const rows = await db.usage.sums(scope, { groupBy: 'user', from, to, limit: 10 })
        return rows
          .map(({ key, runs, modelCalls, inputTokens, costMicros }) => [
            key,
            runs,
            modelCalls,
            inputTokens,
            costMicros,
          ])
          .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
      }
      const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
      const first = (ago: number) => `${day(ago).slice(0, 7)}-01`
      const lastBefore = (date: string) => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)
      const ranges = [
        [day(130), day(0)],
        [day(130), day(-40)],
        [first(90), day(0)],
        [first(90), lastBefore(first(45))],
        [first(60), lastBefore(first(0))],
        [first(45), first(45)],
        [lastBefore(first(45)), first(45)],
        [lastBefore(first(70)), first(10)],
        [day(75), day(3)],
        [day(20), day(20)],
        [day(35), day(9)],
        [first(0), day(0)],
      ] as const
      const agree = async () => {
        for (const [from, to] of ranges) {
          const difference = { from, to, rows: await reported(from, to) }
          expect(difference).toEqual({ from, to, rows: await inLedger(from, to) })
        }
        expect(await differences()).toEqual([])
      }
      await forget('150 days')
      await agree()
      for (let n = 0; n < 90; n += 1) await rollUpOnce()
      await agree()
      await Promise.all([db.usage.rollUp(), db.usage.rollUp()])
      await agree()
    })

    it('are unchanged by a roll-up that does not commit, and the next one adds the same', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      await spend(db, tenant, { inputTokens: 11 })
      await shift('usage_records', 'created_at', tenant, '3 hours')
      await forget('4 hours')
      const crash = new Error('the process ends here')
      const rolledBack = client().transaction(async (inside) => {
        await inside.execute('select roll_up_usage()', [])
        await inside.execute('select roll_up_usage()', [])
        throw crash
      })
      await expect(rolledBack).rejects.toBe(crash)
      const [counts] = await client().execute(
        'select (select count(*)::int from usage_totals), (select count(*)::int from usage_months)',
        [],
      )
      expect(counts).toEqual([0, 0])
      expect(await total(tenant)).toBe(11)
      await db.usage.rollUp()
      expect(await total(tenant)).toBe(11)
      expect(await sums(tenant, 'user')).toMatchObject([{ key: 'ana', inputTokens: 11, modelCalls: 1 }])
      expect(await differences()).toEqual([])
    })

    it('count a run once on the day of its first call, and once for each of its agents', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant, { kind: 'team' }), { source: 'api_sync', tag: 'blue' })
      const [ana, bob] = [randomUUID(), randomUUID()]
      const record = (agentId: string) => {
        const { organizationId } = tenant
        const caller = { runId: run.runId, organizationId, projectId: null, userId: 'ana', tag: 'blue' }
        return db.runs.recordUsage({
          ...caller,
          usage: [usage({ agentId: agentId as never, inputTokens: 1 })],
        })
      }
      await db.runs.start(run)
      await record(ana)
      await shift('usage_records', 'created_at', tenant, '30 hours')
      await forget('40 hours')
      await record(ana)
      await record(bob)
      await shift('usage_records', 'created_at', tenant, '10 minutes')
      const all = async () =>
        Promise.all(
          (['day', 'agent', 'team', 'key', 'user', 'tag'] as const).map(async (groupBy) => {
            const rows = await sums(tenant, groupBy)
            return rows.map(({ key, runs, modelCalls }) => [key, runs, modelCalls])
          }),
        )
      const before = await all()
      expect(before.slice(1)).toEqual([
        expect.arrayContaining([
          [ana, 1, 2],
          [bob, 1, 1],
        ]),
        [[run.session.entityId, 1, 3]],
        [[tenant.apiKeyId, 1, 3]],
        [['ana', 1, 3]],
        [['blue', 1, 3]],
      ])
      expect(before[0]?.map((day) => day[1])).toEqual([1, 0])
      await db.usage.rollUp()
      expect(await all()).toEqual(before)
    })

    it('are limited to the project for a project scope, and never include another organization', async () => {
      const db = subject()
      const [tenant, other] = [await createTenant(db), await createTenant(db)]
      await spend(db, tenant, { inputTokens: 5, costMicros: null }, tenant.projectA)
      await spend(db, tenant, { inputTokens: 3, cachedTokens: 2, costMicros: 40 })
      await spend(db, other, { inputTokens: 100 })
      expect(await sums(tenant, 'user', tenant.projectA)).toMatchObject([
        { inputTokens: 5, costMicros: null },
      ])
      expect(await sums(tenant, 'user')).toMatchObject([
        { key: 'ana', name: 'ana', inputTokens: 8, cachedTokens: 2, costMicros: 40, modelCalls: 2 },
      ])
    })

    it('report some keys for each day, with failed calls, however far they are rolled up', async () => {
      const db = subject()
      const [tenant, other] = [await createTenant(db), await createTenant(db)]
      await client().execute(
        `insert into usage_records (organization_id, run_id, purpose, llm_config_id, model_id, attempt, is_fallback,
          input_tokens, cached_tokens, output_tokens, reasoning_tokens, usage_incomplete, cost_micros, latency_ms, ok,
          error_code, user_id, created_at)
        select case when n % 7 = 0 then $2::uuid else $1::uuid end, md5($1::text || n / 3)::uuid, 'chat', $1::uuid,
          'model-' || n % 3, 1, false, n, 0, 1, 0, false, null, 1, n % 4 > 0,
          case when n % 8 = 0 then 'aborted' when n % 4 = 0 then 'timeout' end, 'u', now() - n * interval '5 hours'
        from generate_series(1, 60) n`,
        [tenant.organizationId, other.organizationId],
      )
      const keys = ['model-0', 'model-2']
      const days = () =>
        db.usage.days(
          { organizationId: tenant.organizationId, projectId: null },
          { groupBy: 'model', keys, from: longAgo, to: today },
        )
      const inLedger = await client().execute(
        `select (created_at at time zone 'UTC')::date::text, model_id, count(*)::int, (count(*) filter (where error_code = 'timeout'))::int,
          sum(input_tokens)::int
        from usage_records where organization_id = $1::uuid and model_id in ('model-0', 'model-2')
        group by 1, 2 order by 1, 2`,
        [tenant.organizationId],
      )
      const told = async () =>
        (await days()).map(({ day, key, modelCalls, failedCalls, inputTokens }) => [
          ...[day, key, modelCalls, failedCalls, inputTokens],
        ])
      await forget('400 hours')
      const before = await days()
      expect(await told()).toEqual(inLedger)
      await rollUpOnce()
      await rollUpOnce()
      expect(await days()).toEqual(before)
      await db.usage.rollUp()
      expect(await days()).toEqual(before)
      expect(await differences()).toEqual([])
      const all = (await sums(tenant, 'model')).reduce((sum, { failedCalls }) => sum + failedCalls, 0)
      const [failed] = await client().execute(
        "select count(*)::int from usage_records where organization_id = $1::uuid and error_code = 'timeout'",
        [tenant.organizationId],
      )
      expect([all]).toEqual(failed)
    })

    it('name the agent, and keep the cost of a deleted session', async () => {
      const db = subject()
      const tenant = await createTenant(db)
      const run = runOn(tenant, sessionOf(tenant))
      await db.runs.start(run)
      await db.runs.finish(endOf(run, { usage: [usage({ inputTokens: 4 })] }))
      await client().execute('delete from sessions where session_id = $1', [run.session.sessionId])
      expect(await sums(tenant, 'key')).toMatchObject([{ key: tenant.apiKeyId, runs: 1, inputTokens: 4 }])
    })
  })
}
