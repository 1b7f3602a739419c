import { seedForm } from '@troupe/test-kit/seed-form'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FormServer, startFormServer, visitor } from './form-setting.ts'

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
