import { newId, PhoneNumberId, PhoneTrunkId } from '@troupe/contract'
import type { WrittenPhoneTrunk } from '@troupe/storage'
import type { SeededCalls } from '@troupe/test-kit/seed-calls'
import type { TestAnswer } from '@troupe/test-kit/server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CallSetting, LONDON, openCalls, refusalOf, SEEDED_NUMBER } from './call-setting.ts'

let calls: CallSetting
beforeAll(async () => {
  calls = await openCalls()
})
afterAll(() => calls[Symbol.asyncDispose]())
afterEach(() => {
  calls.double.bridgeStatus = 200
  calls.double.calls.script = () => ({ answer: true })
})

const UNAVAILABLE = [
  503,
  'voice_infrastructure_unavailable',
  'Voice is temporarily unavailable. Try again shortly.',
]
const errorsOf = ({ body }: TestAnswer) => (body as { errors?: unknown }).errors
const onTrunk = (trunk: Partial<WrittenPhoneTrunk>) => calls.trunk({ trunk })

async function updateTrunk(
  { trunkId }: SeededCalls,
  changes: Partial<WrittenPhoneTrunk>,
  organizationId = calls.server.seed.organizationId,
) {
  const { database } = calls.server.context
  await database.transaction(async ({ read, write }) => {
    const stored = await read.phone.trunk(organizationId, trunkId)
    if (!stored) throw new Error('there is no such trunk')
    const { version, createdAt, updatedAt, ...trunk } = stored
    await write.phone.updateTrunk({ ...trunk, ...changes })
  })
}

describe('the body', () => {
  test.for([
    ['+123456'],
    ['+0123456789'],
    ['+1234567890123456'],
    ['12'],
    ['1234567890123456'],
    ['0207 946 0999'],
    [''],
    ['sip:anyone@carrier.test'],
  ])('is 400 for the number %j', async ([to]) => {
    const on = await calls.trunk()
    const answer = await calls.call(on, { to: to ?? '' })
    expect(answer.status).toBe(400)
    expect(errorsOf(answer)).toEqual([
      { path: 'to', message: 'must be a number in E.164 format or have 3 to 15 digits' },
    ])
  })

  test('is 400 with every missing or malformed id', async () => {
    const answer = await calls.call(await calls.trunk(), { body: { trunkId: 'x' } })
    expect(answer.status).toBe(400)
    expect((errorsOf(answer) as { path: string }[]).map(({ path }) => path).toSorted()).toEqual([
      'phoneNumberId',
      'to',
      'trunkId',
    ])
  })
})

test('an unknown trunk and one of another organization or project are 403 forbidden with one text', async () => {
  const { seed } = calls.server
  const foreign = await calls.trunk({
    organizationId: seed.otherOrganizationId,
    agentId: seed.agents.otherOrganization,
  })
  const ofOther = await calls.trunk({ projectId: seed.otherProjectId, agentId: seed.agents.otherProject })
  const ofWhole = await calls.trunk()
  const unknown = { ...foreign, trunkId: newId(PhoneTrunkId) }
  const expected = [403, 'forbidden', 'This trunk is not available to this API key.']
  for (const on of [foreign, unknown]) expect(refusalOf(await calls.call(on))).toEqual(expected)
  for (const on of [ofOther, ofWhole, unknown]) {
    expect(refusalOf(await calls.call(on, { key: seed.keys.project }))).toEqual(expected)
  }
})

test('a key of a project calls on its trunk', async () => {
  const { projectId, agents, keys } = calls.server.seed
  const on = await calls.trunk({ projectId, agentId: agents.project })
  expect((await calls.call(on, { key: keys.project })).status).toBe(201)
})

test('an inbound trunk is 400 wrong_direction', async () => {
  const answer = await calls.call(await onTrunk({ direction: 'inbound' }))
  expect(refusalOf(answer).slice(0, 2)).toEqual([400, 'wrong_direction'])
})

