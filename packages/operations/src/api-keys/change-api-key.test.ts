import { ApiKeyId, type DomainError, newId } from '@troupe/contract'
import type { CreateApiKeyBody, NewApiKey } from '@troupe/contract/builder'
import { hashApiKeySecret } from '@troupe/secrets'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { Unchanged } from '../handlers/handler.ts'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'
import { createApiKey, revokeApiKey, updateApiKey } from './change-api-key.ts'
import { rotateApiKey } from './rotate-api-key.ts'

const HOUR_MS = 3_600_000

let teams: Teams & AsyncDisposable
let now: number
let names = 0
beforeAll(async () => {
  teams = await openTeams()
})
afterAll(() => teams[Symbol.asyncDispose]())
beforeEach(() => {
  now = Date.UTC(2026, 10, 2, 9)
  teams.audited()
  teams.parts.told.length = 0
})

const parts = () => ({ ...teams.parts, now: () => now })
const callerOf = ({ organizationId } = teams.scope): BuilderCaller => ({
  ...{ organizationId, projectId: null, role: 'owner', userId: null, actor: BUILDER },
})
const name = () => `key ${++names}`
const create = (body: Partial<CreateApiKeyBody> = {}) =>
  createApiKey(parts(), callerOf(), { name: name(), ...body })
async function created(body: Partial<CreateApiKeyBody> = {}): Promise<NewApiKey> {
  const made = await create(body)
  return made instanceof Unchanged ? expect.fail('it existed before') : made
}
const rotate = (id: string, body = {}) => rotateApiKey(parts(), callerOf(), id, body)
const stored = async (id: string) =>
  (await teams.parts.database.read.apiKeys.list(teams.scope.organizationId)).find((one) => one.id === id)
async function refusal(attempt: Promise<unknown>): Promise<string[]> {
  const { code, errors } = (await attempt.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )) as DomainError
  return [code, ...(errors ?? []).map(({ path, message }) => `${path} ${message}`)]
}

test('the secret of a key is in the answer to its creation only, and its hash in the database', async () => {
  const id = newId(ApiKeyId)
  const body = { id, name: name(), rpm: 5, projectId: teams.project('one') }
  const { apiKey, secret } = await created(body)
  expect(apiKey).toMatchObject({ apiKeyId: id, rpm: 5, projectId: teams.project('one'), revokedAt: null })
  expect(await stored(id)).toMatchObject({ secretHash: hashApiKeySecret(secret ?? '') })
  expect(teams.audited()).toMatchObject([{ action: 'api_key.created', entityId: id, before: null }])
  expect(teams.parts.told).toContain(teams.scope.organizationId)
  const again = await create({ ...body, id: id.toUpperCase() })
  expect(again).toBeInstanceOf(Unchanged)
  expect(again).toMatchObject({ body: { apiKey, secret: null } })
  expect(teams.audited()).toEqual([])
})

test('concurrent creations with one id, or with one name, create one key', async () => {
  const one = { id: newId(ApiKeyId), name: name() }
  const made = await Promise.all([create(one), create(one), create(one)])
  expect(made.filter((answer) => answer instanceof Unchanged)).toHaveLength(2)
  const shared = name()
  const attempts = await Promise.allSettled([create({ name: shared }), create({ name: shared })])
  expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('keys in force have distinct names, and an ended one gets no name back that another has', async () => {
  const taken = name()
  const { apiKey } = await created({ name: taken, expiresAt: new Date(now + HOUR_MS).toISOString() })
  const clash = ['validation_error', 'name is the name of another key']
  expect(await refusal(create({ name: taken }))).toEqual(clash)
  now += 2 * HOUR_MS
  await created({ name: taken })
  const later = { expiresAt: new Date(now + HOUR_MS).toISOString() }
  expect(await refusal(updateApiKey(parts(), callerOf(), apiKey.apiKeyId, later))).toEqual(clash)
  const renamed = await updateApiKey(parts(), callerOf(), apiKey.apiKeyId, { ...later, name: name() })
  expect(renamed.expiresAt).toBe(later.expiresAt)
})

test('an end lies in the future', async () => {
  const past = { expiresAt: new Date(now).toISOString() }
  const fault = ['validation_error', 'expiresAt must be in the future, before the year 10000']
  expect(await refusal(create(past))).toEqual(fault)
  const { apiKey } = await created()
  expect(await refusal(updateApiKey(parts(), callerOf(), apiKey.apiKeyId, past))).toEqual(fault)
  expect(await refusal(rotate(apiKey.apiKeyId, past))).toEqual(fault)
})

test('a revoked key stays revoked, and is neither changed nor rotated', async () => {
  const { apiKey } = await created()
  const revoke = () => revokeApiKey(parts(), callerOf(), apiKey.apiKeyId.toUpperCase())
  const first = await revoke()
  teams.audited()
  now += HOUR_MS
  expect(await revoke()).toEqual(first)
  expect(teams.audited()).toEqual([])
  expect(await refusal(updateApiKey(parts(), callerOf(), apiKey.apiKeyId, { rpm: 1 }))).toEqual([
    'invalid_state',
  ])
  expect(await refusal(rotate(apiKey.apiKeyId))).toEqual(['invalid_state'])
})

test('the successor of a key has its name, project and limit, and the former one ends after the overlap', async () => {
  const { apiKey, secret } = await created({ rpm: 7, projectId: teams.project('two') })
  teams.audited()
  const { apiKey: next, secret: fresh, previousExpiresAt } = await rotate(apiKey.apiKeyId)
  expect(next).toMatchObject({
    ...{ name: apiKey.name, rpm: 7, projectId: apiKey.projectId, replacesId: apiKey.apiKeyId },
  })
  expect(fresh).not.toBe(secret)
  expect(previousExpiresAt).toBe(new Date(now + 24 * HOUR_MS).toISOString())
  const former = await stored(apiKey.apiKeyId)
  expect(former).toMatchObject({ secretHash: hashApiKeySecret(secret ?? ''), revokedAt: null })
  expect(former?.name).toMatch(`${apiKey.name} (replaced 2026-11-02 09:00`)
  expect(teams.audited().map(({ action }) => action)).toEqual(['api_key.rotated', 'api_key.created'])
})

test('a key that would end within the overlap keeps its end', async () => {
  const expiresAt = new Date(now + HOUR_MS).toISOString()
  const { apiKey } = await created({ expiresAt })
  expect((await rotate(apiKey.apiKeyId, { overlapHours: 48 })).previousExpiresAt).toBe(expiresAt)
})

test('of two concurrent rotations one makes a successor', async () => {
  const { apiKey } = await created()
  const attempts = await Promise.allSettled([rotate(apiKey.apiKeyId), rotate(apiKey.apiKeyId)])
  expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const keys = await teams.parts.database.read.apiKeys.list(teams.scope.organizationId)
  expect(keys.filter(({ name: one }) => one === apiKey.name)).toHaveLength(1)
})

test('a key of another organization, and a text that is not an id, are not found', async () => {
  const { apiKey } = await created()
  const elsewhere = callerOf(teams.otherScope)
  for (const [caller, id] of [
    [elsewhere, apiKey.apiKeyId],
    [callerOf(), 'nonsense'],
    [callerOf(), newId(ApiKeyId)],
  ] as const) {
    const attempts = [
      updateApiKey(parts(), caller, id, { rpm: 1 }),
      revokeApiKey(parts(), caller, id),
      rotateApiKey(parts(), caller, id, {}),
    ]
    for (const attempt of attempts) expect(await refusal(attempt)).toEqual(['api_key_not_found'])
  }
})
