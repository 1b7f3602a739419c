import { expect, test, vi } from 'vitest'
import { StallLog } from './stall-log.ts'

/** Blocks the event loop for the given CPU time, however busy the machine is. */
function standStill(ms: number): void {
  const since = process.cpuUsage()
  for (;;) {
    const { user, system } = process.cpuUsage(since)
    if ((user + system) / 1000 >= ms) return
  }
}

test('a stall of more than 200 ms is one line with the routes and runs at work', async () => {
  const lines = vi.fn()
  using stalls = new StallLog({ log: { warn: lines, info: lines }, runs: () => ['run-1'] })
  const [open, ended] = [{}, {}]
  stalls.began(open, 'GET /a')
  stalls.began(ended, 'POST /b')
  standStill(400)
  stalls.ended(ended)
  await expect.poll(() => lines.mock.calls.length).toBeGreaterThan(0)
  const [fields, text] = lines.mock.calls[0] ?? []
  expect(text).toMatch(/^the event loop (was blocked|waited for the machine)$/)
  expect(fields).toMatchObject({ routes: ['POST /b', 'GET /a'], runs: ['run-1'] })
  expect(fields.stallMs).toBeGreaterThan(200)
  expect(fields.cpuMs).toBeGreaterThan(0)
})

test('a stall during the boot is not logged', async () => {
  const lines = vi.fn()
  using _stalls = new StallLog({ log: { warn: lines, info: lines }, runs: () => [], quietMs: 60_000 })
  standStill(400)
  // When a later timer of twice its period has run, the logging timer has run, too.
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(lines).not.toHaveBeenCalled()
})
