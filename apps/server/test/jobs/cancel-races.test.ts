import { openDatabase } from '@troupe/storage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CancelRaces } from './cancel-races.ts'

const RACES = 120

const resources = new AsyncDisposableStack()
let races: CancelRaces
beforeAll(async () => {
  const database = resources.use(await openDatabase({ kind: 'pglite', directory: null }))
  races = resources.use(await CancelRaces.start(async () => database))
})
afterAll(() => resources.disposeAsync())

test(`in ${RACES} races of a cancel against the end of the work all parties report one verdict`, async () => {
  const { won, contradictions } = await races.run(RACES)
  expect(contradictions).toEqual([])
  for (const [way, orders] of Object.entries(won)) {
    expect(Math.min(orders.completed, orders.cancelled), `${way}: both orders occur`).toBeGreaterThan(5)
  }
}, 60_000)
