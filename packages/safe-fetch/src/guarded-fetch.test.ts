import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createGuardedFetch, OUTGOING_LIMITS } from './guarded-fetch.ts'
import type { Resolve } from './guarded-lookup.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

let server: Server
let port: number
let answer: Answer
let seen: { url: string; method: string; headers: IncomingMessage['headers'] }[]

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', method: request.method ?? '', headers: request.headers })
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})
beforeEach(() => {
  seen = []
  answer = (_request, response) => response.end('hello')
})

const LOOPBACK = ['127.0.0.0/8']
const resolveTo =
  (...addresses: string[]) =>
  (_name: string, done: (error: null, found: { address: string; family: number }[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

/** The code and text of a refusal, at either place where fetch puts it. */
async function refusal(call: Promise<Response>): Promise<{ code: unknown; text: string }> {
  const error = await call.then(
    () => new Error('was not refused'),
    (thrown: Error & { cause?: Error }) => thrown.cause ?? thrown,
  )
  return { code: (error as { code?: unknown }).code, text: error.message }
}

describe('addresses', () => {
  test.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://0.0.0.0:PORT/',
    'http://0:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[fd00::1]:PORT/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
  ])('%s is refused, with a text that names no address', async (url) => {
    await using guarded = createGuardedFetch({ allowedNetworks: [] })
    const { code, text } = await refusal(guarded.fetch(url.replace('PORT', String(port))))
    expect(code).toBe('ADDRESS_NOT_ALLOWED')
    expect(text).toBe('The address is not allowed: only public addresses may be called.')
    expect(seen).toEqual([])
  })

  test('an allowed range is reached', async () => {
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK })
    expect(await (await guarded.fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello')
  })

  test('a name that resolves to a private address is refused', async () => {
    await using guarded = createGuardedFetch({ allowedNetworks: [], resolve: resolveTo('127.0.0.1', '::1') })
    expect(await refusal(guarded.fetch(`http://innocent.test:${port}/`))).toMatchObject({
      code: 'ADDRESS_NOT_ALLOWED',
    })
  })

  test('a name is resolved once, and the socket connects to the checked answer only', async () => {
    let asked = 0
    const rebinding = (name: string, done: Parameters<ReturnType<typeof resolveTo>>[1]) => {
      asked += 1
      resolveTo(asked === 1 ? '127.0.0.1' : '10.0.0.1')(name, done)
    }
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK, resolve: rebinding })
    expect((await guarded.fetch(`http://rebinding.test:${port}/`)).status).toBe(200)
    expect(asked).toBe(1)
  })

  test('of a mixed answer only the allowed addresses are used', async () => {
    await using guarded = createGuardedFetch({
      allowedNetworks: LOOPBACK,
      resolve: resolveTo('10.0.0.1', '127.0.0.1'),
    })
    expect((await guarded.fetch(`http://mixed.test:${port}/`)).status).toBe(200)
  })

  test.each(['file:///etc/passwd', 'ftp://8.8.8.8/', 'data:text/plain,x'])('%s is refused', async (url) => {
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK })
    expect(await refusal(guarded.fetch(url))).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' })
  })
})

describe('redirects', () => {
  const redirect =
    (location: string, status = 302): Answer =>
    (request, response) => {
      if (request.url === '/') response.writeHead(status, { location }).end()
      else response.end('there')
    }

  test('are followed inside the allowed addresses', async () => {
    answer = redirect('/next')
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK })
    expect(await (await guarded.fetch(`http://127.0.0.1:${port}/`)).text()).toBe('there')
  })

  test('are returned to a caller that handles them itself', async () => {
    answer = redirect('http://169.254.169.254/latest', 307)
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK })
    const { status, headers } = await guarded.fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([307, 'http://169.254.169.254/latest'])
    expect(seen).toHaveLength(1)
  })

  test('are checked again', async () => {
    answer = redirect('http://169.254.169.254/latest')
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK })
    expect(await refusal(guarded.fetch(`http://127.0.0.1:${port}/`))).toMatchObject({
      code: 'ADDRESS_NOT_ALLOWED',
    })
  })

  test('to another origin carry no credential', async () => {
    answer = redirect(`http://other.test:${port}/next`, 307)
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK, resolve: resolveTo('127.0.0.1') })
    const headers = { authorization: 'Bearer sk', 'x-api-key': 'sk', accept: 'text/plain', cookie: 'a=b' }
    const init = { method: 'POST', body: '{}', headers: { ...headers, 'content-type': 'application/json' } }
    await guarded.fetch(`http://first.test:${port}/`, init)
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer sk', 'x-api-key': 'sk' })
    expect(seen[1]).toMatchObject({
      method: 'POST',
      headers: { accept: 'text/plain', 'content-type': 'application/json' },
    })
    for (const name of ['authorization', 'x-api-key', 'cookie'])
      expect(seen[1]?.headers[name]).toBeUndefined()
  })

  test('after a POST become a GET without a body', async () => {
    answer = redirect('/next', 303)
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK })
    await guarded.fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' })
    expect(seen[1]).toMatchObject({ method: 'GET', url: '/next' })
    expect(seen[1]?.headers['content-length']).toBeUndefined()
  })

  test('end after five', async () => {
    answer = (_request, response) => response.writeHead(302, { location: '/' }).end()
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK })
    expect(await refusal(guarded.fetch(`http://127.0.0.1:${port}/`))).toMatchObject({
      code: 'ADDRESS_NOT_ALLOWED',
    })
    expect(seen).toHaveLength(6)
  })
})

