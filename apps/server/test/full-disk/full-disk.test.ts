import { test } from 'vitest'
import { fillAndRecover } from './fill-and-recover.ts'

test('a full disk refuses writes, serves reads and loses nothing', { timeout: 120_000 }, async ({ skip }) => {
  if (!(await fillAndRecover(1, false))) skip()
})
