import { expect, test } from 'vitest'
import { type CallTenant, callOf, createCallTenant, openUnlimited } from './call-fixture.ts'
import type { Subject } from './tenant.ts'

const NOW = new Date()
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000)
const HOUR_S = 3_600

/** The answered calls of trunks, as read by the fraud detection. */
export function callTrafficContract(subject: Subject): void {
  /** A call answered `agoS` seconds ago; `talkedS` null: still in progress. */
  async function placed(tenant: CallTenant, agoS: number, talkedS: number | null): Promise<void> {
    const call = callOf(tenant, ago(agoS))
    await openUnlimited(subject(), call, () => 60)
    const { calls, sessions } = subject().voice
    const at = ago(agoS)
    await calls.toDialing(call, { roomSid: 'RM_1', phaseDeadline: NOW, at })
    await calls.answered(call, { sipCallId: 'SCL_1', at })
    if (talkedS === null) return
    await sessions.end(call, { reason: 'participant_left', at: ago(agoS - talkedS), billingUnitS: 60 })
  }
  const trafficOf = async ({ trunkId }: CallTenant, busyS: number) =>
    (await subject().voice.calls.traffic(NOW, busyS)).find((traffic) => traffic.trunkId === trunkId)

  test('the traffic of a trunk counts the answered calls of the last hour, and those that ended within six seconds', async () => {
    const tenant = await createCallTenant(subject(), { minutes: 1_000 })
    await openUnlimited(subject(), callOf(tenant, ago(30)), () => 60)
    expect(await trafficOf(tenant, 0)).toBeUndefined()
    for (const [agoS, talkedS] of [
      [3_700, 100],
      [1_000, 5],
      [900, 6],
      [100, null],
    ] as const) {
      await placed(tenant, agoS, talkedS)
    }
    expect(await trafficOf(tenant, HOUR_S)).toEqual({
      organizationId: tenant.organizationId,
      trunkId: tenant.trunkId,
      answered: 3,
      short: 1,
      talkedS: 111,
      busiestTalkedS: 0,
    })
  })

  test('the traffic of a busy trunk includes the busiest hour of the seven days before, without the last hour', async () => {
    const tenant = await createCallTenant(subject(), { minutes: 1_000 })
    const day = 24 * HOUR_S
    for (const [agoS, talkedS] of [
      [60, 50],
      [HOUR_S + 60, 40],
      [3 * day - 60, 100],
      [3 * day - 120, 30],
      [6 * day, 120],
      [8 * day, 500],
    ] as const) {
      await placed(tenant, agoS, talkedS)
    }
    expect(await trafficOf(tenant, 50)).toMatchObject({ talkedS: 50, busiestTalkedS: 0 })
    expect(await trafficOf(tenant, 49)).toMatchObject({ talkedS: 50, busiestTalkedS: 130 })
  })
}
