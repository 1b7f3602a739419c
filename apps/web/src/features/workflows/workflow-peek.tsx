import type { WorkflowOverviewItem } from '@troupe/contract/builder'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { ErrorPanel } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { RowFacts } from '../../atoms/table/row-facts.tsx'
import { workflowWords } from '../../core/messages/en/workflows/workflows.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

export interface WorkflowPeekProps {
  workflow: WorkflowOverviewItem
  columns: readonly Column<WorkflowOverviewItem>[]
}

/** The list's data of a workflow, and the reason of its last failure. */
export function WorkflowPeek({ workflow, columns }: WorkflowPeekProps) {
  const { paths } = usePlace()
  const { description, lastFailure } = workflow
  return (
    <>
      {description && <p>{description}</p>}
      <RowFacts row={workflow} columns={columns} />
      {lastFailure && (
        <>
          <ErrorPanel title={workflowWords.lastFailure} message={lastFailure.error ?? ''} />
          <p>
            <TextLink href={paths.run(lastFailure.executionId)}>{workflowWords.openFailure}</TextLink>
          </p>
        </>
      )}
    </>
  )
}
