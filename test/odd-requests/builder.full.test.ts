import { expect, test } from 'vitest'
import { oddTargets } from './requests.ts'
import { sendOddRequests } from './send-requests.ts'

test.for([
  ['with bodies', true],
  ['without bodies', false],
] as const)('odd requests of the builder %s', { timeout: 300_000 }, async ([, hasBody]) => {
  const outcome = await sendOddRequests(
    async ({ server }) =>
      (await oddTargets(server)).filter(
        ({ name, body }) => name.endsWith(' of the builder') && (body !== null) === hasBody,
      ),
    20,
  )
  console.log(`seed ${outcome.seed}, ${outcome.sent} requests: ${JSON.stringify(outcome.statuses)}`)
  expect(outcome).toMatchObject({ faults: [], changed: [] })
})
