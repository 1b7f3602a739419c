import { CONTROL } from '@troupe/server-html/forms/field-markup'
import { seedForm } from '@troupe/test-kit/seed-form'
import { ownOrigin } from '@troupe/test-kit/seed-person'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, type FormServer, startFormServer, visitor } from './form-setting.ts'

let server: FormServer
beforeAll(async () => {
  server = await startFormServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const seed = (to: FormServer) => seedForm(to.context, { organizationId: to.seed.organizationId })

/** The number of refusals for 130 reads by visitors with the addresses that a proxy reports. */
async function refusals(of: FormServer, path: string, addressAt: (at: number) => string): Promise<number> {
  const call = visitor(of)
  const answers = await Promise.all(
    Array.from({ length: 130 }, (_, at) =>
      call(`GET ${path}`, { headers: { 'x-forwarded-for': addressAt(at) } }),
    ),
  )
  return answers.filter(({ status }) => status === 429).length
}

test.for([
  {},
  { TROUPE_TRUSTED_PROXIES: 'loopback' },
])('behind a proxy each visitor has a separate limit: with %o', { timeout: 60_000 }, async (env) => {
  await using proxied = await startFormServer({ env })
  const { path } = await seed(proxied)
  expect(await refusals(proxied, path, (at) => `203.0.113.${at}`)).toBe(0)
  expect(await refusals(proxied, path, () => '198.51.100.1')).toBe(10)
  expect(await refusals(proxied, path, (at) => `203.0.113.${at}`)).toBe(0)
})

test('wrong passwords of a stranger behind an unconfigured proxy do not block anybody else, for any target', async () => {
  const { path } = await seedForm(server.context, {
    organizationId: server.seed.organizationId,
    config: { auth: { mode: 'basic', username: 'guest' } },
    password: 'open sesame',
  })
  const page = path.replace('/api/v1/forms/', '/forms/')
  const signIn = (how: 'basic' | 'session' | 'page', password: string, address: string) => {
    const forwarded = { 'x-forwarded-for': address }
    if (how === 'basic') {
      return server.app.inject({ url: path, headers: { ...forwarded, ...basic('guest', password) } })
    }
    const given = { username: 'guest', password }
    if (how === 'session') {
      return server.app.inject({ method: 'POST', url: `${path}/session`, headers: forwarded, payload: given })
    }
    const type = { origin: ownOrigin(server), 'content-type': 'application/x-www-form-urlencoded' }
    const fields = { [CONTROL.action]: 'sign-in', [CONTROL.username]: 'guest', [CONTROL.password]: password }
    const payload = new URLSearchParams(fields).toString()
    return server.app.inject({ method: 'POST', url: page, headers: { ...forwarded, ...type }, payload })
  }
  for (const how of ['basic', 'session', 'page'] as const) {
    const address = `203.0.113.${how.length}`
    const wrong = await Promise.all(Array.from({ length: 11 }, () => signIn(how, 'wrong', address)))
    const statuses = wrong.map(({ statusCode }) => statusCode).sort()
    expect([how, statuses]).toEqual([how, [...Array.from({ length: 10 }, () => 401), 429]])
  }
  expect((await signIn('page', 'open sesame', '198.51.100.9')).statusCode).toBe(303)
})

test('malformed and repeated credentials are refused', async () => {
  const { path } = await seedForm(server.context, {
    organizationId: server.seed.organizationId,
    config: { auth: { mode: 'basic', username: 'guest' } },
    password: 'open sesame',
  })
  for (const headers of [
    { authorization: ['Basic eDp5', 'Basic Z3Vlc3Q6b3BlbiBzZXNhbWU='] },
    { authorization: 'Basic' },
    { authorization: 'Basic !!!!' },
    { authorization: `Basic ${'A'.repeat(4_000)}` },
    { cookie: ['form_0000000000000000=1.x', 'form_=; =; ;;'] },
    { cookie: 'form_'.repeat(500) },
  ]) {
    const answer = await server.app.inject({ method: 'GET', url: path, headers: headers as never })
    expect(answer.statusCode).toBe(401)
  }
})
