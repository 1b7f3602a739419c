import { expect, test } from 'vitest'
import { headingsOf } from './headings.ts'

test('headings have their level and their line; code, hashtags and empty ones are none', () => {
  const text =
    '# Who you are\n\nText #1\n## Rules ##\n```md\n# Not this\n```\n####### seven\n#tag\n#\n### Tone'
  expect(headingsOf(text)).toEqual([
    { level: 1, text: 'Who you are', line: 1 },
    { level: 2, text: 'Rules', line: 4 },
    { level: 3, text: 'Tone', line: 11 },
  ])
})

test('code that is never closed hides what follows, and another fence does not close it', () => {
  expect(headingsOf('~~~\n# a\n```\n# b')).toEqual([])
})
