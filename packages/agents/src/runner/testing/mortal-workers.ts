import type { StreamEvent } from '@troupe/contract'
import { expect } from 'vitest'
import type { MemberRun, NewRunMessage } from '../../ports/run-store.ts'
import { eventsOfRow } from '../../stream/replay.ts'
import type { MemoryStore, StoredRun } from '../../testing/memory-store.ts'
import { answerOf, type KitOptions, RunKit } from '../../testing/run-kit.ts'
import type { Reply, ScriptedCall } from '../../testing/scripted-model.ts'

/**
 * Where a worker dies: at its commit with this 0-based number. The step is written first (`after`), is lost
 * (`before`), or is lost after its events were logged (`logged`).
 */
export interface Death {
  at: number
  when: 'after' | 'before' | 'logged'
  /**
   * Whether the same delivery is repeated after the lease expired and before the sweeper moved the row to its
   * next slice.
   */
  redelivered?: boolean
}

/** A model's reply, and the journal step that requests it: a committed step is never requested again. */
export type Script = (call: ScriptedCall, steps: ReadonlySet<string>) => { key: string; reply: Reply }

/** The state after an ended job. */
export interface DoneJob {
  run: StoredRun
  events: StreamEvent[]
  /** Model calls, including those of workers that died. */
  calls: number
  /** Commits of the last worker. */
  commits: number
  store: MemoryStore
}

/** Runs a job with workers that die one after the other; the last one completes it. Its approvals are granted. */
export async function runMortally(
  options: Omit<KitOptions, 'respond'>,
  script: Script,
  deaths: readonly Death[],
): Promise<DoneJob> {
  await using kit = new RunKit({
    ...options,
    respond(call) {
      const steps = new Set(kit.store.onlyRun().steps.keys())
      const { key, reply } = script(call, steps)
      if (steps.has(key)) throw new Error(`${key} is committed, and asked again`)
      return reply
    },
  })
  const { store } = kit
  const delivery = await kit.enqueue()
  const { runId } = delivery
  const buried = Promise.withResolvers<void>()
  const dead: Promise<void>[] = []
  let commits = 0
  for (let turn = 0; ; turn += 1) {
    const death = deaths[turn]
    const died = Promise.withResolvers<'died'>()
    const worker = kit.worker()
    commits = 0
    let workerId: string | null = null
    const before = store.atCommit
    store.atCommit = async (step, write) => {
      workerId ??= step.fence.workerId
      expect(step.members.every(({ stepKey }) => stepKey === step.key)).toBe(true)
      if (step.fence.workerId !== workerId) return before(step, write)
      const index = commits
      commits += 1
      if (!death || index < death.at) return write()
      if (index === death.at && death.when === 'after') write()
      if (index === death.at && death.when === 'logged') {
        await store.appendEvents(step.runId, null, step.events, step.fence)
      }
      died.resolve('died')
      await buried.promise
      return write()
    }
    const advanced = worker.advance({ ...delivery, slice: store.run(runId).slice })
    const how = await Promise.race([advanced, died.promise])
    if (how !== 'died' && !store.run(runId).parked) break
    if (how !== 'died') {
      store.resolveAll(runId, { status: 'approved', reason: null })
      continue
    }
    dead.push(advanced)
    if (death?.redelivered) store.expire(runId)
    else store.takeAway(runId)
  }
  const run = store.run(runId)
  const written = JSON.stringify([run, [...run.steps], [...run.members]])
  buried.resolve()
  await Promise.all(dead)
  expect(JSON.stringify([run, [...run.steps], [...run.members]])).toBe(written)
  const unexpected = kit.failures.filter(
    (failure) => !(failure instanceof Error && failure.name === 'RunAborted'),
  )
  expect(unexpected).toEqual([])
  const events = run.events.flatMap((row) => [...eventsOfRow(row, 0)])
  return { run, events, calls: kit.models.calls.length, commits, store }
}

const withoutCallTimes = <Call extends { ms?: number | null; startedAt?: number | null }>(
  calls: readonly Call[] | null,
) => calls?.map(({ ms: _, startedAt: __, ...rest }) => rest) ?? null

const withoutTimes = (messages: readonly NewRunMessage[]) =>
  messages.map(({ createdAt: _, toolCalls, ...rest }) => ({
    ...rest,
    toolCalls: withoutCallTimes(toolCalls),
  }))

function memberFacts({ createdAt: _, completedAt: __, messages, ...rest }: MemberRun) {
  return { ...rest, messages: withoutTimes(messages) }
}

/** Emitted between steps: exactly once, even when a resumed job passes the same point again. */
const ONCE = [
  'RunStarted',
  'MemberRunStarted',
  'MemberRunCompleted',
  'MemberRunError',
  'PlanCreated',
  'TaskUpdated',
  'TaskIterationStarted',
  'TaskIterationCompleted',
]

/** The result's messages that stream readers get, including those of members of earlier turns. */
function shownMessages(last: StreamEvent | undefined): string[] {
  if (last?.event !== 'RunCompleted') return []
  return (last.result.messages ?? [])
    .map(({ createdAt: _, toolCalls, ...rest }) =>
      JSON.stringify({ ...rest, toolCalls: withoutCallTimes(toolCalls) }),
    )
    .sort()
}

/** The parts of a job that must not depend on the number of dead workers. */
export function outcomeOf({ run, events }: DoneJob) {
  const { end, members, status } = run
  return {
    status,
    content: end?.content,
    success: end?.success,
    plan: end?.plan,
    messages: withoutTimes(end?.messages ?? []),
    members: [...members.values()].map(memberFacts).sort((a, b) => (a.stepKey < b.stepKey ? -1 : 1)),
    shown: shownMessages(events.at(-1)),
    told: events
      .filter(({ event }) => ONCE.includes(event))
      .map(({ seq: _, createdAt: __, ...rest }) => JSON.stringify(rest))
      .sort(),
  }
}

/** The invariants of every job's log and ledger. */
export function checkJob({ run, events }: DoneJob): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(events.at(-1)).toMatchObject({ event: 'RunCompleted', result: { content: run.end?.content } })
  expect(answerOf(events)).toBe(run.end?.content)
  const resets = events.flatMap((event) => (event.event === 'RunContentReset' ? [event.messageId] : []))
  expect(new Set(resets).size).toBe(resets.length)
  const sum = (key: 'inputTokens' | 'outputTokens') => run.usage.reduce((total, row) => total + row[key], 0)
  expect([run.end?.inputTokens, run.end?.outputTokens]).toEqual([sum('inputTokens'), sum('outputTokens')])
}
