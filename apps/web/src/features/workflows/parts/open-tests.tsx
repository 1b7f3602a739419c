import { Callout } from '../../../atoms/states/panels.tsx'
import { testCaseWords as words } from '../../../core/messages/en/workflows/test-cases.ts'

/** Test cases that prevent a draft from being published. */
export function OpenTests({
  tests,
}: {
  tests: readonly { testCaseId: string; name: string; message: string }[]
}) {
  return (
    <Callout tone="warn">
      {words.notPassed(tests.length)}
      <ul>
        {tests.map(({ testCaseId, name, message }) => (
          <li key={testCaseId}>{words.notPassedOne(name, message)}</li>
        ))}
      </ul>
    </Callout>
  )
}
