import type { StreamEvent } from '@troupe/contract'
import { expect, test } from 'vitest'
import { TurnLines } from './turn-lines.ts'

const cancelled = (reason: string) =>
  new TurnLines().of({ event: 'RunCancelled', reason, content: 'The moon' } as StreamEvent)

test('a run that a person cancels ends its turn, and one of a server that stops leaves it open', () => {
  expect(cancelled('user')).toMatchObject([{ t: 'error', code: 'run_cancelled' }])
  expect(cancelled('shutdown')).toEqual([])
})
