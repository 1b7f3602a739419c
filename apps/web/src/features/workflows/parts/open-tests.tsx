import type { IdText, TestCaseId, WorkflowId } from '@troupe/contract'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { testCaseWords as words } from '../../../core/messages/en/workflows/test-cases.ts'
import { withSearch } from '../../../core/url/paths.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'

export interface OpenTestsProps {
  workflowId: IdText<WorkflowId>
  tests: readonly { testCaseId: IdText<TestCaseId>; name: string; message: string }[]
}

/** Test cases that prevent a draft from being published. Each name opens its case. */
export function OpenTests({ workflowId, tests }: OpenTestsProps) {
  const { paths } = usePlace()
  return (
    <Callout tone="warn">
      {words.notPassed(tests.length)}
      <ul>
        {tests.map(({ testCaseId, name, message }) => (
          <li key={testCaseId}>
            <TextLink href={withSearch(paths.workflow(workflowId, 'tests'), { case: testCaseId })}>
              {words.named(name)}
            </TextLink>{' '}
            {words.because(message)}
          </li>
        ))}
      </ul>
    </Callout>
  )
}
