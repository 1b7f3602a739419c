import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { readEnv } from '../config/env.ts'
import { findTarget } from './target.ts'

/** A Troupe server's response to a request without a token. */
const troupe: RequestListener = (_request, response) =>
  response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"unauthorized"}')
const other: RequestListener = (_request, response) => response.writeHead(502).end('bad gateway')

/** A server of this machine that counts its requests. */
async function serve(listener: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization ?? 'no token')
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = Object(server.address())
  return {
    asked,
    port: String(port),
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Nothing listens on port 1. */
const find = (environment: Record<string, string>, url: string | null = null) =>
  findTarget({ url, token: 'token' }, readEnv({ PORT: '1', TROUPE_DATA_DIR: '/nowhere', ...environment }))

test('the listening address comes before the public URL, which may be another installation', async () => {
  await using own = await serve(troupe)
  await using elsewhere = await serve(troupe)
  const target = await find({ PORT: own.port, HOST: '0.0.0.0', TROUPE_PUBLIC_URL: elsewhere.url })
  expect(target).toMatchObject({ kind: 'server', url: own.url })
  expect([own.asked, elsewhere.asked]).toEqual([['no token'], []])
})

test('an unreachable public URL is ignored', async () => {
  await using own = await serve(troupe)
  const target = await find({ PORT: own.port, TROUPE_PUBLIC_URL: 'http://127.0.0.1:1' })
  expect(target).toMatchObject({ kind: 'server', url: own.url })
})

test('the public URL is used if nothing, or another program, listens at the local address', async () => {
  await using own = await serve(other)
  await using elsewhere = await serve(troupe)
  expect(await find({ TROUPE_PUBLIC_URL: elsewhere.url })).toMatchObject({ url: elsewhere.url })
  expect(await find({ PORT: own.port, TROUPE_PUBLIC_URL: elsewhere.url })).toMatchObject({
    url: elsewhere.url,
  })
})

test('the database is the target only when nothing listens anywhere', async () => {
  await using own = await serve(other)
  expect(await find({})).toMatchObject({ kind: 'database' })
  expect(await find({ TROUPE_PUBLIC_URL: 'http://127.0.0.1:2' })).toMatchObject({ kind: 'database' })
  await expect(find({ PORT: own.port })).rejects.toThrow(`${own.url} is not a Troupe server.`)
  await expect(find({ TROUPE_PUBLIC_URL: own.url })).rejects.toThrow(`${own.url} is not a Troupe server.`)
})

test('with --url no other address is tried', async () => {
  await using own = await serve(troupe)
  const target = await find({ PORT: own.port }, 'http://127.0.0.1:1')
  expect(target).toMatchObject({ kind: 'server', url: 'http://127.0.0.1:1' })
  expect(own.asked).toEqual([])
})
