import { Suspense } from 'react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { Skeleton } from '../../atoms/states/panels.tsx'
import { workflowPageWords as words } from '../../core/messages/en/workflows/page.ts'
import { workflowWords } from '../../core/messages/en/workflows/workflows.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePathParam } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

const OneWorkflow = lazyPart(async () => (await import('./one-workflow.tsx')).OneWorkflow)

/** One workflow: its steps, triggers, versions and runs, and the effects of publishing. */
export function WorkflowPage() {
  const workflowId = usePathParam('workflowId')
  const { paths } = usePlace()
  // Requested while the code loads.
  useOperation('getWorkflow', { params: { workflowId } })
  const waiting = (
    <PageLayout title={words.loading} crumbs={[{ label: workflowWords.title, href: paths.workflows }]}>
      <Skeleton lines={10} />
    </PageLayout>
  )
  return (
    <Suspense fallback={waiting}>
      <OneWorkflow key={workflowId} workflowId={workflowId} />
    </Suspense>
  )
}
