import type { AgentRunDetail } from '@troupe/contract/builder'
import { Card, RowList, Section } from '../../atoms/layout/page.tsx'
import { type State, Status } from '../../atoms/states/badge.tsx'
import { runWords } from '../../core/messages/en/runs.ts'

type RunPlan = NonNullable<AgentRunDetail['plan']>

const STATES: Readonly<Record<RunPlan['tasks'][number]['status'], State>> = {
  pending: 'queued',
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  blocked: 'paused',
  cancelled: 'cancelled',
}

/** The tasks of a plan and the reason that its execution stopped. */
export function RunPlanTasks({ plan }: { plan: RunPlan }) {
  const { stopReason, iterations, maxIterations, tasks } = plan
  return (
    <Section
      title={runWords.plan}
      detail={`${runWords.planStops[stopReason]} ${runWords.planDetail(iterations, maxIterations)}`}
    >
      <Card flush>
        <RowList
          label={runWords.plan}
          rows={tasks.map(({ id, title, status }) => ({
            id,
            title: title || id,
            lead: <Status state={STATES[status]}>{runWords.taskStatuses[status]}</Status>,
          }))}
        />
      </Card>
    </Section>
  )
}