test.for<[string, Partial<WrittenPhoneTrunk>, string]>([
  ['a draft', { status: 'draft' }, 'The trunk is not active.'],
  ['disabled', { status: 'disabled' }, 'The trunk is not active.'],
  ['failed', { status: 'failed' }, 'The trunk is not active.'],
  ['being provisioned', { status: 'provisioning' }, 'The trunk has not finished provisioning.'],
  [
    'never provisioned',
    { provisionedAt: null, provisionedHash: null },
    'The trunk has not finished provisioning.',
  ],
  ['changed since', { configHash: 'changed' }, 'The trunk has not finished provisioning.'],
])('a trunk that is %s is 400 trunk_not_provisioned', async ([, changes, message]) => {
  expect(refusalOf(await calls.call(await onTrunk(changes)))).toEqual([400, 'trunk_not_provisioned', message])
})

test('an unknown number and one of another trunk are 400 on phoneNumberId with one text', async () => {
  const [on, other] = [await calls.trunk(), await calls.trunk()]
  for (const phoneNumberId of [other.phoneNumberId, newId(PhoneNumberId)]) {
    const answer = await calls.call({ ...on, phoneNumberId })
    expect(refusalOf(answer).slice(0, 2)).toEqual([400, 'validation_error'])
    expect(errorsOf(answer)).toEqual([{ path: 'phoneNumberId', message: 'is not a number of this trunk' }])
  }
})

test('a number without a voice configuration, or with one of an archived agent, is refused', async () => {
  const { database } = calls.server.context
  const { organizationId, agents } = calls.server.seed
  const on = await calls.trunk()
  const bind = (voiceConfigId: SeededCalls['voiceConfigId'] | null) =>
    database.transaction(async ({ read, write }) => {
      const number = await read.phone.number(organizationId, on.phoneNumberId)
      if (!number) throw new Error('there is no such number')
      const { version, createdAt, updatedAt, ...written } = number
      await write.phone.updateNumber({ ...written, voiceConfigId })
    })
  await bind(null)
  const expected = [400, 'phone_number_missing_voice_config']
  expect(refusalOf(await calls.call(on)).slice(0, 2)).toEqual(expected)
  await bind(on.voiceConfigId)
  expect((await calls.call(on)).status).toBe(201)
  const status = (to: 'archived' | 'active') =>
    database.transaction(async ({ read, write }) => {
      const agent = await read.agents.byId(organizationId, agents.organization)
      if (!agent) throw new Error('there is no such agent')
      const { versionId, versionNumber, createdAt, updatedAt, ...written } = { versionNumber: 0, ...agent }
      const actor = { kind: 'system', id: null, ip: null, requestId: null } as const
      await write.agents.update({ ...written, status: to }, actor)
    })
  await status('archived')
  expect(refusalOf(await calls.call(on)).slice(0, 2)).toEqual(expected)
  await status('active')
})

test('a voice whose provider has no usable key is 400, and no call is placed', async () => {
  const { database } = calls.server.context
  const { organizationId, agents } = calls.server.seed
  const on = await calls.trunk()
  const speakBy = (ttsProvider: string) =>
    database.transaction(async ({ read, write }) => {
      const stored = await read.voiceConfigurations.byAgent(organizationId, agents.organization)
      if (!stored) throw new Error('there is no such voice')
      const { version, createdAt, updatedAt, ...written } = stored
      await write.voiceConfigurations.update({ ...written, ttsProvider })
    })
  await speakBy('elevenlabs')
  const dialed = calls.double.calls.dialed.length
  expect(refusalOf(await calls.call(on))).toEqual([
    400,
    'phone_number_missing_voice_config',
    'The voice configuration of the phone number has no usable credential for its provider.',
  ])
  expect(calls.double.calls.dialed).toHaveLength(dialed)
  await speakBy('local-flite')
  expect((await calls.call(on)).status).toBe(201)
})

