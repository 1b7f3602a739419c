import { type Approval, MEMBER_ROLES, type MemberRole } from '@troupe/contract'
import type { RunDetail } from '@troupe/contract/builder'
import { ownOrigin } from '@troupe/test-kit/seed-person'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENTUALLY } from '../jobs/job-setting.ts'
import { startToolSetting, type ToolSetting } from '../tools/tool-setting.ts'
import { asMember } from './builder-caller.ts'

let setting: ToolSetting
beforeAll(async () => {
  setting = await startToolSetting()
  const call = setting.calls('calculator', { expression: '1' })
  setting.model.respond(({ body }) => (body.messages?.at(-1)?.role === 'tool' ? { text: 'Done.' } : call))
})
afterAll(() => setting[Symbol.asyncDispose]())

/** The approval of a job's call; `emails` are the addresses named by the tool. */
async function asking(...emails: string[]): Promise<Approval> {
  const calculator = { type: 'builtin', name: 'calculator', builtin: 'calculator', approval: 'always' }
  const notified = emails.length === 0 ? calculator : { ...calculator, approval_notify: { emails } }
  const { agentId } = await setting.agent({ tools: [notified] })
  const runId = await setting.enqueue(agentId, 'x')
  let found: Approval | undefined
  const read = async () => {
    const { body } = await setting.server.call('GET /api/v1/approvals?status=pending&limit=100')
    found = (body as { data: Approval[] }).data.find((one) => one.runId === runId)
    return found !== undefined
  }
  await expect.poll(read, EVENTUALLY).toBe(true)
  if (!found) throw new Error('no approval')
  return found
}

type Member = Awaited<ReturnType<typeof asMember>>

/** Everything in the builder that shows a member an approval. */
async function seenBy({ send, cookie }: Member, { approvalId }: Approval) {
  const { server } = setting
  const page = async (url: string) => {
    const { statusCode, body } = await server.app.inject({ url, headers: { cookie } })
    return { status: statusCode, names: body.includes(approvalId) }
  }
  const list = await send('GET /approvals?status=pending&limit=100')
  const { data, total } = list.body as { data: Approval[]; total: number }
  return {
    listed: data.some((one) => one.approvalId === approvalId),
    isCounted: total === data.length,
    read: (await send(`GET /approvals/${approvalId}`)).status,
    inbox: (await page('/reviews?status=open')).names,
    page: (await page(`/approvals/${approvalId}`)).status,
  }
}

const ALL = { listed: true, isCounted: true, read: 200, inbox: true, page: 200 }
const NOTHING = { listed: false, isCounted: true, read: 404, inbox: false, page: 404 }

/** Posts the approval's page with a session. */
const post = ({ cookie }: Member, { approvalId }: Approval) =>
  setting.server.app.inject({
    method: 'POST',
    url: `/approvals/${approvalId}`,
    headers: {
      cookie,
      origin: ownOrigin(setting.server),
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ decision: 'approve', reason: '' }).toString(),
  })

test.each(
  MEMBER_ROLES,
)('an approval without named members is assigned to a member with the role %s by its rule', async (role) => {
  const approval = await asking()
  const member = await asMember(setting.server, role)
  const isAsked = role !== 'reviewer'
  expect(await seenBy(member, approval)).toEqual(isAsked ? ALL : NOTHING)
  const decided = await member.send(`POST /approvals/${approval.approvalId}/resolve`, { decision: 'reject' })
  expect([decided.status, decided.body]).toMatchObject(
    isAsked ? [200, { status: 'denied' }] : [404, { error: 'approval_not_found' }],
  )
  if (!isAsked) expect((await post(member, approval)).statusCode).toBe(404)
})

test.each<MemberRole>([
  'reviewer',
  'viewer',
])('an approval that names a %s is assigned to them, ignoring case', async (role) => {
  const member = await asMember(setting.server, role)
  const approval = await asking(member.person.email.toUpperCase())
  expect(await seenBy(member, approval)).toEqual(ALL)
  const other = await asMember(setting.server, 'reviewer', 'Other')
  expect(await seenBy(other, approval)).toEqual(NOTHING)
  const decided = await member.send(`POST /approvals/${approval.approvalId}/resolve`, { decision: 'approve' })
  expect([decided.status, decided.body]).toMatchObject([200, { status: 'approved' }])
  // Decided approvals are readable by their assignees only.
  expect((await member.send(`GET /approvals/${approval.approvalId}`)).status).toBe(200)
  const { body } = await other.send('GET /approvals?decided=true&limit=100')
  expect((body as { total: number }).total).toBe(0)
})

test('notifications of an approval do not change its assignees', async () => {
  const member = await asMember(setting.server, 'reviewer')
  const approval = await asking(member.person.email)
  await setting.server.context.duties.perform('watchdog')
  expect(await seenBy(member, approval)).toEqual(ALL)
})

test('the trace of a run shows the wait, the decision with its author and time, and the later start of the call', async () => {
  const approval = await asking()
  const olga = await asMember(setting.server, 'owner', 'Olga')
  const trace = async () =>
    ((await olga.send(`GET /runs/${approval.runId}`)).body as RunDetail).agentRun ?? null
  expect((await trace())?.approvals).toMatchObject([
    {
      approvalId: approval.approvalId,
      toolCallId: 'call_0_0',
      status: 'pending',
      by: null,
      resolvedMs: null,
    },
  ])
  await olga.send(`POST /approvals/${approval.approvalId}/resolve`, { decision: 'approve' })
  await setting.ended(approval.runId)
  const ended = await trace()
  const [waited] = ended?.approvals ?? []
  expect(waited).toMatchObject({ status: 'approved', by: { name: 'Olga' }, memberRunId: null })
  expect(ended?.toolStarts).toEqual([
    { runId: approval.runId, toolCallId: 'call_0_0', startedMs: expect.any(Number), isStored: true },
  ])
  expect(ended?.toolStarts?.[0]?.startedMs).toBeGreaterThanOrEqual(waited?.resolvedMs ?? 0)
  expect(waited?.resolvedMs).toBeGreaterThanOrEqual(waited?.askedMs ?? Number.POSITIVE_INFINITY)
})
