import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { currentWebBuild } from '@troupe/server-html/web/current-web-build'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { registerWeb } from './register-web.ts'

function build(files: Readonly<Record<string, string>>): { folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-web-'))
  mkdirSync(join(folder, 'web'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

const BUILT = {
  'build.json': JSON.stringify({ hash: '0123456789abcdef0123', failure: null }),
  'index.html': '<meta property="csp-nonce" nonce="__TROUPE_NONCE__"><meta content="__TROUPE_BUILD__">',
  'web/app-x1.js': 'plain',
  'web/app-x1.js.br': 'br',
  'web/app-x1.js.gz': 'gzip',
  'web/check.worker-x2.js': 'worker',
}

async function serverOf(folder: string, nowMs = () => 0) {
  const app = fastify()
  registerWeb(app, currentWebBuild(folder, nowMs))
  app.get('/called', { config: { access: 'builder' } }, async () => ({}))
  app.get('/streamed', { config: { access: 'builder' } }, async (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'x-troupe-build': String(reply.getHeader('x-troupe-build')) }).end()
  })
  app.get('/not-called', { config: { access: 'api_key' } }, async () => ({}))
  await app.ready()
  return {
    get: (url: string, headers = {}) => app.inject({ url, headers }),
    [Symbol.asyncDispose]: () => app.close(),
  }
}

test('the app is at / and at every path below /o, with a new nonce for each response', async () => {
  using built = build(BUILT)
  await using server = await serverOf(built.folder)
  const pages = await Promise.all(['/', '/o', '/o/acme/agents/x?tab=versions'].map((url) => server.get(url)))
  const nonces = pages.map(({ body }) => /nonce="([\w-]{20,})"/.exec(body)?.[1])
  expect(new Set(nonces).size).toBe(3)
  pages.forEach(({ statusCode, headers, body }, index) => {
    expect(statusCode).toBe(200)
    expect(headers['content-security-policy']).toContain(`'nonce-${nonces[index]}'`)
    expect(body).toContain('content="0123456789abcdef"')
  })
})

test.for([
  ['br, gzip', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.5, gzip', 'br'],
  ['br;q=0.000, gzip', 'gzip'],
  ['identity', 'plain'],
] as const)('a browser that accepts "%s" gets the file as %s, cached forever', async ([accepted, text]) => {
  using built = build(BUILT)
  await using server = await serverOf(built.folder)
  const { body, headers } = await server.get('/web/app-x1.js', { 'accept-encoding': accepted })
  expect(body).toBe(text)
  expect(headers['content-encoding']).toBe(text === 'plain' ? undefined : text)
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
})

test('a file outside the build is 404, for any name', async () => {
  using built = build(BUILT)
  await using server = await serverOf(built.folder)
  for (const name of ['app-x2.js', '..%2fbuild.json', '%2e%2e%2fbuild.json', '__proto__', 'app-x1.js.br']) {
    expect((await server.get(`/web/${name}`)).statusCode, name).not.toBe(200)
  }
})

test('a file that a newer build removed is 404', async () => {
  using built = build(BUILT)
  await using server = await serverOf(built.folder)
  rmSync(join(built.folder, 'web/check.worker-x2.js'))
  const { body, headers } = await server.get('/web/check.worker-x2.js')
  expect(JSON.parse(body)).toMatchObject({ code: 'not_found' })
  expect(headers['cache-control']).toBeUndefined()
})

test('a replaced build is served within a second, without a restart', async () => {
  using built = build(BUILT)
  using next = build({
    'build.json': JSON.stringify({ hash: 'fedcba98765432100123', failure: null }),
    'index.html': '<meta content="__TROUPE_BUILD__">',
    'web/app-x3.js': 'newer',
  })
  let now = 0
  await using server = await serverOf(built.folder, () => now)
  expect((await server.get('/')).body).toContain('0123456789abcdef')
  rmSync(built.folder, { recursive: true })
  now = 1_000
  // There is no build between the two.
  expect((await server.get('/called')).headers['x-troupe-build']).toBe('0123456789abcdef')
  renameSync(next.folder, built.folder)
  mkdirSync(next.folder)
  now = 2_000
  expect((await server.get('/')).body).toContain('fedcba9876543210')
  expect((await server.get('/web/app-x3.js')).body).toBe('newer')
  expect(JSON.parse((await server.get('/web/app-x1.js')).body)).toMatchObject({ code: 'not_found' })
  expect((await server.get('/called')).headers['x-troupe-build']).toBe('fedcba9876543210')
})

test('a worker’s script has a policy that allows imports', async () => {
  using built = build(BUILT)
  await using server = await serverOf(built.folder)
  const { headers } = await server.get('/web/check.worker-x2.js')
  expect(headers['content-security-policy']).toContain("script-src 'self'")
})

test('operations called by pages name the build, others do not', async () => {
  using built = build(BUILT)
  await using server = await serverOf(built.folder)
  expect((await server.get('/called')).headers['x-troupe-build']).toBe('0123456789abcdef')
  expect((await server.get('/streamed')).headers['x-troupe-build']).toBe('0123456789abcdef')
  expect((await server.get('/not-called')).headers['x-troupe-build']).toBeUndefined()
})

test('a failed or missing build is a 503 page with the reason', async () => {
  using failed = build({
    'build.json': JSON.stringify({ hash: 'x', failure: 'Unexpected token in main.tsx' }),
  })
  await using server = await serverOf(failed.folder)
  const answer = await server.get('/o/acme')
  expect([answer.statusCode, answer.body]).toEqual([
    503,
    expect.stringContaining('Unexpected token in main.tsx'),
  ])
  using missing = build({})
  await using other = await serverOf(missing.folder)
  expect((await other.get('/')).body).toContain('npm run build:web')
})
