import { checkedId, propertyOf, type Review, ReviewId } from '@troupe/contract'
import { type Database, openDatabase } from '@troupe/storage'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { testPostgres } from '@troupe/test-kit/postgres'
import { startTestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asMember } from '../builder/builder-caller.ts'
import { ReviewSetting, reviewGraph } from './review-setting.ts'
import { withDeadlines } from './short-deadlines.ts'

/** Runs of one race that are prepared concurrently. */
const TOGETHER = 20
/** Milliseconds before the deadline at which a race with it begins: mostly close, some certainly early or late. */
const LEADS = [5, 10, 20, 40, 80, 160, 320, 640, 0, -5, -20]

async function migrate(url: string): Promise<void> {
  await using _ = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
}

const postgres = await testPostgres(migrate)
const KINDS = postgres ? (['pglite', 'postgres'] as const) : (['pglite'] as const)
afterAll(() => postgres?.[Symbol.asyncDispose]())

const TWO_REVIEWS = {
  nodes: [
    node('start', 'manual-trigger'),
    node('left', 'human-review', { title: 'Left' }),
    node('right', 'human-review', { title: 'Right' }),
    node('join', 'edit-fields', {
      rows: [
        { name: 'left', value: '{{ upstream.left.output.comment }}' },
        { name: 'right', value: '{{ upstream.right.output.comment }}' },
      ],
    }),
  ],
  edges: [
    edge('start', 'left'),
    edge('start', 'right'),
    edge('left', 'join', 'approved'),
    edge('right', 'join', 'approved'),
  ],
}

/** Races between two processes, for this number of rounds on each database, a multiple of {@link TOGETHER}. */
export function describeRaces(rounds: Record<(typeof KINDS)[number], number>): void {
  describe.each(KINDS)('on %s', (kind) => raceOn(kind, rounds[kind]))
}

