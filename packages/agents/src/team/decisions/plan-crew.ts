import { type FrozenMember, memberLabel, purposeOf } from '../members/freeze-team.ts'
import { failureText, hasActed } from '../members/member-failure.ts'
import { runMember } from '../members/run-member.ts'
import type { TeamRun } from '../members/team-run.ts'
import type { PlanState, Task, TaskOutcome } from '../plan/plan-state.ts'
import type { Assignee } from '../plan/submitted-plan.ts'
import { paragraphs, promptBlock } from '../prompts/blocks.ts'
import { type Interaction, memberInput } from '../prompts/member-input.ts'

/** The key of a promoted lead as the assignee of a task. */
const LEAD = 'lead'

/** The assignees of a plan's tasks, and how they execute them. */
export class PlanCrew {
  readonly #run: TeamRun
  readonly members: readonly FrozenMember[]

  constructor(run: TeamRun) {
    this.#run = run
    const { members, self } = run.team
    this.members = self ? [...members, { ...self, key: LEAD }] : members
  }

  get assignees(): Assignee[] {
    return this.members.map((member) => {
      const purpose = purposeOf(member)
      return {
        key: member.key,
        label: purpose === '' ? memberLabel(member) : `${memberLabel(member)}: ${purpose}`,
      }
    })
  }

  agentIdOf(key: string): string | null {
    return this.members.find((member) => member.key === key)?.agent.agentId ?? null
  }

  /** One attempt at a task; a refusal counts as a failure, because it delivers no result. */
  async perform(work: { task: Task; attempt: number; state: PlanState }): Promise<TaskOutcome> {
    const { task, attempt } = work
    const member = this.members.find(({ key }) => key === task.assignee)
    if (!member) return { ok: false, error: 'Its assignee is not in the team.', memberRunId: null }
    const result = await runMember(this.#run, member, {
      key: `task:${task.id}:${attempt}`,
      input: memberInput(this.#run, this.#wording(task), this.#interactions(work)),
      task: task.title,
      channel: 'trace',
    })
    const { status, text, memberRunId } = result
    if (status === 'ok') return { ok: true, result: text, memberRunId }
    const error =
      status === 'refused' ? failureText({ ...result, message: `It refused: ${text}` }) : failureText(result)
    return { ok: false, error, memberRunId, acted: hasActed(result) }
  }

  #wording(task: Task): string {
    const { auto_member_input } = this.#run.team.snapshot.config.toggles
    if (auto_member_input) return task.description
    return paragraphs(this.#run.message, promptBlock('assigned_task', task.description))
  }

  /** The results that the task depends on; with shared interactions those of every completed task. */
  #interactions({ task, state }: { task: Task; state: PlanState }): Interaction[] {
    const { share_member_interactions } = this.#run.team.snapshot.config.toggles
    return state.tasks
      .filter((other) => other.status === 'completed' && other.id !== task.id)
      .filter((other) => share_member_interactions || task.dependsOn.includes(other.id))
      .map((other) => {
        const member = this.members.find(({ key }) => key === other.assignee)
        return {
          member: member ? memberLabel(member) : other.assignee,
          task: `${other.id} ${other.title}`,
          response: other.result ?? '',
        }
      })
  }
}
