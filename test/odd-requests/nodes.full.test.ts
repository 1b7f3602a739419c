import { expect, test } from 'vitest'
import { oddTargets } from './requests.ts'
import { sendOddRequests } from './send-requests.ts'

test('odd configurations of every node of a workflow', { timeout: 300_000 }, async () => {
  const outcome = await sendOddRequests(
    async ({ server }) => (await oddTargets(server)).filter(({ name }) => name.startsWith('the node ')),
    100,
  )
  console.log(`seed ${outcome.seed}, ${outcome.sent} requests: ${JSON.stringify(outcome.statuses)}`)
  expect(outcome).toMatchObject({ faults: [], changed: [] })
})
