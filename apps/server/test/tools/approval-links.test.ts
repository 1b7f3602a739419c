import { Writable } from 'node:stream'
import { type Approval, ApprovalId, checkedId } from '@troupe/contract'
import type { Mail } from '@troupe/mail'
import { createLogger } from '@troupe/telemetry/logger'
import { seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { EVENTUALLY } from '../jobs/job-setting.ts'
import { startToolSetting, type ToolSetting } from './tool-setting.ts'

let setting: ToolSetting
let log = ''
let mails: Mail[] = []
/** The number of e-mails that fail next. */
let failing = 0

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk)
      done()
    },
  })
  setting = await startToolSetting({
    overrides: {
      log: createLogger({ level: 'trace' }, sink),
      mailer: {
        sends: true,
        async send(mail) {
          if (failing > 0) {
            failing -= 1
            throw new Error('421 try again')
          }
          mails.push(mail)
        },
      },
    },
  })
})
afterAll(() => setting[Symbol.asyncDispose]())
beforeEach(() => {
  setting.model.reset()
  const refund = setting.calls('refund', { card: '4111 1111' })
  setting.model.respond(({ body }) => (body.messages?.at(-1)?.role === 'tool' ? { text: 'Done.' } : refund))
  mails = []
  failing = 0
})

const REFUND = {
  ...{ type: 'code', name: 'refund', approval: 'always', source: 'export default () => "refunded"' },
  input_schema: { type: 'object', properties: { card: { type: 'string' } } },
}
const notified = (...emails: string[]) => ({ ...REFUND, approval_notify: { emails } })
const sendDue = () => setting.server.context.duties.perform('watchdog')

/** A job that waits for its approval, with sent e-mails. */
async function asking(...emails: string[]) {
  const { agentId } = await setting.agent(
    { tools: [notified(...emails)] },
    { name: 'Ada\n\nSign in at evil.test' },
  )
  const runId = await setting.enqueue(agentId, 'x')
  const waiting = async () => (await pending()).find((one) => one.runId === runId)
  const expected = mails.length + emails.length - failing
  await expect.poll(waiting, EVENTUALLY).toBeDefined()
  await sendDue()
  await expect.poll(() => mails.length, EVENTUALLY).toBe(expected)
  const approvalId = (await waiting())?.approvalId ?? ''
  const link = /https?:\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? ''
  return { runId, approvalId, link, path: link.replace('http://localhost:3000', '') }
}

async function pending(): Promise<Approval[]> {
  const { body } = await setting.server.call('GET /api/v1/approvals?status=pending&limit=100')
  return (body as { data: Approval[] }).data
}

const visit = (path: string, headers: Record<string, string> = {}) =>
  setting.server.call(`GET ${path}`, { key: null, headers })
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  setting.server.call(`POST ${path}`, {
    key: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })

test('each address gets a link, with the name of the tool and without the arguments', async () => {
  const { approvalId, runId, link } = await asking('ana@example.com', 'ben@example.com')
  expect(mails.map(({ to, id }) => [to, id])).toEqual([
    ['ana@example.com', approvalId],
    ['ben@example.com', approvalId],
  ])
  expect(mails[0]).toMatchObject({ subject: 'Please review: Allow the call to refund?' })
  expect(mails[0]?.text).toContain('Ada Sign in at evil.test is waiting for a decision:')
  expect(link).toMatch(new RegExp(`^http://localhost:3000/approvals/${approvalId}\\?token=\\w{43}$`))
  expect(JSON.stringify(mails)).not.toContain('4111')
  const token = link.split('token=')[1] ?? '?'
  expect(log).not.toContain(token)
  expect(JSON.stringify(await pending())).not.toContain(token)
  expect(JSON.stringify(await setting.log(runId))).not.toContain(token)
  mails = []
  await sendDue()
  expect(mails).toEqual([])
})

test('the holder of the link sees the call and decides with a name', async () => {
  const { runId, approvalId, path } = await asking('ana@example.com')
  const token = path.split('token=')[1] ?? ''
  const page = await visit(path)
  expect([page.status, page.headers['referrer-policy']]).toEqual([200, 'no-referrer'])
  expect(page.body).toContain('Allow the call to refund?')
  expect(page.body).toContain('name="name"')
  expect(page.body).not.toContain('/reviews"')
  const plain = `/approvals/${approvalId}`
  expect((await post(plain, { decision: 'approve', token })).status).toBe(400)
  const decided = await post(plain, { decision: 'approve', token, name: 'Zoe' })
  expect([decided.status, decided.headers.location]).toEqual([303, path])
  expect((await setting.ended(runId)).result).toMatchObject({ content: 'Done.' })
  expect(setting.lastResult()).toBe('"refunded"')
  expect((await visit(path)).body).toContain('The call was approved by Zoe (by the link).')
  const late = await post(plain, { decision: 'reject', token, name: 'Zoe' })
  expect(late.status).toBe(409)
})

