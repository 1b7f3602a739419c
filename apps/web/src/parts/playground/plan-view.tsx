import type { AgentId, IdText } from '@troupe/contract'
import { type State, Status } from '../../atoms/states/badge.tsx'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import type { MemberLane, PlanBoard, PlannedTask } from '../../core/runs/run-view.ts'
import styles from './playground.module.css'

const STATES: Record<PlannedTask['status'], State> = {
  pending: 'queued',
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  blocked: 'paused',
  cancelled: 'cancelled',
}

export interface PlanViewProps {
  plan: PlanBoard
  /** For the names of the assignees. */
  lanes: readonly MemberLane[]
}

/** The current plan of a run: its goal, criteria, and each task with its assignee and dependencies. */
export function PlanView({ plan: { goal, criteria, tasks }, lanes }: PlanViewProps) {
  const nameOf = (agentId: IdText<AgentId> | null) =>
    agentId === null ? words.byLead : (lanes.find((lane) => lane.agentId === agentId)?.agentName ?? '')
  const titleOf = (id: string) => tasks.find((task) => task.id === id)?.title ?? id
  return (
    <div className={styles.plan}>
      <h3>{words.plan}</h3>
      {goal !== '' && <p dir="auto">{goal}</p>}
      {criteria.length > 0 && (
        <>
          <h3>{words.criteria}</h3>
          <ul className={styles.criteria} aria-label={words.criteria}>
            {criteria.map(({ id, text }) => (
              <li key={id} dir="auto">
                {text}
              </li>
            ))}
          </ul>
        </>
      )}
      <ol className={styles.tasks} aria-label={words.plan}>
        {tasks.map(({ id, title, status, assigneeAgentId, dependsOn }) => (
          <li key={id} className={styles.task} data-state={status}>
            <Status state={STATES[status]}>{words.task[status]}</Status>
            <span className={styles.taskTitle} dir="auto">
              {title}
            </span>
            <span className={styles.quiet}>
              {[
                nameOf(assigneeAgentId),
                dependsOn.length > 0 && words.waitsFor(dependsOn.map(titleOf).join(', ')),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}