describe('a forbidden destination is 400 on `to` with one text', () => {
  const expected = [{ path: 'to', message: 'destination not allowed' }]

  test.for([
    ['another country', '+33123456789'],
    ['a premium number', '+449098790000'],
    ['an emergency number', '999'],
    ['an impossible number', '+44207946'],
  ])('%s', async ([, to]) => {
    const answer = await calls.call(await calls.trunk(), { to: to ?? '' })
    expect([answer.status, errorsOf(answer)]).toEqual([400, expected])
  })

  test('a blocked prefix', async () => {
    const answer = await calls.call(await onTrunk({ blockedPrefixes: ['4420'] }))
    expect([answer.status, errorsOf(answer)]).toEqual([400, expected])
  })

  test('the quiet hours of the trunk', async () => {
    const always = { from: '00:00', to: '24:00', timezone: 'UTC' }
    const answer = await calls.call(await onTrunk({ quietHours: always }))
    expect([answer.status, errorsOf(answer)]).toEqual([400, expected])
  })

  test('a confirmed do-not-call number; a proposed one is called', async () => {
    const { database } = calls.server.context
    const { organizationId } = calls.server.seed
    const to = '+442079460777'
    const put = (status: 'proposed' | 'confirmed') =>
      database.transaction(({ write }) =>
        write.phone.putDoNotCall({ organizationId, e164: to, status, reason: 'asked for it' }),
      )
    const on = await calls.trunk()
    await put('proposed')
    expect((await calls.call(on, { to })).status).toBe(201)
    await put('confirmed')
    const answer = await calls.call(on, { to })
    expect([answer.status, errorsOf(answer)]).toEqual([400, expected])
  })
})

test('an organization without a budget of voice minutes is 403 budget_required', async () => {
  const { otherOrganizationId, agents, keys } = calls.server.seed
  const on = await calls.trunk({
    ...{ organizationId: otherOrganizationId, agentId: agents.otherOrganization, minutes: null },
  })
  const { database } = calls.server.context
  const budgets = await database.read.budgets.list(otherOrganizationId)
  await database.transaction(async ({ write }) => {
    for (const { id } of budgets) await write.budgets.delete(otherOrganizationId, id)
  })
  expect(refusalOf(await calls.call(on, { key: keys.otherOrganization }))).toEqual([
    403,
    'budget_required',
    'Configure a voice_minutes budget for this organization before placing calls.',
  ])
})

test('a trunk at its concurrent calls, and a call between the same numbers, are 429 without retry_after', async () => {
  calls.double.calls.script = () => ({ ring: true })
  const on = await onTrunk({ maxConcurrentCalls: 2 })
  const ringing = [calls.call(on)]
  await calls.session(on, ['dialing'])
  const samePair = await calls.call(on)
  expect(refusalOf(samePair).slice(0, 2)).toEqual([429, 'concurrency_limit_reached'])
  expect(samePair.body).not.toHaveProperty('retry_after')
  ringing.push(calls.call(on, { to: '+442079460998' }))
  await expect.poll(async () => (await calls.calls(on)).length).toBe(2)
  expect(refusalOf(await calls.call(on, { to: '+442079460997' }))).toEqual([
    429,
    'concurrency_limit_reached',
    'This trunk already has 2 calls in flight.',
  ])
  await calls.endRinging(on, ringing)
})

test('of twenty concurrent calls five get the five slots of a trunk', async () => {
  calls.double.calls.script = () => ({ ring: true })
  const on = await onTrunk({ maxConcurrentCalls: 5 })
  const number = (index: number) => `+4420794608${String(index).padStart(2, '0')}`
  const answers = Array.from({ length: 20 }, (_, index) => calls.call(on, { to: number(index) }))
  let refusals = 0
  const refused = answers.map(async (answer) => {
    const one = await answer
    if (one.status !== 429) return 'rang'
    refusals += 1
    return refusalOf(one)[1]
  })
  await expect
    .poll(async () => (await calls.calls(on)).filter((row) => row.sessionState === 'dialing').length)
    .toBe(5)
  // A request that is checked after the end of the ringing gets a slot.
  await expect.poll(() => refusals).toBe(15)
  const kinds = await calls.endRinging(on, refused)
  expect(kinds.filter((kind) => kind === 'concurrency_limit_reached')).toHaveLength(15)
  expect(kinds.filter((kind) => kind === 'rang')).toHaveLength(5)
})