describe('caps', () => {
  const small = { ...OUTGOING_LIMITS, maxResponseBytes: 1_000 }

  test('a body that is too large breaks off', async () => {
    answer = (_request, response) => response.end('x'.repeat(100_000))
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK, limits: small })
    const read = guarded.fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())
    await expect(read).rejects.toThrow()
  })

  test('an encoding inside another cannot hide how much it expands', async () => {
    const empty = gzipSync('')
    const manyEmpty = gzipSync(Buffer.concat(Array.from({ length: 1_000 }, () => empty)))
    expect(manyEmpty.length).toBeLessThan(small.maxResponseBytes)
    answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(manyEmpty)
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK, limits: small })
    const read = guarded.fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())
    await expect(read).rejects.toThrow('larger than allowed')
  })

  test('a small body that unpacks to a large one breaks off', async () => {
    const bomb = gzipSync('x'.repeat(200_000))
    expect(bomb.length).toBeLessThan(1_000)
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK, limits: small })
    const response = await guarded.fetch(`http://127.0.0.1:${port}/`)
    await expect(response.text()).rejects.toThrow('larger than allowed')
  })

  test('an unresponsive server is abandoned', async () => {
    answer = () => {}
    await using guarded = createGuardedFetch({
      allowedNetworks: LOOPBACK,
      limits: { ...OUTGOING_LIMITS, headersTimeoutMs: 100 },
    })
    await expect(guarded.fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
  })

  test('an abort reaches the connection, with its own reason', async () => {
    answer = () => {}
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK })
    const abort = new AbortController()
    const call = guarded.fetch(`http://127.0.0.1:${port}/`, { signal: abort.signal })
    abort.abort(new Error('cancelled'))
    await expect(call).rejects.toThrow('cancelled')
  })
})

