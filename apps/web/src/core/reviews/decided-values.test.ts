import type { MemberReviewDetail } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import { reviewWords as words } from '../messages/en/operate/reviews.ts'
import { decidedValues } from './decided-values.ts'

const field = (name: string, value: unknown): MemberReviewDetail['fields'][number] => ({
  ...{ name, label: name, type: 'text', options: [], required: false, value },
})
const by = { type: 'user', id: '00000000-0000-4000-8000-00000000000a', name: 'Olga' } as const
const former = (value: unknown) => ({ label: words.proposedByRun, value })

test('a value changed by reviewers shows the workflow’s proposal, even after several changes', () => {
  const shown = decidedValues({
    // The first approval has set 5 and emptied the reason.
    fields: [field('amount', 5), field('reason', null), field('note', 'same')],
    proposed: { amount: 250, reason: 'Broken', note: 'same' },
    decision: { by, comment: null, data: { amount: 7, reason: null, note: 'same' } },
  })
  expect(shown).toEqual([
    { label: 'amount', value: 7, former: former(250) },
    { label: 'reason', value: null, former: former('Broken') },
    { label: 'note', value: 'same' },
  ])
})

test('without a decision the values are those of the last approval', () => {
  const review = { fields: [field('amount', 5)], proposed: { amount: 250 }, decision: null }
  expect(decidedValues(review)).toEqual([{ label: 'amount', value: 5, former: former(250) }])
})
