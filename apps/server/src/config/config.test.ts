import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { describeConfig } from './describe.ts'
import { readEnv } from './env.ts'
import { ConfigError } from './problems.ts'

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

describe('an empty environment', () => {
  test('gives the embedded defaults', () => {
    const config = read({})
    expect(config).toMatchObject({
      listen: { host: '127.0.0.1', port: 3000 },
      publicUrl: 'http://localhost:3000',
      adminPort: null,
      database: { kind: 'pglite' },
      rateLimits: { kind: 'memory' },
      bundle: null,
      exposure: { isLocalOnly: true, playground: 'auto', allowedNetworks: ['127.0.0.0/8', '::1/128'] },
      engine: { kind: 'local', concurrency: 64 },
      runs: { maxSeconds: 900, jobQueueSeconds: 3600 },
      log: { level: 'info' },
      tracing: null,
    })
    expect([...config.roles]).toEqual(['api', 'worker', 'scheduler'])
  })

  test('is the same as one with empty values', () => {
    expect(read({ PORT: '', DATABASE_URL: ' ' })).toEqual(read({}))
  })
})

describe('adapters', () => {
  test('PostgreSQL alone is exclusive; with Redis and Restate, several processes may share it', () => {
    const postgres = { DATABASE_URL: 'postgresql://u:p@db/troupe' }
    const redis = { REDIS_URL: 'rediss://cache:6380' }
    const restate = { RESTATE_INGRESS_URL: 'http://restate:8080' }
    expect(read(postgres).database).toEqual({ kind: 'postgres', poolSize: 20, replicas: false })
    expect(read({ ...postgres, ...redis })).toMatchObject({
      database: { replicas: false },
      rateLimits: { kind: 'redis' },
    })
    expect(read({ ...postgres, ...restate }).database).toMatchObject({ replicas: false })
    expect(read({ ...postgres, ...redis, ...restate }).database).toMatchObject({ replicas: true })
  })

  test('Redis without PostgreSQL is allowed', () => {
    expect(problems({ REDIS_URL: 'redis://127.0.0.1:6379' })).toEqual([])
  })

  test('traces go to the traces endpoint, or to a path below the general one', () => {
    const general = 'http://collector:4318/'
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: general }).tracing).toEqual({
      endpoint: 'http://collector:4318/v1/traces',
    })
    expect(
      read({ OTEL_EXPORTER_OTLP_ENDPOINT: general, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t/x' })
        .tracing,
    ).toEqual({ endpoint: 'http://t/x' })
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: general, OTEL_SDK_DISABLED: 'true' }).tracing).toBeNull()
  })
})

describe('outgoing networks', () => {
  test('loopback is reachable only while only this machine reaches the server', () => {
    expect(read({ HOST: '0.0.0.0' }).exposure.allowedNetworks).toEqual([])
    expect(read({ HOST: 'localhost' }).exposure.allowedNetworks).toEqual(['127.0.0.0/8', '::1/128'])
  })

  test('names, addresses and ranges are expanded', () => {
    const { allowedNetworks } = read({
      TROUPE_ALLOWED_NETWORKS: 'loopback, 10.1.0.0/16,192.168.1.5',
    }).exposure
    expect(allowedNetworks).toEqual(['127.0.0.0/8', '::1/128', '10.1.0.0/16', '192.168.1.5'])
  })
})

