import { expect, test } from 'vitest'
import { problemSentence } from './problem-sentence.ts'

test('what refers to keys of the API is said in the words of the page, anything else as a sentence', () => {
  expect(problemSentence('is required when mode is json_schema')).toBe(
    'Enter the schema of the answer, or choose text',
  )
  expect(problemSentence('is a member already')).toBe('Is a member already')
  expect([problemSentence(''), problemSentence(null)]).toEqual([null, null])
})
