import { expect, test } from 'vitest'
import { oddTargets } from './requests.ts'
import { sendOddRequests } from './send-requests.ts'

test('odd requests of the public API, of triggers, of the operator and of people', {
  timeout: 300_000,
}, async () => {
  const outcome = await sendOddRequests(
    async ({ server }) =>
      (await oddTargets(server)).filter(({ url }) => !url.startsWith('/api/builder/v1/organizations/')),
    40,
  )
  console.log(`seed ${outcome.seed}, ${outcome.sent} requests: ${JSON.stringify(outcome.statuses)}`)
  expect(outcome).toMatchObject({ faults: [], changed: [] })
})
