import { expect, test } from 'vitest'
import { inSlices } from './in-slices.ts'

/** Blocks the event loop for this long. */
function busyFor(milliseconds: number): void {
  const endsAt = performance.now() + milliseconds
  while (performance.now() < endsAt);
}

test('long work in slices gives other work its turns, and returns its own result', async () => {
  function* work() {
    for (let step = 0; step < 100; step += 1) {
      yield
      busyFor(2)
    }
    return 'done'
  }
  let turns = 0
  const other = setInterval(() => {
    turns += 1
  }, 1)
  expect(await inSlices(work())).toBe('done')
  clearInterval(other)
  expect(turns).toBeGreaterThan(3)
})
