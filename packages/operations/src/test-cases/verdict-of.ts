import { parseJson } from '@troupe/contract'
import type { EndedCaseTest, StoredDifference } from '@troupe/storage'
import { type TraceSecrets, traceValue } from '@troupe/workflows'
import { compareOutput } from './compare-output.ts'

/** Maximum characters of a value in a difference. */
const SHOWN = 200

/** Whether an ended test met the expectation, with its differences. */
export interface CaseVerdict {
  verdict: 'passed' | 'failed'
  differences: StoredDifference[]
}

function shown(value: unknown, secrets: TraceSecrets): string {
  if (value === undefined) return '(absent)'
  const text = JSON.stringify(traceValue(value, secrets))
  return text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text
}

/** The verdict on an ended test. Differences show values as traces do: without secrets. */
export function verdictOf(
  { expectation, status, error, output }: Pick<EndedCaseTest, 'expectation' | 'status' | 'error' | 'output'>,
  secrets: TraceSecrets,
): CaseVerdict {
  if (status !== expectation.status) {
    const actual = error === null ? status : `${status}: ${shown(error, secrets)}`
    return { verdict: 'failed', differences: [{ path: 'status', expected: expectation.status, actual }] }
  }
  if (expectation.output === null) return { verdict: 'passed', differences: [] }
  const read = output === null ? null : parseJson(output)
  if (!read?.ok) {
    const expected = shown(expectation.output.value, secrets)
    const actual = `not compared: it has ${read?.excess ?? 'more than 1 MB'}`
    return { verdict: 'failed', differences: [{ path: 'output', expected, actual }] }
  }
  const differences = compareOutput(expectation.output, read.value).map((one) => ({
    path: one.path,
    expected: shown(one.expected, secrets),
    actual: shown(one.actual, secrets),
  }))
  return { verdict: differences.length === 0 ? 'passed' : 'failed', differences }
}