describe('like fetch', () => {
  const call = async (init: RequestInit = {}, path = '/') => {
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK })
    const response = await guarded.fetch(`http://127.0.0.1:${port}${path}`, init)
    return { response, text: await response.text() }
  }

  test('status, reason and every header of a response are passed on', async () => {
    answer = (_request, response) =>
      response
        .writeHead(
          418,
          'Short and stout',
          [
            ['set-cookie', 'a=1'],
            ['set-cookie', 'b=2'],
            ['x-a', 'é'],
          ].flat(),
        )
        .end('tea')
    const { response, text } = await call()
    expect([response.status, response.statusText, response.ok, text]).toEqual([
      418,
      'Short and stout',
      false,
      'tea',
    ])
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  test('a response that has no body has none, and a broken status is not a response', async () => {
    answer = (request, response) => response.writeHead(request.url === '/204' ? 204 : 999).end()
    expect((await call({}, '/204')).response.body).toBeNull()
    await expect(call()).rejects.toThrow(new TypeError('fetch failed'))
  })

  test('a body is sent with its type, whatever it is made of', async () => {
    const bodies: string[] = []
    answer = (request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text))
      request.on('end', () => response.end())
    }
    const form = new URLSearchParams({ a: 'b c' })
    for (const body of [
      'text',
      new TextEncoder().encode('bytes'),
      new Blob(['blob'], { type: 'x/y' }),
      form,
    ]) {
      await call({ method: 'POST', body })
    }
    expect(bodies).toEqual(['text', 'bytes', 'blob', 'a=b+c'])
    expect(seen.map(({ headers }) => headers['content-type'])).toEqual([
      'text/plain;charset=UTF-8',
      undefined,
      'x/y',
      'application/x-www-form-urlencoded;charset=UTF-8',
    ])
  })

  test('an address with a password, a port of another protocol and a GET with a body are refused', async () => {
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK })
    await expect(guarded.fetch(`http://a:b@127.0.0.1:${port}/`)).rejects.toThrow(TypeError)
    await expect(guarded.fetch('http://127.0.0.1:25/')).rejects.toMatchObject({
      cause: { message: 'bad port' },
    })
    await expect(call({ body: 'x' })).rejects.toThrow(TypeError)
    expect(seen).toEqual([])
  })

  test('a connection that breaks inside a body fails the reader', async () => {
    answer = (request, response) => {
      response.write('half')
      request.socket.resetAndDestroy()
    }
    await expect(call()).rejects.toThrow(TypeError)
  })

  test('an abort inside a body fails the reader with its reason, and a cancelled body closes the connection', async () => {
    const closed: Promise<unknown>[] = []
    answer = (_request, response) => {
      closed.push(once(response, 'close'))
      response.write('half')
    }
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK })
    const abort = new AbortController()
    const response = await guarded.fetch(`http://127.0.0.1:${port}/`, { signal: abort.signal })
    const reader = response.body?.getReader()
    await reader?.read()
    const reason = new Error('cancelled')
    abort.abort(reason)
    await expect(reader?.read()).rejects.toBe(reason)
    const other = await guarded.fetch(`http://127.0.0.1:${port}/`)
    await other.body?.cancel()
    await Promise.all(closed)
    expect(closed).toHaveLength(2)
  })

  test('compressed bodies are unpacked, in the order of their encodings', async () => {
    answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'br, GZIP' }).end(gzipSync(brotliCompressSync('plain')))
    expect((await call()).text).toBe('plain')
    expect(seen[0]?.headers['accept-encoding']).toBe('gzip')
  })
  test('a reason in any alphabet is accepted, and an invalid address rejects', async () => {
    answer = (request, response) => {
      response.socket?.end(Buffer.from('HTTP/1.1 404 見つかりません\r\ncontent-length: 2\r\n\r\nno'))
      request.resume()
    }
    const { response, text } = await call()
    expect([response.status, response.statusText, text]).toEqual([404, '', 'no'])
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK })
    const failing = guarded.fetch('nonsense')
    await expect(failing).rejects.toThrow(TypeError)
  })

  test('an unread compressed body is discarded with its connection, including that of a redirect', async () => {
    const closed: Promise<unknown>[] = []
    answer = (request, response) => {
      if (request.url === '/next') return response.end('there')
      closed.push(once(response, 'close'))
      const headers = { 'content-encoding': 'gzip', ...(request.url === '/' && { location: '/next' }) }
      response.writeHead(request.url === '/' ? 302 : 200, headers)
      response.write(gzipSync(randomBytes(1_000_000)))
    }
    await using guarded = createGuardedFetch({ allowedNetworks: LOOPBACK })
    expect(await (await guarded.fetch(`http://127.0.0.1:${port}/`)).text()).toBe('there')
    await (await guarded.fetch(`http://127.0.0.1:${port}/endless`)).body?.cancel()
    await Promise.all(closed)
    expect(closed).toHaveLength(2)
  })
})

describe('a credential over plain http', () => {
  /** An address of a returned network (RFC 3701): it counts as public, but is unreachable. */
  const resolve: Resolve = (_name, done) => done(null, [{ address: '3ffe::1', family: 6 }])
  const failure = async (init: RequestInit, url = 'http://models.test/', allowedNetworks: string[] = []) => {
    await using guarded = createGuardedFetch({ allowedNetworks, resolve })
    const signal = AbortSignal.timeout(300)
    const error = await guarded.fetch(url, { ...init, signal }).catch((thrown: unknown) => thrown)
    return error instanceof TypeError && error.cause instanceof Error ? error.cause.message : 'tried'
  }

  test.each([
    [{ headers: { authorization: 'Bearer x' } }],
    [{ headers: [['X-API-Key', 'x']] as [string, string][] }],
    [{ headers: new Headers({ 'x-goog-api-key': 'x' }) }],
    [{ credentials: 'include' as const }],
  ])('is not sent to a public address: %j', async (init) => {
    expect(await failure(init)).toMatch(/over https only/)
    expect(await failure(init, 'http://[3ffe::1]/')).toMatch(/over https only/)
  })

  test('is sent where the operator has allowed the address, and other requests are sent anywhere', async () => {
    const init = { headers: { authorization: 'Bearer x' } }
    expect(await failure(init, 'http://models.test/', ['3ffe::/16'])).not.toMatch(/over https only/)
    expect(await failure({ headers: { 'x-trace': '1' } })).not.toMatch(/over https only/)
    expect(await failure(init, 'https://models.test/')).not.toMatch(/over https only/)
    await using guarded = createGuardedFetch({ allowedNetworks: ['127.0.0.0/8'] })
    await expect(guarded.fetch('http://127.0.0.1:1/', init)).rejects.not.toThrow(/over https only/)
  })
})
