import { randomUUID } from 'node:crypto'
import {
  ApiKeyId,
  type DomainError,
  newId,
  OrganizationId,
  ReviewId,
  UserId,
  WorkflowId,
  WorkflowRunId,
} from '@troupe/contract'
import type { Delivery } from '@troupe/durable-work'
import type { Actor, Database } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import type { ReviewRequest } from '@troupe/workflows/ports'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decideReview } from './decide-review.ts'
import { proposalRevision } from './proposal-revision.ts'
import type { Reviewer } from './reviewer.ts'

// Decisions over a real database without a server: who may decide, how votes count, and what is refused.

const SYSTEM: Actor = { kind: 'system', id: null, ip: null, requestId: null }
const GRAPH = { nodes: [{ id: 'start', type: 'manual-trigger' }], edges: [] }

const REQUEST: ReviewRequest = {
  title: 'Refund',
  instructions: 'Look.',
  show: [],
  fields: [{ name: 'amount', label: 'Amount', type: 'number', options: [], required: true, value: 12 }],
  reviewers: { kind: 'members', roles: [], userIds: [] },
  approvalsRequired: 1,
  requireRejectComment: false,
  allowSelfApproval: true,
  allowApiKeys: true,
  timeoutSeconds: null,
  notify: { emails: [], webhookUrl: null },
}

const ANA = { type: 'user', id: newId(UserId), name: 'Ana', role: 'admin' } satisfies Reviewer
const BEN: Reviewer = { type: 'user', id: newId(UserId), name: 'Ben', role: 'member' }
const EVE: Reviewer = { type: 'user', id: newId(UserId), name: 'Eve', role: 'reviewer' }

let database: Database
let organizationId: OrganizationId
let workflowId: WorkflowId
let apiKeyId: ApiKeyId
let sent: Delivery[]