test('a link opens its own approval only, and a wrong token gets the response of an unknown approval', async () => {
  const one = await asking('ana@example.com')
  const two = await asking('ana@example.com')
  const token = one.path.split('token=')[1] ?? ''
  const unknown = await visit(`/approvals/00000000-0000-4000-8000-000000000000?token=${token}`)
  const foreign = await visit(`/approvals/${two.approvalId}?token=${token}`)
  expect([foreign.status, foreign.body]).toEqual([404, unknown.body])
  const fields = { decision: 'approve', token, name: 'Zoe' }
  const origin = { origin: 'http://localhost:3000' }
  expect((await post(`/approvals/${two.approvalId}`, fields, origin)).status).toBe(404)
  expect((await visit(`/approvals/${two.approvalId}`)).status).toBe(303)
  for (const { runId, approvalId } of [one, two]) {
    await setting.server.call(`POST /api/v1/approvals/${approvalId}/resolve`, {
      body: { decision: 'reject' },
    })
    await setting.ended(runId)
  }
})

test('a signed-in member decides as that member, including by the link', async () => {
  const { server } = setting
  const { organizationId } = server.seed
  const { runId, approvalId, path } = await asking('ana@example.com')
  const ana = await seedPerson(server.context.database, { organizationId, name: 'Ana' })
  const cookie = await signIn(server, ana)
  expect((await visit(path, { cookie })).body).not.toContain('name="name"')
  const token = path.split('token=')[1] ?? ''
  await post(`/approvals/${approvalId}`, { decision: 'reject', token, reason: 'Too much.' }, { cookie })
  await setting.ended(runId)
  expect(setting.lastResult()).toContain('denied: Too much.')
  expect((await visit(path)).body).toContain('The call was rejected by Ana.')
})

test('a failed e-mail is resent, and none is sent once the approval is decided', async () => {
  failing = 1
  const { runId, approvalId } = await asking('ana@example.com', 'ben@example.com')
  expect(mails.map(({ to }) => to)).toEqual(['ben@example.com'])
  const { approvals } = setting.server.context.database
  const notify = { emails: ['ana@example.com'], webhookUrl: null }
  expect(await approvals.noticed(checkedId(ApprovalId, approvalId), { notify, retrySeconds: 0 })).toBe(true)
  await sendDue()
  expect(mails.map(({ to }) => to)).toEqual(['ben@example.com', 'ana@example.com'])

  failing = 1
  const other = await asking('ana@example.com')
  for (const one of [approvalId, other.approvalId]) {
    await setting.server.call(`POST /api/v1/approvals/${one}/resolve`, { body: { decision: 'reject' } })
  }
  expect(await approvals.noticed(checkedId(ApprovalId, other.approvalId), { notify, retrySeconds: 0 })).toBe(
    false,
  )
  mails = []
  await sendDue()
  expect(mails).toEqual([])
  await Promise.all([runId, other.runId].map((id) => setting.ended(id)))
})

test('a stream also asks by e-mail', async () => {
  const { agentId } = await setting.agent({ tools: [notified('ana@example.com')] })
  const reading = setting.events(agentId, 'x')
  await expect.poll(async () => (await pending()).length, EVENTUALLY).toBe(1)
  await sendDue()
  await expect.poll(() => mails.length, EVENTUALLY).toBe(1)
  const path = /\/approvals\S+/.exec(mails[0]?.text ?? '')?.[0] ?? ''
  const [plain = '', token = ''] = path.split('?token=')
  expect((await post(plain, { decision: 'approve', token, name: 'Zoe' })).status).toBe(303)
  expect((await reading).at(-1)).toMatchObject({ event: 'RunCompleted' })
})

test.for([
  [{ approval_notify: { emails: ['ana@example.com'] }, approval: 'never' }, 'config.tools.0.approval_notify'],
  [{ approval_notify: { emails: ['no address'] } }, 'config.tools.0.approval_notify.emails.0'],
  [{ approval_notify: { emails: [] } }, 'config.tools.0.approval_notify.emails'],
  [
    { approval_notify: { emails: ['ana@example.com'], webhook: 'x' } },
    'config.tools.0.approval_notify.webhook',
  ],
])('saving refuses the option %j', async ([option, path]) => {
  const body = { name: 'Ada', config: { tools: [{ ...REFUND, ...(option as object) }] } }
  const answer = await setting.server.call('POST /api/v1/agents', { body })
  expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ path }] }])
})
