import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@troupe/test-kit/free-port'
import { seedForm } from '@troupe/test-kit/seed-form'
import { seedPerson } from '@troupe/test-kit/seed-person'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { multipart } from './forms/form-setting.ts'

/**
 * The configurations of docs/guides/deploy.md, in the real programs, in front of a server. Only addresses, certificates and folders
 * are replaced. Clients are different loopback addresses, of which the server trusts only the proxy's.
 */
const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/guides/deploy.md'), 'utf8')
const HOST = 'troupe.example.com'
const UPLOAD_LIMIT = 16 * 1024 * 1024

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** Milliseconds between the first and the last chunk. */
  spreadMs: number
  chunks: number
}

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  from?: string
}

function send(port: number, path: string, sent: Sent = {}, secure = true): Promise<Answer> {
  const options = {
    host: '127.0.0.1',
    port,
    path,
    method: sent.method ?? 'GET',
    localAddress: sent.from ?? '127.0.0.2',
    headers: { host: HOST, ...sent.headers },
    agent: false as const,
  }
  return new Promise((resolve, reject) => {
    const request = secure
      ? httpsRequest({ ...options, servername: HOST, rejectUnauthorized: false })
      : httpRequest(options)
    request.once('error', reject)
    request.once('response', (response) => {
      const times: number[] = []
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        times.push(performance.now())
      })
      response.once('error', reject)
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          chunks: times.length,
          spreadMs: (times.at(-1) ?? 0) - (times[0] ?? 0),
        }),
      )
    })
    request.end(sent.body)
  })
}

/** A fenced block of the guide that contains a text, without its indentation. */
function block(fence: string, contains: string): string {
  const blocks = GUIDE.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)
  for (const [, indent = '', name, text = ''] of blocks)
    if (name === fence && text.includes(contains)) return text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
  throw new Error(`The guide has no block with ${contains}`)
}

/** Replaces a text that must exist. */
function put(config: string, from: string, to: string): string {
  if (!config.includes(from)) throw new Error(`The guide no longer has ${from}`)
  return config.replaceAll(from, to)
}

interface Place {
  folder: string
  port: number
  plainPort: number
  upstream: number
}

