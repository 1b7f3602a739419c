import { CONTROL } from '@troupe/pages/forms/field-markup'
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

/** Statuses of reads, each with its own `X-Forwarded-For`. */
async function statuses(of: FormServer, path: string, times: number): Promise<number[]> {
  const call = visitor(of)
  const answers = await Promise.all(
    Array.from({ length: times }, (_, at) =>
      call(`GET ${path}`, { headers: { 'x-forwarded-for': `203.0.113.${at % 250}` } }),
    ),
  )
  return answers.map(({ status }) => status)
}

test('a visitor cannot make up addresses; behind a trusted proxy each has its own', {
  timeout: 60_000,
}, async () => {
  const made = await statuses(server, (await seed(server)).path, 130)
  expect(made.filter((status) => status === 429)).toHaveLength(10)
  await using proxied = await startFormServer({ env: { TROUPE_TRUSTED_PROXIES: 'loopback' } })
  const told = await statuses(proxied, (await seed(proxied)).path, 130)
  expect(told.filter((status) => status === 429)).toEqual([])
})

test('wrong passwords of a stranger behind a proxy that is not configured stop nobody else, wherever they are sent', async () => {
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

test('malformed and repeated credentials are no way in', async () => {
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
