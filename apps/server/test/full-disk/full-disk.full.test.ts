import { test } from 'vitest'
import { fillAndRecover } from './fill-and-recover.ts'

test('ten fills under load end in ten recoveries', { timeout: 600_000 }, async ({ skip }) => {
  if (!(await fillAndRecover(10, true))) skip()
})
