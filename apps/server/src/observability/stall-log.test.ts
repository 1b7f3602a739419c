import { expect, test, vi } from 'vitest'
import { StallLog } from './stall-log.ts'

function standStill(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('a stall of more than 200 ms is one line with the routes and runs at work', async () => {
  const warn = vi.fn()
  using stalls = new StallLog({ log: { warn }, runs: () => ['run-1'] })
  const [open, ended] = [{}, {}]
  stalls.began(open, 'GET /a')
  stalls.began(ended, 'POST /b')
  standStill(400)
  stalls.ended(ended)
  await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(0)
  const [fields, text] = warn.mock.calls[0] ?? []
  expect(text).toBe('the event loop stood still')
  expect(fields).toMatchObject({ routes: ['POST /b', 'GET /a'], runs: ['run-1'] })
  expect(fields.stallMs).toBeGreaterThan(200)
  expect(fields.cpuMs).toBeGreaterThan(0)
})
