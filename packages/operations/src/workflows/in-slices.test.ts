import { expect, test } from 'vitest'
import { inSlices } from './in-slices.ts'

/** Works for so long, and does nothing else meanwhile. */
function busyFor(milliseconds: number): void {
  const endsAt = performance.now() + milliseconds
  while (performance.now() < endsAt);
}

test('long work in slices leaves turns to others, and has its own result', async () => {
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
