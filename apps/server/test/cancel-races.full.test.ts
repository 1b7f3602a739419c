import { openDatabase } from '@troupe/storage'
import { testPostgres } from '@troupe/test-kit/postgres'
import { expect, test } from 'vitest'
import { CancelRaces } from './jobs/cancel-races.ts'

const RACES = 10_000

async function migrate(url: string): Promise<void> {
  await using _ = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
}

const postgres = await testPostgres(migrate)

test.skipIf(!postgres)(
  `in ${RACES} races on PostgreSQL, between two processes, all parties report one verdict`,
  async () => {
    if (!postgres) return
    await using resources = new AsyncDisposableStack()
    resources.use(postgres)
    const { url } = resources.use(await postgres.createDatabase())
    const races = await CancelRaces.start(async () =>
      resources.use(await openDatabase({ kind: 'postgres', url, poolSize: 8, replicas: true })),
    )
    resources.use(races)
    const { won, tooEarly, contradictions } = await races.run(RACES)
    process.stdout.write(`${JSON.stringify({ won, tooEarly })}\n`)
    expect(contradictions).toEqual([])
    for (const [way, orders] of Object.entries(won)) {
      expect(Math.min(orders.completed, orders.cancelled), `${way}: both orders occur`).toBeGreaterThan(
        RACES / 30,
      )
    }
  },
  600_000,
)