/** nginx as in the guide, with a self-signed certificate. */
function nginx({ folder, port, plainPort, upstream }: Place): ChildProcess {
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ],
      ...subject,
      ...['-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  )
  let site = block('nginx', 'listen 443')
  site = put(site, 'listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
  site = put(site, 'listen 80', `listen 127.0.0.1:${plainPort}`)
  site = put(site, `/etc/letsencrypt/live/${HOST}/fullchain.pem`, certificate)
  site = put(site, `/etc/letsencrypt/live/${HOST}/privkey.pem`, key)
  site = put(site, 'http://127.0.0.1:3000', `http://127.0.0.1:${upstream}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  const head = `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;\npid ${join(folder, 'pid')};\nerror_log stderr;\nevents {}\n`
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${head}http {\naccess_log off;\n${temporary.join('\n')}\n${site}}\n`,
  )
  return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
}

/** Caddy as in the guide, with its own authority instead of a public one. */
function caddy({ folder, port, plainPort, upstream }: Place, contains: string): ChildProcess {
  let site = block('', contains)
  site = put(site, `${HOST} {`, `${HOST} {\n  tls internal`)
  site = put(site, '127.0.0.1:3000', `127.0.0.1:${upstream}`)
  site = site.replaceAll('127.0.0.1:3001', `127.0.0.1:${upstream}`)
  const head = `{\n  admin off\n  skip_install_trust\n  default_bind 127.0.0.1\n  http_port ${plainPort}\n  https_port ${port}\n}\n`
  writeFileSync(join(folder, 'Caddyfile'), head + site)
  return spawn('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
}

const missing = ['nginx', 'caddy'].filter(
  (program) => spawnSync(program, ['-h'], { stdio: 'ignore' }).error !== undefined,
)
if (missing.length > 0) {
  console.warn(`Proxies of the deployment guide are skipped: this machine has no ${missing.join(', ')}.`)
}

describe.each([
  ['nginx', 'nginx', nginx],
  ['Caddy', 'caddy', (place: Place) => caddy(place, 'reverse_proxy 127.0.0.1:3000 {')],
  ['Caddy in front of a cluster', 'caddy', (place: Place) => caddy(place, 'health_uri /readyz')],
] as const)('%s, as in the guide', (name, program, start) => {
  describe.skipIf(missing.includes(program))('', { timeout: 60_000 }, () => {
    let server: TestServer
    let proxy: ChildProcess
    let place: Place
    const over = (path: string, sent?: Sent) => send(place.port, path, sent)

    beforeAll(async () => {
      server = await startTestServer({
        env: { TROUPE_PUBLIC_URL: `https://${HOST}`, TROUPE_TRUSTED_PROXIES: '127.0.0.1' },
      })
      await server.app.listen({ host: '127.0.0.1', port: 0 })
      const address = server.app.server.address()
      const upstream = typeof address === 'object' ? (address?.port ?? 0) : 0
      const folder = mkdtempSync(join(tmpdir(), 'troupe-proxy-'))
      place = { folder, upstream, port: await freePort(), plainPort: await freePort() }
      proxy = start(place)
      await vi.waitFor(async () => expect((await over('/readyz')).status).toBe(200), { timeout: 30_000 })
    }, 60_000)
    afterAll(async () => {
      if (proxy?.exitCode === null) {
        const ended = once(proxy, 'exit')
        proxy.kill('SIGTERM')
        await ended
      }
      rmSync(place.folder, { recursive: true, force: true })
      await server[Symbol.asyncDispose]()
    })

    const signIn = (email: string, password: string, sent: Sent = {}) =>
      over('/sign-in', {
        method: 'POST',
        ...sent,
        headers: {
          origin: `https://${HOST}`,
          'content-type': 'application/x-www-form-urlencoded',
          ...sent.headers,
        },
        body: new URLSearchParams({ email, password }).toString(),
      })
    const person = () => seedPerson(server.context.database, { organizationId: server.seed.organizationId })

    test('a user signs in, with a cookie for https only', async () => {
      const { email, password } = await person()
      const answer = await signIn(email, password)
      expect([answer.status, answer.text]).toEqual([303, ''])
      const [cookie = ''] = answer.headers['set-cookie'] ?? []
      expect(cookie).toMatch(/; Secure/)
      const page = await over('/account', { headers: { cookie: cookie.split(';')[0] ?? '' } })
      expect(page.status).toBe(200)
      expect(page.text).toContain(email)
      expect(page.headers['strict-transport-security']).toBe('max-age=31536000')
    })

    test('http is redirected to https', async () => {
      const answer = await send(place.plainPort, '/sign-in', {}, false)
      expect(answer.status).toBeGreaterThanOrEqual(301)
      expect(answer.headers.location).toMatch(new RegExp(`^https://${HOST}(?::${place.port})?/sign-in$`))
    })

    test('metrics need a token', async () => {
      expect((await over('/metrics')).status).toBe(401)
    })

    test('a stream arrives word by word', async () => {
      const answer = await over(`/api/v1/agents/${server.seed.agents.organization}/run-stream`, {
        method: 'POST',
        headers: { 'x-api-key': server.seed.keys.organization, 'content-type': 'application/json' },
        body: JSON.stringify({ message: '[[pace: 100]] one two three four five six seven eight' }),
      })
      expect(answer.status).toBe(200)
      expect(answer.text).toContain('RunCompleted')
      expect(answer.chunks).toBeGreaterThan(6)
      // Ten words of 100 ms each, minus those merged by a busy machine.
      expect(answer.spreadMs).toBeGreaterThan(400)
    })

    test('a form accepts a file up to its limit, and reports the limit for a larger one in our words', async () => {
      const form = await seedForm(server.context, {
        organizationId: server.seed.organizationId,
        fields: [{ name: 'cv', label: 'CV', type: 'file' }],
      })
      const upload = async (bytes: number) => {
        const { headers, payload } = multipart({
          name: 'file',
          filename: 'cv.txt',
          content: Buffer.alloc(bytes, 'a'),
        })
        return over(`${form.path}/upload?field=cv`, {
          method: 'POST',
          headers: { ...headers, 'content-length': String(payload.length) },
          body: payload,
        })
      }
      expect((await upload(UPLOAD_LIMIT)).status).toBe(201)
      const refused = await upload(UPLOAD_LIMIT + 1)
      expect([refused.status, refused.headers['content-type']]).toEqual([
        422,
        expect.stringContaining('json'),
      ])
      expect(refused.text).toContain('16 MB')
    })

    test('visitors are counted by their real addresses, despite forged headers', async () => {
      const { email, password } = await person()
      const statuses = new Set<number>()
      for (let n = 0; n < 130; n += 10) {
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, i) =>
            signIn(`${name.length}-${n + i}@acme.test`, 'a wrong password', {
              from: '127.0.0.9',
              headers: { 'x-forwarded-for': `203.0.113.${n + i}` },
            }),
          ),
        )
        for (const { status } of answers) statuses.add(status)
      }
      expect([...statuses]).toEqual([401, 429])
      expect((await signIn(email, password, { from: '127.0.0.9' })).status).toBe(429)
      expect((await signIn(email, password, { from: '127.0.0.10' })).status).toBe(303)
    })
  })
})
