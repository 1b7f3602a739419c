import { randomUUID } from 'node:crypto'
import type { NewOutboundCall } from '@troupe/voice'
import { expect, test } from 'vitest'
import type { SqlDriver } from '../../src/sql/client/sql-client.ts'
import { budgetOf } from './budget-fixture.ts'
import { type CallTenant, callOf, createCallTenant, MINUTE_MICROS, openUnlimited } from './call-fixture.ts'
import type { Subject } from './tenant.ts'

const UNIT_S = 60
/** Like the domain's grants: whole units, at least a minute, at most 300 seconds. */
const grant = (remaining: number[]) => {
  const seconds = Math.floor(Math.min(...remaining, 300) / UNIT_S) * UNIT_S
  return seconds < 60 ? 0 : seconds
}

/** Pseudo-random numbers from 0 to 1, reproducible by the seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Leases of voice minutes are columns of the calls in flight. */
export function callLeasesContract(subject: Subject, client: () => SqlDriver): void {
  const sums = async ({ organizationId }: CallTenant, projectId: string | null) => {
    const [row] = await client().execute(
      `select coalesce(sum(coalesce(charged_s, reserved_s)), 0)::int, count(*) filter (where charged_s is null)::int,
         count(*) filter (where (charged_s is null) <> (session_state in ('starting', 'dialing', 'active')))::int
       from voice_sessions where organization_id = $1::uuid and ($2::uuid is null or project_id = $2::uuid)`,
      [organizationId, projectId],
    )
    const [used = -1, inFlight = -1, unsettled = -1] = (row ?? []).map(Number)
    return { used, inFlight, unsettled }
  }
  /** The used minutes of each budget; that of the organization first. */
  const minutesUsed = async ({ organizationId }: CallTenant) => {
    const { budgets } = subject().read
    const all = await budgets.list(organizationId)
    const used = await Promise.all(all.map(({ id }) => budgets.used(organizationId, id)))
    return used.map((micros) => (micros ?? 0) / MINUTE_MICROS)
  }
  const opened = async (call: NewOutboundCall) =>
    (await openUnlimited(subject(), call, grant)).kind === 'opened'

  async function answer(call: NewOutboundCall, at: Date) {
    const { calls, sessions } = subject().voice
    const phaseDeadline = new Date(at.getTime() + 60_000)
    await calls.toDialing(call, { roomSid: 'RM_1', phaseDeadline, at })
    await calls.answered(call, { sipCallId: 'SCL_1', at })
    await sessions.accepted(call, 'worker', at)
    await sessions.ready(call, at)
  }

  test('a budget of two minutes has room for calls that reserve two minutes, and not a second more', async () => {
    const tenant = await createCallTenant(subject(), { minutes: 2 })
    const at = new Date()
    const call = callOf(tenant, at)
    expect(await opened(call)).toBe(true)
    expect(await sums(tenant, null)).toEqual({ used: 120, inFlight: 1, unsettled: 0 })
    expect(await minutesUsed(tenant)).toEqual([2])
    expect(await opened(callOf(tenant, at))).toBe(false)
    await subject().voice.sessions.end(call, { reason: 'canceled', at, billingUnitS: UNIT_S })
    expect(await sums(tenant, null)).toEqual({ used: 0, inFlight: 0, unsettled: 0 })
    expect(await minutesUsed(tenant)).toEqual([0])
    expect(await opened(callOf(tenant, at))).toBe(true)
  })

  test('the ringing deadline moves earlier, never later, and an answer removes it', async () => {
    const tenant = await createCallTenant(subject(), { minutes: 2 })
    const { calls, sessions, upkeep } = subject().voice
    const at = new Date()
    const after = (seconds: number) => new Date(at.getTime() + seconds * 1_000)
    const deadline = async () => (await sessions.byKey(call))?.phaseDeadline
    const call = callOf(tenant, at)
    expect(await opened(call)).toBe(true)
    expect(await sessions.phaseEndsBy(call, after(5))).toBe(false)
    await calls.toDialing(call, { roomSid: 'RM_1', phaseDeadline: after(30), at })
    expect(await sessions.phaseEndsBy(call, after(5))).toBe(true)
    expect(await sessions.phaseEndsBy(call, after(20))).toBe(true)
    expect(await deadline()).toEqual(after(5))
    expect(await calls.answered(call, { sipCallId: 'SCL_1', at })).toBe(true)
    expect(await sessions.phaseEndsBy(call, after(5))).toBe(false)
    expect(await deadline()).toBeNull()

    const unanswered = callOf(tenant, at)
    await sessions.end(call, { reason: 'canceled', at, billingUnitS: UNIT_S })
    expect(await opened(unanswered)).toBe(true)
    await calls.toDialing(unanswered, { roomSid: 'RM_2', phaseDeadline: after(30), at })
    await sessions.phaseEndsBy(unanswered, after(5))
    await upkeep.endOverdue(after(6), { billingUnitS: UNIT_S, limit: 1_000 })
    expect(await sessions.byKey(unanswered)).toMatchObject({ endedReason: 'canceled', chargedS: 0 })
  })

  test('of twenty concurrent calls, as many are opened as the budget has room for', async () => {
    const tenant = await createCallTenant(subject(), { minutes: 17 })
    const at = new Date()
    const results = await Promise.all(Array.from({ length: 20 }, () => opened(callOf(tenant, at))))
    // Three of five minutes, and one of the two that are left.
    expect(results.filter(Boolean)).toHaveLength(4)
    expect(await sums(tenant, null)).toMatchObject({ used: 17 * 60 })
  })

  test('a project has its own budget besides that of the organization', async () => {
    const tenant = await createCallTenant(subject(), { minutes: 60 })
    const { organizationId, projectA, projectB } = tenant
    const metric = 'voice_minutes'
    const budget = budgetOf(tenant, { metric, projectId: projectA, limitMicros: 1.5 * MINUTE_MICROS })
    await subject().transaction(({ write }) => write.budgets.put(budget))
    const at = new Date()
    const call = callOf(tenant, at, { projectId: projectA })
    expect(await opened(call)).toBe(true)
    expect((await subject().voice.sessions.byKey(call))?.reservedS).toBe(60)
    expect(await opened(callOf(tenant, at, { projectId: projectA }))).toBe(false)
    expect(await opened(callOf(tenant, at, { projectId: projectB }))).toBe(true)
    // The organization's budget counts the calls of its projects.
    expect(await minutesUsed(tenant)).toEqual([6, 1])
    const others = await createCallTenant(subject(), { minutes: 1 })
    expect(others.organizationId).not.toBe(organizationId)
    expect(await opened(callOf(others, at))).toBe(true)
  })

  test('without a budget of the organization nothing is reserved, even if a project has one', async () => {
    const tenant = await createCallTenant(subject(), { minutes: 60 })
    const { organizationId, projectA: projectId } = tenant
    const [whole] = await subject().read.budgets.list(organizationId)
    await subject().transaction(async ({ write }) => {
      await write.budgets.delete(organizationId, whole?.id ?? '')
      await write.budgets.put(
        budgetOf(tenant, { metric: 'voice_minutes', projectId, limitMicros: 60_000_000 }),
      )
    })
    const opening = await openUnlimited(subject(), callOf(tenant, new Date(), { projectId }), grant)
    expect(opening).toEqual({ kind: 'refused', refusal: [] })
  })

  test('an ended call is charged the time since the answer, rounded up, and settled once', async () => {
    const tenant = await createCallTenant(subject(), { minutes: 10 })
    const { sessions } = subject().voice
    const at = new Date()
    const after = (seconds: number) => new Date(at.getTime() + seconds * 1_000)
    const charged = async (endedAfterS: number, isAnswered = true) => {
      const call = callOf(tenant, at)
      await openUnlimited(subject(), call, grant)
      if (isAnswered) await answer(call, at)
      const end = (seconds: number) =>
        sessions.end(call, { reason: 'participant_left', at: after(seconds), billingUnitS: UNIT_S })
      const [first, second] = await Promise.all([end(endedAfterS), end(endedAfterS)])
      expect([first, second].filter((row) => row === null)).toHaveLength(1)
      expect(await end(600)).toBeNull()
      return (first ?? second)?.chargedS
    }
    expect(await charged(1)).toBe(60)
    expect(await charged(60)).toBe(60)
    expect(await charged(61)).toBe(120)
    expect(await charged(30, false)).toBe(0)
    expect(await minutesUsed(tenant)).toEqual([4])
  })

  test('a lease grows in its last minute, once for two requests, and is refused when the budget is empty', async () => {
    const tenant = await createCallTenant(subject(), { minutes: 7 })
    const { leases } = subject().voice
    const at = new Date()
    const after = (seconds: number) => new Date(at.getTime() + seconds * 1_000)
    const call = callOf(tenant, at)
    await openUnlimited(subject(), call, grant)
    expect(await leases.extend(call, at, grant)).toBeNull()
    await answer(call, at)
    expect(await leases.extend(call, after(200), grant)).toEqual({ leaseUntil: after(300), granted: true })
    const both = await Promise.all([1, 2].map(() => leases.extend(call, after(250), grant)))
    expect(both).toEqual([1, 2].map(() => ({ leaseUntil: after(420), granted: true })))
    expect(await leases.extend(call, after(380), grant)).toEqual({ leaseUntil: after(420), granted: false })
    await subject().voice.sessions.end(call, {
      reason: 'budget_exhausted',
      at: after(415),
      billingUnitS: UNIT_S,
    })
    expect(await leases.extend(call, after(415), grant)).toBeNull()
    expect(await sums(tenant, null)).toMatchObject({ used: 420 })
  })

  test('concurrent calls, extensions, ends and crashes never exceed the limits', async () => {
    const minutes = 40
    const tenant = await createCallTenant(subject(), { minutes })
    const metric = 'voice_minutes'
    const projectId = tenant.projectA
    const ofProject = budgetOf(tenant, { metric, projectId, limitMicros: 15 * MINUTE_MICROS })
    await subject().transaction(({ write }) => write.budgets.put(ofProject))
    const { leases, sessions, upkeep } = subject().voice
    const random = randomNumbers(20_261_122)
    const start = Date.now()
    const late = (seconds: number) => new Date(start + seconds * 1_000)

    /** One call from its start to its end, or until its process dies. */
    const live = async () => {
      const call = callOf(tenant, late(0), { projectId: random() < 0.5 ? projectId : null })
      if (!(await opened(call)) || random() < 0.15) return
      if (random() < 0.8) await answer(call, late(1))
      if (random() < 0.15) return
      let now = 1
      for (let turn = 0; turn < 3; turn += 1) {
        now += Math.floor(random() * 250)
        const lease = await leases.extend(call, late(now), grant)
        if (lease && lease.leaseUntil <= late(now)) break
      }
      if (random() < 0.15) return
      await sessions.end(call, { reason: 'participant_left', at: late(now), billingUnitS: UNIT_S })
    }
    const check = async () => {
      const whole = await sums(tenant, null)
      expect(whole.used).toBeLessThanOrEqual(minutes * 60)
      expect((await sums(tenant, projectId)).used).toBeLessThanOrEqual(15 * 60)
      expect(whole.unsettled).toBe(0)
      return whole
    }
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(Array.from({ length: 8 }, live).map((one) => one.then(check)))
    }
    const crashed = await check()
    expect(crashed.inFlight).toBeGreaterThan(0)
    // Upkeep ends the calls of crashed processes, after which they reserve nothing.
    for (let left = 1; left > 0; ) {
      left = (await upkeep.endOverdue(late(2_000), { billingUnitS: UNIT_S, limit: 5 })).length
      await check()
    }
    expect((await check()).inFlight).toBe(0)
  })

  test('a key belongs to one call: of two concurrent calls, the second gets the first', async () => {
    const tenant = await createCallTenant(subject(), { minutes: 60 })
    const at = new Date()
    const idempotency = { path: '/api/v1/calls', key: randomUUID(), bodyHash: 'body' }
    const place = () => {
      const call = callOf(tenant, at)
      return openUnlimited(subject(), call, grant, idempotency).then((opening) => ({ call, opening }))
    }
    const [one, other] = await Promise.all([place(), place()])
    const [winner, loser] = one.opening.kind === 'opened' ? [one, other] : [other, one]
    expect(winner.opening.kind).toBe('opened')
    const held = { sessionId: winner.call.id, bodyHash: 'body' }
    expect(loser.opening).toEqual({ kind: 'held', held })
    const { calls, sessions } = subject().voice
    expect(await calls.held(tenant.apiKeyId, idempotency, at)).toEqual(held)
    const nextDay = new Date(at.getTime() + 25 * 3_600_000)
    expect(await calls.held(tenant.apiKeyId, idempotency, nextDay)).toBeNull()
    const end = { reason: 'agent_unavailable', failureReason: 'infra', at, billingUnitS: UNIT_S } as const
    await sessions.end(winner.call, end)
    expect(await calls.held(tenant.apiKeyId, idempotency, at)).toBeNull()
    expect((await place()).opening.kind).toBe('opened')
  })
}