function raceOn(kind: (typeof KINDS)[number], ROUNDS: number): void {
  const resources = new AsyncDisposableStack()
  /** Two processes that share only the database. */
  let here: ReviewSetting
  let there: ReviewSetting
  let deadline = 3_600

  beforeAll(async () => {
    const open = await opener()
    const start = async () => {
      const database = withDeadlines(await open(), () => deadline)
      return new ReviewSetting(resources.use(await startTestServer({ overrides: { database } })))
    }
    here = await start()
    there = await start()
  })
  afterAll(() => resources.disposeAsync())

  async function opener(): Promise<() => Promise<Database>> {
    if (kind === 'postgres' && postgres) {
      const { url } = resources.use(await postgres.createDatabase())
      return async () =>
        resources.use(await openDatabase({ kind: 'postgres', url, poolSize: 8, replicas: true }))
    }
    const database = resources.use(await openDatabase({ kind: 'pglite', directory: null }))
    return async () => database
  }

  /** Repeats a race. */
  async function rounds(graph: unknown, play: (executionId: string, round: number) => Promise<void>) {
    const workflowId = await here.workflow(graph)
    for (let first = 0; first < ROUNDS; first += TOGETHER) {
      await Promise.all(
        Array.from({ length: TOGETHER }, async (_, n) => play(await here.start(workflowId), first + n)),
      )
    }
  }

  const cancel = ({ server }: ReviewSetting, executionId: string) =>
    server.call(`POST /api/v1/workflow-jobs/${executionId}/cancel`, {
      key: here.server.seed.keys.organization,
    })
  const decide = (setting: ReviewSetting, review: Review | undefined, body: object) =>
    setting.decide(review?.reviewId, body, here.server.seed.keys.organization)

  // langgenius/dify#42103, #40445
  test(`two reviews that are answered concurrently both count, ${ROUNDS} times`, async () => {
    await rounds(TWO_REVIEWS, async (executionId, round) => {
      const [one, other] = await here.open(executionId, 2)
      // Half of the answers arrive while a worker is still releasing the run.
      if (round % 2 === 0) await here.reaches(executionId, 'awaiting_approval')
      const answers = await Promise.all([
        decide(here, one, { decision: 'approve', comment: one?.nodeId }),
        decide(there, other, { decision: 'approve', comment: other?.nodeId }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(await here.output(executionId)).toEqual({ left: 'left', right: 'right' })
    })
  }, 180_000)

  test(`of a concurrent approval and rejection one counts, ${ROUNDS} times`, async () => {
    const won = { approved: 0, rejected: 0 }
    await rounds(reviewGraph(), async (executionId) => {
      const [review] = await here.open(executionId)
      const answers = await Promise.all([
        decide(here, review, { decision: 'approve' }),
        decide(there, review, { decision: 'reject' }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      const verdict = answers[0].status === 200 ? 'approved' : 'rejected'
      won[verdict] += 1
      expect(await here.output(executionId)).toMatchObject({ went: verdict, review: { decision: verdict } })
    })
    expect(won.approved + won.rejected).toBe(ROUNDS)
  }, 180_000)

  test(`of two concurrent approvals none settles values that it did not see, ${ROUNDS} times`, async () => {
    const fields = [{ name: 'amount', label: 'Amount', type: 'number', value: 100 }]
    const rita = await asMember(here.server, 'reviewer', 'Rita')
    const max = await asMember(there.server, 'member', 'Max', here.server.seed.organizationId)
    await rounds(reviewGraph({ fields, approvalsRequired: 2 }), async (executionId) => {
      const [review] = await here.open(executionId)
      const path = `/reviews/${review?.reviewId}`
      const shown = async () => propertyOf((await rita.send(`GET ${path}`)).body, 'revision')
      const revision = await shown()
      const [seen, changed] = await Promise.all([
        rita.send(`POST ${path}/decision`, { decision: 'approve', revision }),
        max.send(`POST ${path}/decision`, { decision: 'approve', revision, data: { amount: 10_000 } }),
      ])
      // Either she is first, and his values are decided, or she gets a version conflict.
      expect([seen.status, seen.body, changed.status, changed.body]).toMatchObject(
        seen.status === 200
          ? [200, { status: 'open' }, 200, { status: 'approved' }]
          : [409, { error: 'version_conflict' }, 200, { status: 'open' }],
      )
      if (seen.status === 409) {
        const again = { decision: 'approve', revision: await shown() }
        expect((await rita.send(`POST ${path}/decision`, again)).status).toBe(200)
      }
      expect(await here.output(executionId)).toMatchObject({ review: { data: { amount: 10_000 } } })
    })
  }, 180_000)

  test(`of a concurrent decision, deadline and cancel one wins, ${ROUNDS} times`, {
    timeout: 240_000,
  }, async () => {
    const graph = reviewGraph({ timeout: { after: 1, unit: 'minutes' } }, ['approved', 'timeout'])
    const won: Record<string, number> = { approved: 0, timeout: 0, withdrawn: 0 }
    const everyoneWon = () => Object.values(won).every((count) => count > 0)
    const race = async (executionId: string, round: number) => {
      const [review] = await here.open(executionId)
      const { organizationId } = here.server.seed
      const stored = await here.server.context.database.reviews.find(
        { organizationId, projectId: null },
        checkedId(ReviewId, review?.reviewId ?? ''),
      )
      const at = (stored?.expiresAt ?? 0) - (LEADS[round % LEADS.length] ?? 0)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - Date.now())))
      await Promise.all([
        decide(here, review, { decision: 'approve' }),
        there.server.context.duties.perform('watchdog'),
        round % 3 === 0 ? cancel(there, executionId) : null,
      ])
      await here.server.context.duties.perform('watchdog')
      const verdict = await settled(executionId)
      won[verdict] = (won[verdict] ?? 0) + 1
    }
    try {
      // On a busy machine a review may be opened when its deadline is already over: then no decision wins, and the rounds are
      // played again with a longer one.
      for (deadline = 2; deadline === 2 || (deadline <= 16 && !everyoneWon()); deadline *= 2) {
        await rounds(graph, race)
      }
    } finally {
      deadline = 3_600
    }
    expect(Object.keys(won).sort()).toEqual(['approved', 'timeout', 'withdrawn'])
    expect(everyoneWon(), JSON.stringify(won)).toBe(true)
  })

  /** Waits for the run's end; its review must agree with the run. */
  async function settled(executionId: string): Promise<string> {
    await expect
      .poll(async () => (await here.poll(executionId)).status, { timeout: 30_000, interval: 30 })
      .toMatch(/completed|cancelled|failed/)
    const { status } = await here.poll(executionId)
    const [review] = await here.reviews(executionId)
    const verdict = review?.status ?? 'none'
    if (status === 'completed') {
      expect(await here.output(executionId)).toMatchObject({ went: verdict, review: { decision: verdict } })
    } else {
      // A cancel may also meet a decided run that had not continued yet.
      expect(status).toBe('cancelled')
      expect(verdict).not.toBe('open')
    }
    return verdict
  }
}
