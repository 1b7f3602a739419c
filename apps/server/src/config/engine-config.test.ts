import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { readEnv } from './env.ts'
import { ConfigError } from './problems.ts'

const KEY = 'publickeyv1_2G8dCQhArfvGpzPw5Vx2ALciR4xCLHfS5YaT93XjNxX9'
const INGRESS = { RESTATE_INGRESS_URL: 'http://restate:8080' }
const REPLICAS = { ...INGRESS, DATABASE_URL: 'postgres://db/troupe', REDIS_URL: 'redis://cache' }

const read = (env: Record<string, string>) => readConfig(readEnv(env))
function problems(env: Record<string, string>): readonly string[] {
  try {
    read(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('the engine', () => {
  test('is in this process, or Restate by its ingress', () => {
    expect(read({ TROUPE_WORKER_CONCURRENCY: '8' }).engine).toEqual({ kind: 'local', concurrency: 8 })
    expect(read({ RESTATE_INGRESS_URL: 'http://restate:8080/' }).engine).toEqual({
      kind: 'restate',
      ingressUrl: 'http://restate:8080',
      adminUrl: null,
      worker: { host: '127.0.0.1', port: 9080, advertisedUrl: 'http://127.0.0.1:9080', concurrency: 64 },
      identityKeys: [],
    })
  })

  test('of Restate has an admin interface, a worker address and keys', () => {
    const given = {
      ...INGRESS,
      RESTATE_ADMIN_URL: 'https://restate:9070/admin/',
      RESTATE_WORKER_HOST: '0.0.0.0',
      RESTATE_WORKER_PORT: '9081',
      RESTATE_WORKER_URL: 'http://workers:9080',
      RESTATE_IDENTITY_KEYS: `${KEY}, ${KEY}`,
    }
    expect(read(given).engine).toMatchObject({
      adminUrl: 'https://restate:9070/admin',
      worker: { host: '0.0.0.0', port: 9081, advertisedUrl: 'http://workers:9080' },
      identityKeys: [KEY, KEY],
    })
    const ipv6 = read({ ...INGRESS, RESTATE_WORKER_HOST: '::1' }).engine
    expect(ipv6).toMatchObject({ worker: { advertisedUrl: 'http://[::1]:9080' } })
  })

  test('has no worker in a process without that role', () => {
    const { engine } = read({ ...REPLICAS, TROUPE_ROLES: 'api', RESTATE_WORKER_HOST: '0.0.0.0' })
    expect(engine).toMatchObject({ kind: 'restate', worker: null })
  })

  test.each([
    ['RESTATE_ADMIN_URL', 'http://restate:9070'],
    ['RESTATE_WORKER_PORT', '9081'],
    ['RESTATE_IDENTITY_KEYS', KEY],
  ])('half of Restate, %s alone, is refused', (name, value) => {
    expect(problems({ [name]: value })).toEqual([
      `${name} is set, but RESTATE_INGRESS_URL is not. Set both to use Restate, or none.`,
    ])
  })

  test.each([
    'RESTATE_INGRESS_URL',
    'RESTATE_ADMIN_URL',
    'RESTATE_WORKER_URL',
  ])('%s must not contain a secret, because it is displayed', (name) => {
    const found = problems({ ...INGRESS, [name]: 'http://user:very-secret@restate:8080' })
    expect(found).toEqual([`${name} must not have a user name, a password, a query or a fragment.`])
  })

  test('a worker that listens on every address needs an advertised URL', () => {
    expect(problems({ ...INGRESS, RESTATE_WORKER_HOST: '0.0.0.0' })).toEqual([
      'RESTATE_WORKER_URL must say how Restate reaches the workers, because RESTATE_WORKER_HOST is 0.0.0.0.',
    ])
  })

  test('its port must differ from the other ports', () => {
    expect(problems({ ...INGRESS, PORT: '9080' })).toEqual([
      'RESTATE_WORKER_PORT must differ from PORT and TROUPE_ADMIN_PORT, but it is 9080 too.',
    ])
    expect(problems({ PORT: '9080' })).toEqual([])
  })

  test('an invalid public key is not repeated in the message', () => {
    expect(problems({ ...INGRESS, RESTATE_IDENTITY_KEYS: `${KEY},MC4CAQAwBQYDK2VwBCIEI` })).toEqual([
      'RESTATE_IDENTITY_KEYS must be public keys as Restate prints them, publickeyv1_…, separated by commas.',
    ])
  })
})

describe('roles', () => {
  test('may be divided among processes that share PostgreSQL, Redis and Restate', () => {
    expect([...read({ ...REPLICAS, TROUPE_ROLES: 'worker, scheduler' }).roles]).toEqual([
      'worker',
      'scheduler',
    ])
  })

  test.each([
    ['api,worker', 'scheduler'],
    ['worker', 'api and scheduler'],
    ['api', 'worker and scheduler'],
  ])('%s alone is refused, because no process would be %s', (roles, missing) => {
    const sentence = `TROUPE_ROLES leaves ${missing} to other processes, which require DATABASE_URL, REDIS_URL and RESTATE_INGRESS_URL.`
    expect(problems({ TROUPE_ROLES: roles })).toEqual([sentence])
    expect(problems({ ...INGRESS, TROUPE_ROLES: roles })).toEqual([sentence])
  })

  test('must be known, and at least one', () => {
    expect(problems({ TROUPE_ROLES: ',' })).toEqual([
      'TROUPE_ROLES must have at least one of api, worker and scheduler.',
    ])
    expect(problems({ TROUPE_ROLES: 'queen' })).toEqual([
      'TROUPE_ROLES has "queen"; the roles are api, worker and scheduler.',
    ])
  })
})

test('jobs wait an hour for a worker by default', () => {
  expect(read({ TROUPE_JOB_QUEUE_SECONDS: '60' }).runs.jobQueueSeconds).toBe(60)
  expect(problems({ TROUPE_JOB_QUEUE_SECONDS: '1', TROUPE_WORKER_CONCURRENCY: '0' })).toEqual([
    'TROUPE_WORKER_CONCURRENCY must be a whole number from 1 to 1000, not "0".',
    'TROUPE_JOB_QUEUE_SECONDS must be a whole number from 10 to 86400, not "1".',
  ])
})