test('calls per second, per destination and per day are 429 with the time until the next slot', async () => {
  calls.double.calls.script = () => ({ sipStatus: 486, phrase: 'Busy Here' })
  const refused = async (trunk: Partial<WrittenPhoneTrunk>, to: string) => {
    const on = await onTrunk(trunk)
    expect((await calls.call(on)).status).toBe(502)
    const answer = await calls.call(on, { to })
    expect(refusalOf(answer).slice(0, 2)).toEqual([429, 'rate_limit_exceeded'])
    const { retry_after: retryAfter } = answer.body as { retry_after: number }
    expect(answer.headers['retry-after']).toBe(String(retryAfter))
    return retryAfter
  }
  // A busy machine may take longer than a second for a call, so the window is a minute.
  expect(await refused({ maxCps: 1 / 60 }, '+442079460998')).toBeGreaterThan(30)
  expect(await refused({ maxCallsPerDestinationPerHour: 1 }, LONDON)).toBeGreaterThan(3_590)
  expect(await refused({ dailyCallCap: 1 }, '+442079460998')).toBeGreaterThan(86_000)
})

test('errors of the carrier and of the trunk do not count against a destination', async () => {
  const on = await onTrunk({ maxCallsPerDestinationPerHour: 1 })
  for (const sipStatus of [401, 403, 503]) {
    calls.double.calls.script = () => ({ sipStatus, phrase: 'No' })
    expect((await calls.call(on)).status).toBe(502)
  }
  calls.double.calls.script = () => ({ answer: true })
  expect((await calls.call(on)).status).toBe(201)
})

test('a budget without a minute left is 429 budget_exceeded', async () => {
  const { seed } = calls.server
  const owner = { organizationId: seed.otherOrganizationId, agentId: seed.agents.otherOrganization }
  const on = await calls.trunk({ ...owner, minutes: 0.9 })
  const answer = await calls.call(on, { key: seed.keys.otherOrganization })
  expect(refusalOf(answer)).toEqual([
    429,
    'budget_exceeded',
    "The voice_minutes budget for this call's scope is exhausted.",
  ])
  expect(answer.body).not.toHaveProperty('retry_after')
  await calls.trunk({ ...owner, minutes: 1 })
  expect((await calls.call(on, { key: seed.keys.otherOrganization })).status).toBe(201)
})

test('an unavailable bridge is 503 immediately', async () => {
  const on = await calls.trunk()
  const { media } = calls.server.context.voice.parts
  calls.double.bridgeStatus = 503
  await expect.poll(() => media.health().calls, { timeout: 30_000 }).toBe(false)
  const before = calls.requests().length
  expect(refusalOf(await calls.call(on))).toEqual(UNAVAILABLE)
  expect(calls.requests().slice(before)).toEqual([])
  calls.double.bridgeStatus = 200
  await expect.poll(() => media.health().calls, { timeout: 30_000 }).toBe(true)
}, 120_000)

test('the first refusal in the order wins, and none sends a request to the media server', async () => {
  const always = { from: '00:00', to: '24:00', timezone: 'UTC' }
  const on = await onTrunk({ direction: 'inbound', status: 'draft', quietHours: always })
  const stranger = newId(PhoneNumberId)
  const before = calls.requests().length
  const refused = async (to: string, phoneNumberId = on.phoneNumberId) => {
    const answer = await calls.call({ ...on, phoneNumberId }, { to })
    return [refusalOf(answer)[1], (errorsOf(answer) as { path: string }[] | undefined)?.[0]?.path]
  }
  expect(await refused('+999', stranger)).toEqual(['validation_error', 'to'])
  expect(await refused('999', stranger)).toEqual(['wrong_direction', undefined])
  await updateTrunk(on, { direction: 'outbound' })
  expect(await refused('999', stranger)).toEqual(['trunk_not_provisioned', undefined])
  await updateTrunk(on, { status: 'active' })
  expect(await refused('999', stranger)).toEqual(['validation_error', 'phoneNumberId'])
  expect(await refused(LONDON)).toEqual(['validation_error', 'to'])
  expect(calls.requests().slice(before)).toEqual([])
})

