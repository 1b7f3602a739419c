import type { BuilderWorkflow } from '@troupe/contract/builder'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { publishWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { withSearch } from '../../../core/url/paths.ts'
import { graphOf } from '../../../core/workflows/graph-of-draft.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { useKeptSteps } from '../outline/step-edit.ts'

/** Unsaved input of steps, which a publish does not include. */
export function UnsavedSteps({ workflow }: { workflow: BuilderWorkflow }) {
  const { paths } = usePlace()
  const { workflowId, draft, draftRevision } = workflow
  const graph = graphOf(draft)
  const { removed, edited } = useKeptSteps(workflowId, graph, String(draftRevision))
  const steps = [...edited, ...removed]
  if (steps.length === 0) return null
  return (
    <Callout tone="warn">
      {words.unsaved(steps.length)}{' '}
      {steps.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <TextLink href={withSearch(paths.workflow(workflowId), { node: id, edit: '1' })}>{name}</TextLink>
        </span>
      ))}
    </Callout>
  )
}
