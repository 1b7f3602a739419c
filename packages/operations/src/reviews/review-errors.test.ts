import type { LockedVote } from '@troupe/workflows/ports'
import { expect, test } from 'vitest'
import { proposalChanged } from './review-errors.ts'

const ADA = 'user:00000000-0000-4000-8000-00000000000a'
const BEN = 'user:00000000-0000-4000-8000-00000000000b'
const vote = (name: string, at: number, amount: number): LockedVote => ({
  ...{ name, at, decision: 'approve', comment: null },
  data: { amount, note: 'same' },
})
const refused = (...votes: [string, LockedVote][]) => proposalChanged({ votes: new Map(votes), createdAt: 0 })

test('a stale decision names the newest vote that changed a value, not one that approved the value as proposed', () => {
  const error = refused(
    ['link', vote('Cem', 3_000, 9)],
    [BEN, vote('Ben', 2_000, 9)],
    [ADA, vote('Ada', 1_000, 5)],
  )
  expect(error.message).toBe('The proposed values were changed by Ben since you read them.')
  expect(error.current).toMatchObject({
    changedBy: { kind: 'user', id: BEN.slice('user:'.length), name: 'Ben' },
    changedAt: '1970-01-01T00:00:02.000Z',
  })
})

test('only the first voter can have changed the values of the run', () => {
  const error = refused([ADA, vote('Ada', 1_000, 5)], [BEN, vote('Ben', 2_000, 5)])
  expect(error.current).toMatchObject({ changedBy: { name: 'Ada' } })
})

test('a visitor with the link is reported as such, because their name is self-declared', () => {
  const error = refused(['link', vote('Ada', 1_000, 5)])
  expect(error.message).toBe('The proposed values were changed by Ada (by the link) since you read them.')
  expect(error.current).toMatchObject({ changedBy: { kind: 'link', id: null, name: 'Ada' } })
})

test('without a vote no reviewer is named', () => {
  expect(refused()).toMatchObject({
    message: 'The proposed values were changed since you read them.',
    current: { changedBy: null },
  })
})
