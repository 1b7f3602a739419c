import { expect, test } from 'vitest'
import { tokensOfRun, tokensText } from './tokens-text.ts'

const run = { kind: 'agent', status: 'cancelled', startedAt: 1, inputTokens: 0, outputTokens: 0 } as const
const stopped = { errorCode: 'aborted', hasAllTokens: false }

function textOf(...given: Parameters<typeof tokensOfRun>): string | null {
  const tokens = tokensOfRun(...given)
  return tokens && tokensText(tokens)
}

test('a run that was stopped has no 0 where the provider reported nothing', () => {
  expect(textOf(run)).toBe('Not known: the provider reported none')
  expect(textOf({ ...run, inputTokens: 12 }, [stopped])).toBe(
    'At least 12 in, 0 out: not every call reported them',
  )
})

test('a run that was canceled before it called a model used none', () => {
  expect(textOf({ ...run, kind: 'workflow' })).toBe('0 in, 0 out')
  expect(textOf(run, [])).toBe('0 in, 0 out')
  expect(textOf({ ...run, startedAt: null })).toBe('0 in, 0 out')
})

test('a call that failed took nothing that its run does not count', () => {
  const failed = { errorCode: 'http_500', hasAllTokens: false }
  expect(textOf({ ...run, status: 'completed', inputTokens: 12, outputTokens: 3 }, [failed])).toBe(
    '12 in, 3 out',
  )
  expect(textOf({ ...run, inputTokens: null })).toBeNull()
})
