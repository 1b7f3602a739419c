import { Semaphore } from '@troupe/durable-work'
import type { Tool, ToolCall, ToolOutcome } from '../../ports/tool.ts'
import { errorResult } from '../../tools/call-tool.ts'
import { MAX_RESULT_BYTES } from '../../tools/shorten.ts'
import { type FrozenMember, memberLabel } from '../members/freeze-team.ts'
import { failureText, hasActed } from '../members/member-failure.ts'
import { type MemberResult, runMember } from '../members/run-member.ts'
import type { TeamRun } from '../members/team-run.ts'
import { type Interaction, memberInput } from '../prompts/member-input.ts'
import { memberResultText, resultBlock } from '../prompts/results.ts'
import type { MemberReport } from './answer-from-reports.ts'
import { memberChoice } from './member-choice.ts'

interface Delegation {
  id: string
  member: FrozenMember
  task: string
  result: Promise<MemberResult>
}

/** Tasks that differ only in case or spacing are equal. */
function wordingOf(task: string): string {
  return task.toLowerCase().replaceAll(/\s+/g, ' ').trim()
}

function sameness(member: FrozenMember, task: string): string {
  return `${member.key}\n${wordingOf(task)}`
}

/** A lead's delegations in one run: counts them, deduplicates equal tasks, and stores the results. */
export class Delegations {
  readonly #run: TeamRun
  readonly #room: Semaphore
  readonly #all = new Map<string, Delegation>()
  readonly #ended: Interaction[] = []
  /** By the id of the delegation. */
  readonly #reports = new Map<string, MemberReport>()
  /** Refusals of tasks, by their wording, whose member had effects before it failed. */
  readonly #halfDone = new Map<string, string>()

  constructor(run: TeamRun) {
    this.#run = run
    this.#room = new Semaphore(run.team.snapshot.config.limits.max_concurrent_members)
  }

  /** Every result so far, in the order of the delegations. */
  get reports(): readonly MemberReport[] {
    return [...this.#all.values()].flatMap(({ id }) => this.#reports.get(id) ?? [])
  }

  /**
   * A member's result, verbatim, by the id of its delegation; else the member's newest result, by its key, name or
   * label. null for any other name, and for a failure.
   */
  textOf(name: string): string | null {
    const told = this.reports.filter(({ result }) => result.status !== 'error')
    const named = ({ member }: MemberReport) =>
      [member.key, member.agent.name, memberLabel(member)].some(
        (one) => one.toLowerCase() === name.toLowerCase(),
      )
    return (told.find(({ id }) => id === name) ?? told.findLast(named))?.result.text ?? null
  }

  async delegate(member: FrozenMember, given: string | null, call: ToolCall): Promise<ToolOutcome> {
    const { limits } = this.#run.team.snapshot.config
    const task = given ?? this.#run.message
    const same = sameness(member, task)
    const earlier = this.#all.get(same)
    if (earlier) return this.#again(earlier, given)
    const halfDone = this.#halfDone.get(wordingOf(task))
    if (halfDone !== undefined) return errorResult('denied', halfDone)
    if (this.#all.size >= limits.max_delegations) {
      return errorResult('denied', 'delegation limit reached: answer with what you have.')
    }
    const result = this.#room.run(() => this.#perform(member, task, call))
    // Each caller awaiting the result sees its failure; this handler prevents an unhandled rejection when
    // none awaits it.
    result.catch(() => {})
    this.#all.set(same, { id: call.id, member, task, result })
    return { ok: true, text: resultBlock(member.key, await result, call.id) }
  }

  async #again({ id, member, result }: Delegation, given: string | null): Promise<ToolOutcome> {
    if (given === null) {
      return errorResult('denied', `${memberLabel(member)} already has the message; its result is ${id}.`)
    }
    return { ok: true, text: `${resultBlock(member.key, await result, id)}\n(already delegated)` }
  }

  async #perform(member: FrozenMember, task: string, { id, key }: ToolCall): Promise<MemberResult> {
    const shared = this.#run.team.snapshot.config.toggles.share_member_interactions
    const result = await runMember(this.#run, member, {
      key: `${key}/${member.key}`,
      input: memberInput(this.#run, task, shared ? [...this.#ended] : []),
      task,
      channel: 'trace',
    })
    this.#reports.set(id, { member, result, id })
    const response = memberResultText(result)
    if (result.status === 'error' && hasActed(result)) {
      const refusal = `${memberLabel(member)} got this task and failed half-way. ${failureText(result)}`
      this.#halfDone.set(
        wordingOf(task),
        `${refusal} Delegate only what is left to do, or answer with what you have.`,
      )
    }
    if (result.status !== 'error') this.#ended.push({ member: memberLabel(member), task, response })
    return result
  }
}

/** The name of the tool with which a lead delegates. */
export const DELEGATE_TOOL = 'delegate'

/** The tool with which a lead delegates to members; calls of one step run concurrently. */
export function delegateTool(run: TeamRun, delegations: Delegations): Tool {
  const { members, snapshot } = run.team
  const rewrites = snapshot.config.toggles.auto_member_input
  const description = 'The whole task; the member knows nothing else.'
  const keys = members.map((member) => member.key).join(', ')
  return {
    name: DELEGATE_TOOL,
    description: rewrites
      ? 'Gives a task to a member and returns what it reports.'
      : "Gives the user's message, word for word, to a member and returns what it reports.",
    inputSchema: {
      type: 'object',
      properties: {
        member: memberChoice(members),
        ...(rewrites && { task: { type: 'string', minLength: 1, description } }),
      },
      required: rewrites ? ['member', 'task'] : ['member'],
      additionalProperties: false,
    },
    idempotent: true,
    rebuildsState: true,
    approval: null,
    timeoutMs: null,
    maxResultBytes: MAX_RESULT_BYTES,
    problemOf({ member, task }) {
      if (!members.some(({ key }) => key === member)) return `"member" must be one of: ${keys}.`
      if (rewrites && (typeof task !== 'string' || task.trim() === '')) return '"task" must not be empty.'
      return null
    },
    async execute(input, call) {
      const member = members.find(({ key }) => key === input.member)
      if (!member) return errorResult('invalid_arguments', `"member" must be one of: ${keys}.`)
      return delegations.delegate(member, rewrites ? String(input.task) : null, call)
    },
  }
}
