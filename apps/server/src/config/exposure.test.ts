import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { describeDecisions } from './describe.ts'
import { readEnv } from './env.ts'
import { ConfigError } from './problems.ts'

const read = (env: Record<string, string>) => readConfig(readEnv(env)).exposure
function problems(env: Record<string, string>): readonly string[] {
  try {
    readConfig(readEnv(env))
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

const LOOPBACK = ['127.0.0.0/8', '::1/128']
/** The exposure of a server that only this machine reaches, and of any other. */
const CLOSED = {
  isLocalOnly: true,
  allowedNetworks: LOOPBACK,
  playground: 'auto',
  printsSecrets: true,
  metrics: 'open',
}
const OPEN = {
  isLocalOnly: false,
  allowedNetworks: [],
  playground: 'off',
  printsSecrets: false,
  metrics: 'token',
}

describe('only this machine reaches the server', () => {
  test.each([
    {},
    { HOST: 'localhost' },
    { HOST: '::1', TROUPE_PUBLIC_URL: 'http://[::1]:3000' },
    { HOST: '127.0.0.2', TROUPE_PUBLIC_URL: 'https://localhost' },
    { TROUPE_EXPOSURE: 'local' },
    { HOST: '0.0.0.0', TROUPE_EXPOSURE: 'local' },
    { HOST: '::', TROUPE_EXPOSURE: 'local', TROUPE_PUBLIC_URL: 'http://127.0.0.1:8080' },
  ])('with %j', (env) => expect(read(env)).toMatchObject({ ...CLOSED, hstsSeconds: 0, warnings: [] }))
})

describe('others reach the server', () => {
  test.each([
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '10.0.0.5' },
    { HOST: '::ffff:127.0.0.1' },
    { HOST: 'troupe' },
    { TROUPE_PUBLIC_URL: 'https://troupe.example' },
    { TROUPE_PUBLIC_URL: 'http://192.168.1.5:3000' },
    { TROUPE_PUBLIC_URL: 'https://127.0.0.1.troupe.example' },
    { TROUPE_TRUSTED_PROXIES: 'loopback' },
    { TROUPE_EXPOSURE: 'public' },
  ])('with %j', (env) => expect(read(env)).toMatchObject(OPEN))

  test('and each consequence can be configured', () => {
    const asked = {
      HOST: '0.0.0.0',
      TROUPE_ALLOWED_NETWORKS: 'loopback',
      TROUPE_PLAYGROUND: 'on',
      TROUPE_PRINT_SECRETS: 'on',
      TROUPE_ADMIN_PORT: '9090',
    }
    expect(read(asked)).toMatchObject({
      isLocalOnly: false,
      allowedNetworks: LOOPBACK,
      playground: 'on',
      printsSecrets: true,
      metrics: 'admin-port',
    })
    const refused = {
      TROUPE_ALLOWED_NETWORKS: 'none',
      TROUPE_PLAYGROUND: 'off',
      TROUPE_PRINT_SECRETS: 'off',
      TROUPE_METRICS_TOKEN: 'short',
    }
    expect(read(refused)).toMatchObject({ ...OPEN, isLocalOnly: true })
  })

  test('browsers are held to https if the public URL has it', () => {
    expect(read({ TROUPE_PUBLIC_URL: 'https://troupe.example' }).hstsSeconds).toBe(31_536_000)
    expect(read({ TROUPE_PUBLIC_URL: 'https://troupe.example', TROUPE_HSTS_SECONDS: '0' }).hstsSeconds).toBe(
      0,
    )
    expect(read({ TROUPE_PUBLIC_URL: 'http://troupe.example' }).hstsSeconds).toBe(0)
    expect(read({ TROUPE_PUBLIC_URL: 'https://localhost:8443' }).hstsSeconds).toBe(0)
  })
})

describe('contradictions stop the start', () => {
  const local = { TROUPE_EXPOSURE: 'local' }
  test.each([
    [
      { ...local, TROUPE_PUBLIC_URL: 'https://troupe.example' },
      /^TROUPE_EXPOSURE is local, .*TROUPE_PUBLIC_URL is https/,
    ],
    [{ ...local, TROUPE_TRUSTED_PROXIES: '10.0.0.1' }, /^TROUPE_EXPOSURE is local, .*TROUPE_TRUSTED_PROXIES/],
    [{ ...local, HOST: '192.168.1.5' }, /^TROUPE_EXPOSURE is local, .*HOST is 192\.168\.1\.5/],
    [{ TROUPE_EXPOSURE: 'hidden' }, /^TROUPE_EXPOSURE must be one of local, public/],
    [{ TROUPE_HSTS_SECONDS: '60' }, /^TROUPE_HSTS_SECONDS tells .*http:\/\/localhost:3000/],
    [{ TROUPE_TRUSTED_PROXIES: '10.0.0.0/8,0.0.0.0/0' }, /^TROUPE_TRUSTED_PROXIES trusts every address/],
    [
      { TROUPE_ALLOWED_NETWORKS: 'private,169.254.169.254' },
      /^TROUPE_ALLOWED_NETWORKS has "169\.254\.169\.254", which has link-local addresses/,
    ],
    [{ TROUPE_METRICS_TOKEN: 'short', HOST: '0.0.0.0' }, /^TROUPE_METRICS_TOKEN must have at least 24/],
    [{ TROUPE_METRICS_TOKEN: 'a b' }, /^TROUPE_METRICS_TOKEN must contain only printable/],
  ])('%j', (env, sentence) => expect(problems(env)).toEqual([expect.stringMatching(sentence)]))
})

test('reports recommended changes to the operator', () => {
  const warnings = (env: Record<string, string>) => read(env).warnings.join('\n')
  expect(warnings({ HOST: '0.0.0.0' })).toMatch(/TROUPE_PUBLIC_URL is not set/)
  expect(warnings({ TROUPE_PUBLIC_URL: 'http://troupe.example' })).toMatch(
    /unencrypted[\s\S]*TRUSTED_PROXIES is not set/,
  )
  expect(warnings({ TROUPE_PUBLIC_URL: 'https://troupe.example' })).toMatch(/TRUSTED_PROXIES is not set/)
  const behind = { TROUPE_PUBLIC_URL: 'https://troupe.example', TROUPE_TRUSTED_PROXIES: 'loopback' }
  expect(warnings(behind)).toBe('')
  expect(warnings({ ...behind, TROUPE_ALLOWED_NETWORKS: 'loopback', TROUPE_PLAYGROUND: 'on' })).toMatch(
    /every tenant reaches[\s\S]*are public/,
  )
})

test('npm run config prints every decision with its reason', () => {
  const printed = describeDecisions(
    readConfig(readEnv({ HOST: '0.0.0.0', TROUPE_METRICS_TOKEN: 'f3b09ad87c1e4625b9d08f1a2c3e4d57' })),
  )
  expect(printed).toContain('Other machines reach the server: HOST is 0.0.0.0.')
  expect(printed).toContain('The Playground is not seeded: as others reach the server.')
  expect(printed).toContain('/metrics is on port 3000 and requires TROUPE_METRICS_TOKEN or the admin token')
  expect(printed).toContain('Please check:\n  - Others reach the server, but TROUPE_PUBLIC_URL is not set')
  expect(printed).not.toContain('f3b09ad8')
  expect(describeDecisions(readConfig(readEnv({})))).toMatchInlineSnapshot(`
    "Effects of these settings:
      - Only this machine reaches the server: HOST and TROUPE_PUBLIC_URL are loopback addresses, and no proxy is trusted.
      - Requests for tenants reach public addresses and 127.0.0.0/8, ::1/128: as only this machine reaches the server.
      - The Playground is seeded into an empty database without a bundle: as only this machine reaches the server.
      - Passwords, API keys and the first sign-in link are printed: as only this machine reaches the server.
      - /metrics is on port 3000 without a key: as only this machine reaches the server.
      - X-Forwarded-For is not believed: TROUPE_TRUSTED_PROXIES is not set.
      - Strict-Transport-Security is not sent."
  `)
})