describe('problems', () => {
  test.each([
    'postgres://u:p#a@ss%w/rd?@127.0.0.1:5432/x',
    'postgres://u:1#a@127.0.0.1/x',
    'postgres://u:12/3@127.0.0.1/x',
    'postgres://u:p%zz@127.0.0.1/x',
    'postgresql://u:12?3@127.0.0.1/x',
  ])('reports a password that is not percent-encoded: %s', (DATABASE_URL) => {
    const [problem, ...more] = problems({ DATABASE_URL })
    expect(more).toEqual([])
    expect(problem).toMatch(/^DATABASE_URL is not a valid URL\. Percent-encode .*# as %23/)
  })

  test('a socket, a path and a schema in a connection URL', () => {
    expect(problems({ DATABASE_URL: 'postgres://u:p%23@/db?host=/run/postgresql' })).toEqual([])
    expect(problems({ DATABASE_URL: 'postgres:///db?host=%2Frun%2Fpostgresql' })).toEqual([])
    expect(problems({ DATABASE_URL: 'postgres://u@h/db?schema=app' })).toEqual([
      'DATABASE_URL has the option schema, which PostgreSQL does not know. Use options=-c%20search_path%3DNAME.',
    ])
    const [path] = problems({ TROUPE_PUBLIC_URL: 'http://localhost:3000/troupe/' })
    expect(path).toMatch(/^TROUPE_PUBLIC_URL must not have a path \(\/troupe\/\)/)
  })

  test('are all reported at once', () => {
    const found = problems({
      PORT: '70000',
      REDIS_URL: 'http://cache',
      DATABASE_URL: 'mysql://db/x',
      LOG_LEVEL: 'loud',
      TROUPE_ROLES: 'api,queen',
      TROUPE_ALLOWED_NETWORKS: '10.0.0.0/33,nowhere',
      TROUPE_PLAYGROUND: 'maybe',
      TROUPE_RUN_MAX_SECONDS: '4.5',
      TROUPE_PUBLIC_URL: 'troupe.test',
    })
    expect(found).toEqual([
      'PORT must be a whole number from 0 to 65535, not "70000".',
      'DATABASE_URL must be a URL that begins with postgres:// or postgresql://.',
      'REDIS_URL must be a URL that begins with redis:// or rediss://.',
      'TROUPE_ROLES has "queen"; the roles are api, worker and scheduler.',
      'TROUPE_PUBLIC_URL must be a URL that begins with http:// or https://.',
      'TROUPE_PLAYGROUND must be one of on, off, not "maybe".',
      'TROUPE_ALLOWED_NETWORKS has "10.0.0.0/33", which is not an address, a CIDR range, loopback, private or none.',
      'TROUPE_ALLOWED_NETWORKS has "nowhere", which is not an address, a CIDR range, loopback, private or none.',
      'TROUPE_RUN_MAX_SECONDS must be a whole number from 5 to 86400, not "4.5".',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud".',
    ])
  })

  test.each([
    'RESTATE_URL',
    'S3_ACCES_KEY_ID',
    'LIVEKIT_URL',
  ])('%s is refused, because this version would ignore it', (name) => {
    expect(problems({ [name]: 'x' })).toEqual([expect.stringContaining(`${name} is set, but this version`)])
  })

  test('a guessable admin token is refused unless only this machine reaches the server', () => {
    const weak = 'TROUPE_ADMIN_TOKEN must have at least 24 characters; `openssl rand -hex 32` makes one.'
    const token = { TROUPE_ADMIN_TOKEN: 'sixteen-letters!' }
    expect(problems(token)).toEqual([])
    expect(problems({ TROUPE_ADMIN_TOKEN: 'short' })).toEqual([
      'TROUPE_ADMIN_TOKEN must have at least 8 characters.',
    ])
    expect(problems({ ...token, HOST: '0.0.0.0' })).toEqual([weak])
    expect(problems({ ...token, TROUPE_PUBLIC_URL: 'https://troupe.example' })).toEqual([weak])
    expect(problems({ ...token, TROUPE_PUBLIC_URL: 'http://[::1]:3000' })).toEqual([])
    const strong = { TROUPE_ADMIN_TOKEN: 'f3b09ad87c1e4625b9d08f1a2c3e4d57', HOST: '0.0.0.0' }
    expect(problems(strong)).toEqual([])
  })

  test('S3 is complete or absent', () => {
    const s3 = {
      S3_ENDPOINT: 'https://s3.acme.test/store/',
      S3_BUCKET: 'troupe-files',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    }
    expect(readConfig(readEnv(s3)).files).toEqual({
      kind: 's3',
      endpoint: 'https://s3.acme.test/store',
      bucket: 'troupe-files',
      region: 'us-east-1',
    })
    expect(readConfig(readEnv({ TROUPE_DATA_DIR: '/data' })).files).toEqual({
      kind: 'disk',
      directory: '/data/files',
    })
    expect(problems({ S3_ENDPOINT: s3.S3_ENDPOINT })).toEqual(
      ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].map(
        (name) => `S3_ENDPOINT is set, but ${name} is not. Set all S3 variables, or none.`,
      ),
    )
    expect(problems({ S3_BUCKET: 'files', S3_REGION: 'eu' })).toEqual(
      ['S3_BUCKET', 'S3_REGION'].map(
        (name) => `${name} is set, but S3_ENDPOINT is not. Set all S3 variables, or none.`,
      ),
    )
    expect(
      problems({ ...s3, S3_ENDPOINT: 'https://id:secret@s3.acme.test', S3_BUCKET: '../x', S3_REGION: 'a b' }),
    ).toEqual([
      'S3_ENDPOINT must not have a user name, a query or a fragment.',
      expect.stringContaining('S3_BUCKET must be'),
      expect.stringContaining('S3_REGION must be'),
    ])
    expect(problems({ ...s3, S3_ENDPOINT: 's3.acme.test' })).toEqual([
      'S3_ENDPOINT must be a URL that begins with http:// or https://.',
    ])
  })

  test('warns when several processes store files in their own folders', () => {
    const several = {
      DATABASE_URL: 'postgres://db/troupe',
      REDIS_URL: 'redis://cache',
      RESTATE_INGRESS_URL: 'http://restate:8080',
    }
    expect(readConfig(readEnv(several)).warnings).toEqual([expect.stringContaining('S3_ENDPOINT')])
  })

  test('e-mail needs a mail server and a sender', () => {
    const from = 'Troupe <troupe@acme.test>'
    const url = 'smtps://user:secret@mail.acme.test'
    expect(problems({ SMTP_URL: url, TROUPE_MAIL_FROM: from })).toEqual([])
    expect(problems({ TROUPE_MAIL_FROM: from })).toEqual([])
    expect(problems({ SMTP_URL: url })).toEqual([expect.stringContaining('TROUPE_MAIL_FROM')])
    expect(problems({ SMTP_URL: 'mail.acme.test', TROUPE_MAIL_FROM: from })).toEqual([
      expect.stringContaining('SMTP_URL must be a URL'),
    ])
    for (const wrong of ['troupe', 'a@acme.test, b@acme.test', 'Troupe <a@acme.test', '<>']) {
      expect(problems({ SMTP_URL: url, TROUPE_MAIL_FROM: wrong })).toHaveLength(1)
    }
  })

  test('the admin port must differ from the port', () => {
    expect(problems({ PORT: '4000', TROUPE_ADMIN_PORT: '4000' })).toHaveLength(1)
  })
})

