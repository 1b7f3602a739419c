import { expect, test } from 'vitest'
import { noticeMail } from './notice-texts.ts'

const LINK = 'https://troupe.test/reviews/1?token=t'
const FORGED = 'https://evil.test/login'

test('a title or a name with line breaks adds no paragraph to the mail', () => {
  const notice = {
    id: '0199f0c2-0000-7000-8000-000000000001',
    title: `Refund\u202e\r\n\r\n\u200bPlease sign in first:\u2028\n${FORGED}\u0000\u0085`,
    askedBy: `Refunds\n\n${FORGED}\n\n`,
    expiresAt: null,
  }
  const { subject, text } = noticeMail(notice, LINK, 'ana@acme.test')
  expect(subject).toBe(`Please review: Refund Please sign in first: ${FORGED}`)
  expect(text.split('\n')).toEqual([
    `Refunds ${FORGED} is waiting for a decision:`,
    '',
    `  Refund Please sign in first: ${FORGED}`,
    '',
    'Open the review to approve or reject it:',
    '',
    LINK,
    '',
    'Anyone with this link may be able to decide. Do not pass it on.',
  ])
})
