import { once } from 'node:events'
import { createServer, get, type Server } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { get as getSecurely } from 'node:https'
import { connect, createServer as createTcpServer } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { guardProcess, type ProcessGuard } from './guard-process.ts'

const SERVICE = 'ws://127.0.0.1:7880'
let server: Server
let port: number
let requests = 0
let connections = 0
beforeAll(async () => {
  server = createServer((_request, response) => {
    requests += 1
    response.end('private')
  }).listen(0, '127.0.0.1')
  server.on('connection', () => (connections += 1))
  await once(server, 'listening')
  const address = server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

let guard: ProcessGuard
beforeEach(() => {
  requests = connections = 0
  guard = guardProcess({
    services: [SERVICE],
    allowedNetworks: [],
    resolve: (name, done) =>
      done(
        null,
        name === 'public.test'
          ? [{ address: '203.0.113.9', family: 4 }]
          : [{ address: '127.0.0.1', family: 4 }],
      ),
  })
})
afterEach(() => guard[Symbol.dispose]())

const failure = (emitter: NodeJS.EventEmitter) =>
  once(emitter, 'error').then(([error]) => (error as NodeJS.ErrnoException).code)
/** Every way to open a connection in Node, by its error. */
const WAYS: Record<string, (host: string) => Promise<unknown>> = {
  fetch: (host) => fetch(`http://${host}:${port}/`).then(String, ({ cause }) => cause.code),
  'fetch over TLS': (host) => fetch(`https://${host}:${port}/`).then(String, ({ cause }) => cause.code),
  'http.get': (host) => failure(get(`http://${host}:${port}/`)),
  'http.get without an agent': (host) => failure(get(`http://${host}:${port}/`, { agent: false })),
  'https.get': (host) => failure(getSecurely(`https://${host}:${port}/`)),
  'net.connect with options': (host) => failure(connect({ host, port })),
  'net.connect with a lookup': (host) =>
    failure(connect({ host, port, lookup: (_name, _options, done) => done(null, '127.0.0.1', 4) })),
  'net.connect with a port and a host': (host) => failure(connect(port, host)),
  'tls.connect': (host) => failure(connectTls({ host, port })),
  'http2.connect': (host) => failure(connectHttp2(`http://${host}:${port}`)),
  WebSocket: async (host) => {
    const socket = new WebSocket(`ws://${host}:${port}/`)
    await new Promise((resolve) => {
      socket.onerror = resolve
    })
    return 'ADDRESS_NOT_ALLOWED'
  },
}

describe.each(['127.0.0.1', 'rebound.test', 'localhost'])('%s is reached', (host) => {
  test.each(Object.keys(WAYS))('by %s not at all', async (name) => {
    expect(await WAYS[name]?.(host)).toBe('ADDRESS_NOT_ALLOWED')
    expect([requests, connections]).toEqual([0, 0])
  })
})

test('addresses allowed by a job are reached, and no longer once the permission is revoked', async () => {
  const read = () =>
    fetch(`http://rebound.test:${port}/`, { headers: { connection: 'close' } }).then((r) => r.text())
  guard.allow(['127.0.0.0/8'])
  expect(await read()).toBe('private')
  guard.allow([])
  await expect(read()).rejects.toThrow('fetch failed')
})

test('a service of the operator is reached by its own name and port only', async () => {
  guard[Symbol.dispose]()
  guard = guardProcess({ services: [`http://127.0.0.1:${port}/base`], allowedNetworks: [] })
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('private')
  expect(await fetch(`http://localhost:${port}/`).catch(({ cause }) => cause.code)).toBe(
    'ADDRESS_NOT_ALLOWED',
  )
  expect(guard.isService(`ws://127.0.0.1:${port}/v1`)).toBe(true)
  expect(guard.isService(`http://127.0.0.1:${port + 1}/`)).toBe(false)
  expect(guard.isService('nonsense')).toBe(false)
})

test('a redirect to a service of the operator is not followed', async () => {
  const redirecting = createServer((_request, response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end(),
  ).listen(0, '127.0.0.1')
  await once(redirecting, 'listening')
  const { port: provider }: { port: number } = Object(redirecting.address())
  const url = `http://localhost:${provider}/`
  guard[Symbol.dispose]()
  guard = guardProcess({
    services: [`http://127.0.0.1:${port}`],
    allowedNetworks: ['127.0.0.0/8', '::1/128'],
  })
  try {
    await expect(fetch(url)).rejects.toThrow('fetch failed')
    await expect(fetch(url, { redirect: 'follow' })).rejects.toThrow('fetch failed')
    await expect(fetch(new Request(url, { method: 'POST', body: 'a' }))).rejects.toThrow('fetch failed')
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(307)
    expect(requests).toBe(0)
  } finally {
    redirecting.closeAllConnections()
    redirecting.close()
  }
})

test('without the guard Node connects as before', async () => {
  guard[Symbol.dispose]()
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('private')
})

// Speech libraries call `arrayBuffer()` on the response of an address chosen by a tenant.
test('an endless answer fails after 16 MB for any reader, and a service may answer with more', async () => {
  const part = Buffer.alloc(1024 * 1024)
  let closed = 0
  const endless = createServer((request, response) => {
    let left = request.url === '/20' ? 20 : Number.POSITIVE_INFINITY
    response.once('close', () => (closed += 1))
    const go = () => {
      while (!response.destroyed) {
        if (left-- === 0) return void response.end()
        if (!response.write(part)) return void response.once('drain', go)
      }
    }
    go()
  }).listen(0, '127.0.0.1')
  await once(endless, 'listening')
  const address = endless.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  try {
    guard[Symbol.dispose]()
    guard = guardProcess({ services: [], allowedNetworks: ['127.0.0.0/8'] })
    for (const read of ['arrayBuffer', 'text', 'json', 'blob'] as const) {
      const response = await fetch(origin)
      await expect(response[read]()).rejects.toThrow('The answer is longer than 16 MB.')
    }
    await expect.poll(() => closed).toBe(4)
    guard[Symbol.dispose]()
    guard = guardProcess({ services: [origin], allowedNetworks: [] })
    expect((await (await fetch(`${origin}/20`)).arrayBuffer()).byteLength).toBe(20 * part.length)
  } finally {
    endless.closeAllConnections()
    endless.close()
  }
})

test('an answer keeps its address, its status and its reason, including those that no response of this process could have', async () => {
  const lines = ['200 \u6210\u529f', '404 a\u0001b', '999 Denied']
  const answering = createTcpServer((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 ${lines[asked++]}\r\ncontent-length: 2\r\n\r\nok`))
  }).listen(0, '127.0.0.1')
  let asked = 0
  await once(answering, 'listening')
  const address = answering.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/speech`
  guard[Symbol.dispose]()
  guard = guardProcess({ services: [], allowedNetworks: ['127.0.0.0/8'] })
  try {
    for (const line of lines) {
      const response = await fetch(url)
      const { status, statusText, ok } = response
      expect([`${status} ${statusText}`, ok, response.url]).toEqual([line, status === 200, url])
      expect(await response.text()).toBe('ok')
    }
  } finally {
    answering.close()
  }
})