describe('the iteration limit of a Loop', () => {
  const name = 'WORKFLOW_LOOP_ITERATION_CEILING'
  const ceiling = (value: string) => {
    const { workflows, warnings } = read({ [name]: value })
    return [workflows.loopCeiling, warnings.length]
  }

  test('is 100 by default, and an integer is clamped to 1 to 1000', () => {
    for (const [value, iterations] of [
      ['', 100],
      ['1', 1],
      ['250', 250],
      ['+7', 7],
      ['1000', 1_000],
    ] as const) {
      expect([value, ...ceiling(value)]).toEqual([value, iterations, 0])
    }
    for (const [value, iterations] of [
      ['0', 1],
      ['-5', 1],
      ['1001', 1_000],
      ['99999999999999999999', 1_000],
      ['2.5', 100],
      ['many', 100],
      ['1e3', 100],
      ['0x10', 100],
    ] as const) {
      expect([value, ...ceiling(value)]).toEqual([value, iterations, 1])
    }
  })

  test('that is not an integer is a warning and does not stop the boot', () => {
    expect(read({ [name]: 'many' }).warnings).toEqual([
      'WORKFLOW_LOOP_ITERATION_CEILING is not an integer; Loops stop after 100 iterations.',
    ])
    expect(read({ [name]: '5000' }).warnings).toEqual([
      'WORKFLOW_LOOP_ITERATION_CEILING is not between 1 and 1000; Loops stop after 1000 iterations.',
    ])
  })
})

test('the printed table masks every secret', () => {
  const env = {
    TROUPE_ADMIN_TOKEN: 'very-secret-token',
    TROUPE_SECRET_KEY: 'k:very-secret-key',
    DATABASE_URL: 'postgres://u:very-secret-password@db/x',
    REDIS_URL: 'redis://:very-secret-password@cache',
    PORT: '4000',
    RESTATE_INGRESS_URL: 'http://u:very-secret-password@restate:8080/x',
  }
  const table = describeConfig(readEnv(env))
  expect(table).not.toContain('very-secret')
  expect(table).toMatch(/^PORT +4000 +/m)
  expect(table).toMatch(/^DATABASE_URL +\*{8} +/m)
  expect(table).toMatch(/^RESTATE_INGRESS_URL +http:\/\/\*{8}@restate:8080\/x +/m)
  expect(table).toMatch(/^HOST +\(127\.0\.0\.1\) +/m)
})