test('of problems with budgets, the media server, the trunk and its caps, the first in the order wins', async () => {
  const { otherOrganizationId, agents, keys } = calls.server.seed
  const { database, voice } = calls.server.context
  const owner = { organizationId: otherOrganizationId, agentId: agents.otherOrganization }
  const allow = (minutes: number) => calls.trunk({ ...owner, minutes })
  const caps = { maxConcurrentCalls: 1, maxCallsPerDestinationPerHour: 1, maxCps: 1 / 3_600 }
  // The ringing call also takes the whole budget.
  const on = await calls.trunk({ ...owner, minutes: 5, trunk: caps })
  calls.double.calls.script = () => ({ ring: true })
  const call = () => calls.call(on, { key: keys.otherOrganization })
  // Rooms of earlier tests may still be emptied and deleted.
  const cleaning = ['RemoveParticipant', 'DeleteRoom']
  const dialed = () =>
    calls.requests().filter((method) => !cleaning.includes(method) && !method.startsWith('List'))
  const ringing = call()
  await calls.session(on, ['dialing'])
  calls.double.bridgeStatus = 503
  await expect.poll(() => voice.parts.media.health().calls, { timeout: 30_000 }).toBe(false)
  const before = dialed().length
  const budgets = await database.read.budgets.list(otherOrganizationId)
  await database.transaction(async ({ write }) => {
    for (const { id } of budgets) await write.budgets.delete(otherOrganizationId, id)
  })
  expect(refusalOf(await call()).slice(0, 2)).toEqual([403, 'budget_required'])
  await allow(5)
  expect(refusalOf(await call())).toEqual(UNAVAILABLE)
  calls.double.bridgeStatus = 200
  await expect.poll(() => voice.parts.media.health().calls, { timeout: 30_000 }).toBe(true)
  expect(refusalOf(await call()).slice(0, 2)).toEqual([429, 'concurrency_limit_reached'])
  expect(dialed().slice(before)).toEqual([])

  await calls.endRinging(on, [ringing])
  await allow(0.9)
  const afterwards = dialed().length
  const tooMany = await call()
  expect(refusalOf(tooMany).slice(0, 2)).toEqual([429, 'rate_limit_exceeded'])
  expect(tooMany.body).toHaveProperty('retry_after')
  await updateTrunk(on, { maxCallsPerDestinationPerHour: 100, maxCps: 100 }, otherOrganizationId)
  expect(refusalOf(await call()).slice(0, 2)).toEqual([429, 'budget_exceeded'])
  expect(dialed().slice(afterwards)).toEqual([])
  await allow(100)
  calls.double.calls.script = () => ({ answer: true })
  expect((await call()).status).toBe(201)
}, 120_000)

// Measures time, which a busy machine distorts: the fastest round counts.
test('checks take less than 20 ms', { retry: 2 }, async () => {
  const on = await onTrunk({ dailyCallCap: 0 })
  const times: number[] = []
  for (let round = 0; round < 11; round += 1) {
    const start = performance.now()
    expect((await calls.call(on)).status).toBe(429)
    times.push(performance.now() - start)
  }
  expect(Math.min(...times)).toBeLessThan(20)
})

test('an answered call has exactly the fields of the specification, and `to` as sent', async () => {
  const on = await onTrunk({ defaultCountry: 'GB' })
  const answer = await calls.call(on, { to: '02079460999' })
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    roomName: expect.stringMatching(/^call_[0-9a-f-]{36}$/),
    sipCallId: expect.stringMatching(/^SCL_/),
    to: '02079460999',
    from: SEEDED_NUMBER,
    trunkId: on.trunkId,
  })
})
