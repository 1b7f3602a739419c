import type { TestCase, TestCaseResult } from '@troupe/contract/builder'
import type { TestCaseSummary } from '@troupe/storage'
import { traceSecretsOf, traceValue } from '@troupe/workflows'

/**
 * The draft that results of test cases are compared with. The hash is only computed if the revision does not decide.
 */
export interface TestedDraft {
  revision: number
  hash(): string | null
}

/** Whether the newest test of a case ran exactly this draft with exactly this case. */
function isCurrent({ version, result }: TestCaseSummary, draft: TestedDraft): boolean {
  if (result?.caseVersion !== version) return false
  return result.draftRevision === draft.revision || result.contentHash === draft.hash()
}

/**
 * Why a case has not passed for exactly this draft, as a predicate with the case as its subject; null if it has passed.
 */
export function whyNotPassed(one: TestCaseSummary, draft: TestedDraft): string | null {
  const { result } = one
  if (result === null) return 'has never been run'
  if (!isCurrent(one, draft)) return 'has not been run for this draft'
  if (result.verdict === 'passed') return null
  if (result.verdict === 'failed') return 'has failed for this draft'
  return result.runStatus === null ? 'no longer has a result' : 'is still running'
}

function resultOf(one: TestCaseSummary, draft: TestedDraft): TestCaseResult | null {
  const { result } = one
  if (result === null) return null
  const { runId, verdict, runStatus, differences, startedAt } = result
  return {
    runId,
    verdict: verdict ?? (runStatus === null ? 'unknown' : 'running'),
    runStatus,
    isCurrent: isCurrent(one, draft),
    differences,
    startedAt: startedAt.toISOString(),
  }
}

/** A case as the builder shows it, without the values of secrets. */
export function presentTestCase(one: TestCaseSummary, draft: TestedDraft): TestCase {
  const { id, name, triggerNodeId, mocked, expectation, blocking, version, fromRunId, updatedAt } = one
  const secrets = traceSecretsOf(null, one.secretPayload, one.secretNames)
  const { status, output } = expectation
  return {
    testCaseId: id,
    name,
    triggerNodeId,
    mocks: mocked.map(({ nodeId, path }) => ({ nodeId, path })),
    expect: { status, output: output && { kind: output.kind, value: traceValue(output.value, secrets) } },
    blocking,
    version,
    fromRunId,
    result: resultOf(one, draft),
    updatedAt: updatedAt.toISOString(),
  }
}