beforeAll(async () => {
  database = await openReusedDatabase()
  organizationId = newId(OrganizationId)
  workflowId = newId(WorkflowId)
  apiKeyId = newId(ApiKeyId)
  const key = {
    id: apiKeyId,
    name: 'ci',
    secretHash: randomUUID(),
    rpm: null,
    expiresAt: null,
    revokedAt: null,
  }
  const workflow = { id: workflowId, organizationId, projectId: null, slug: null, name: 'Refunds' }
  await database.transaction(async ({ write }) => {
    await write.organizations.put({
      id: organizationId,
      slug: 'acme',
      name: 'Acme',
      rpm: 10,
      concurrentRuns: 50,
    })
    await write.apiKeys.insert({ ...key, organizationId, projectId: null })
    await write.workflows.insert({ ...workflow, description: null, draft: GRAPH })
    await write.workflows.publish({ ...workflow, graph: GRAPH, resources: [], createdBy: SYSTEM })
  })
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(() => {
  sent = []
})

/** A run that waits for one review; its id, and the run's. */
async function open(changes: Partial<ReviewRequest> = {}, startedByUserId: UserId | null = null) {
  const runId = newId(WorkflowRunId)
  const started = await database.workflowRuns.accept({
    ...{ runId, workflowId, versionId: null, source: 'api_async', firedNodeId: null, scheduledFor: null },
    ...{ scope: { organizationId, projectId: null }, input: {}, apiKeyId, startedByUserId },
    ...{ waiter: null, claim: null, idempotency: null, createdAt: Date.now() },
  })
  expect(started.kind).toBe('accepted')
  const claimed = await database.workflowRuns.claim({ runId, slice: 0 }, 'w', 30)
  if (!claimed) throw new Error('not claimed')
  const reviewId = newId(ReviewId)
  const request = { ...REQUEST, ...changes }
  await database.workflowRuns.commit({
    ...{ fence: claimed.fence, organizationId, waiter: null, variables: null, nodeRuns: [], iterations: [] },
    to: { status: 'awaiting_approval', statusReason: 'waiting for 1 review: "Approve"' },
    reviews: [{ reviewId, path: '', nodeId: 'ask', request, link: { hash: randomUUID(), sealed: 'sealed' } }],
  })
  return { reviewId, runId }
}

type Body = Parameters<typeof decideReview>[1]['body']

function decide(reviewId: string, reviewer: Reviewer, body: Body, revision: string | null = null) {
  return decideReview(
    { database, send: (delivery) => void sent.push(delivery) },
    {
      scope: { organizationId, projectId: null },
      reviewId,
      reviewer: async () => reviewer,
      actor: SYSTEM,
      body,
      revision,
    },
  )
}

/** The code of the refusal, and its text. */
async function refusal(decision: Promise<unknown>): Promise<[code: string, message: string]> {
  const refused = await decision.then(
    () => null,
    (error: DomainError) => error,
  )
  if (!refused) throw new Error('not refused')
  return [refused.code, refused.message]
}

const APPROVE: Body = { decision: 'approve' }
const REJECT: Body = { decision: 'reject' }

describe('the first decision', () => {
  test('is final: the run continues once, and another decision is refused', async () => {
    const { reviewId } = await open()
    expect(await decide(reviewId, ANA, APPROVE)).toMatchObject({ reviewId, status: 'approved' })
    expect(sent).toHaveLength(1)
    expect(await refusal(decide(reviewId, BEN, REJECT))).toEqual([
      'review_already_decided',
      'The review was approved by Ana.',
    ])
    expect(sent).toHaveLength(1)
  })

  test('gets the same response when the same person repeats it, and a refusal with another comment', async () => {
    const { reviewId } = await open()
    const first = await decide(reviewId, ANA, { ...APPROVE, comment: 'Fine.' })
    expect(await decide(reviewId, ANA, { ...APPROVE, comment: ' Fine. ' })).toEqual(first)
    expect(sent).toHaveLength(1)
    expect((await refusal(decide(reviewId, ANA, { ...APPROVE, comment: 'Other.' })))[0]).toBe(
      'review_already_decided',
    )
    expect((await refusal(decide(reviewId, BEN, { ...APPROVE, comment: 'Fine.' })))[0]).toBe(
      'review_already_decided',
    )
  })

  test('of two concurrent ones counts once', async () => {
    const { reviewId } = await open()
    const both = await Promise.allSettled([decide(reviewId, ANA, APPROVE), decide(reviewId, BEN, REJECT)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(sent).toHaveLength(1)
  })
})

describe('a review that needs two approvals', () => {
  test('stays open after one, refuses a second by the same person, and ends with that of another', async () => {
    const { reviewId } = await open({ approvalsRequired: 2 })
    expect(await decide(reviewId, ANA, APPROVE)).toMatchObject({ status: 'open', decidedAt: null })
    expect(await refusal(decide(reviewId, ANA, { ...APPROVE, comment: 'Again.' }))).toEqual([
      'review_already_decided',
      'You have already approved. The review waits for 1 more.',
    ])
    expect(sent).toEqual([])
    expect(await decide(reviewId, BEN, APPROVE)).toMatchObject({ status: 'approved' })
    expect(sent).toHaveLength(1)
  })

  test('ends with the first rejection, including by a person who approved', async () => {
    const { reviewId } = await open({ approvalsRequired: 3 })
    await decide(reviewId, ANA, APPROVE)
    expect(await decide(reviewId, ANA, REJECT)).toMatchObject({ status: 'rejected' })
  })

  test('proposes the values of an approval to the next, who must have seen them', async () => {
    const { reviewId } = await open({ approvalsRequired: 2 })
    const seen = proposalRevision(REQUEST.fields)
    await decide(reviewId, ANA, { ...APPROVE, data: { amount: 5 } }, seen)
    expect((await refusal(decide(reviewId, BEN, APPROVE, seen)))[0]).toBe('version_conflict')
    const found = await database.reviews.find({ organizationId, projectId: null }, reviewId)
    expect(found?.fields).toMatchObject([{ name: 'amount', value: 5 }])
    const now = proposalRevision(found?.fields ?? [])
    expect(await decide(reviewId, BEN, APPROVE, now)).toMatchObject({ status: 'approved' })
  })
})

describe('a decision is refused', () => {
  test.each<[name: string, changes: Partial<ReviewRequest>, reviewer: Reviewer]>([
    ['to a person who is not named', { reviewers: { kind: 'users', roles: [], userIds: [ANA.id] } }, BEN],
    ['to a role that is not named', { reviewers: { kind: 'roles', roles: ['admin'], userIds: [] } }, EVE],
    [
      'to an API key where people decide',
      { allowApiKeys: false },
      { type: 'apiKey', id: newId(ApiKeyId), name: 'ci' },
    ],
  ])('%s', async (_, changes, reviewer) => {
    const { reviewId } = await open(changes)
    expect((await refusal(decide(reviewId, reviewer, APPROVE)))[0]).toBe('not_a_reviewer')
    expect(sent).toEqual([])
  })

  test('to the API key that started the run, if starters may not decide', async () => {
    const { reviewId } = await open({ allowSelfApproval: false })
    const starter: Reviewer = { type: 'apiKey', id: apiKeyId, name: 'ci' }
    expect(await refusal(decide(reviewId, starter, APPROVE))).toEqual([
      'not_a_reviewer',
      'The person who started the run may not decide.',
    ])
    expect(await decide(reviewId, ANA, APPROVE)).toMatchObject({ status: 'approved' })
  })

  test('without the comment that a rejection needs, together with every wrong value', async () => {
    const { reviewId } = await open({ requireRejectComment: true })
    const wrong = decide(reviewId, ANA, { ...REJECT, comment: ' ', data: { unknown: 1 } })
    const refused = (await wrong.catch((error: unknown) => error)) as DomainError
    expect(refused.code).toBe('validation_error')
    expect(refused.errors?.map(({ path }) => path)).toEqual(['comment', 'data.unknown'])
    expect(await decide(reviewId, ANA, { ...REJECT, comment: 'Too much.' })).toMatchObject({
      status: 'rejected',
    })
  })

  test('after the deadline, which ends the review also before the sweep does', async () => {
    const { reviewId, runId } = await open({ timeoutSeconds: 0 })
    expect(await refusal(decide(reviewId, ANA, APPROVE))).toEqual([
      'review_already_decided',
      'The deadline of the review has passed.',
    ])
    const found = await database.reviews.find({ organizationId, projectId: null }, reviewId)
    expect(found).toMatchObject({ status: 'timeout', runId })
    expect(sent).toHaveLength(1)
  })

  test('after the end of the run', async () => {
    const { reviewId, runId } = await open()
    const scope = { organizationId, projectId: null }
    await database.transaction(({ workflowRuns }) => workflowRuns.cancel(scope, runId))
    expect((await refusal(decide(reviewId, ANA, APPROVE)))[0]).toBe('run_not_active')
  })

  test.each([
    ['an unknown id', randomUUID()],
    ['a text that is no id', 'x'],
  ])('of %s', async (_, reviewId) => {
    expect((await refusal(decide(reviewId, ANA, APPROVE)))[0]).toBe('review_not_found')
  })
})
