import {
  type AgentId,
  type AnyRunId,
  type ApprovalId,
  checkedId,
  DomainError,
  RUNNABLE_IDS,
  type RunId,
} from '@troupe/contract'
import type { StoredStep, TurnFence } from '@troupe/durable-work'
import type { ApprovalVerdict, NewApproval } from '../ports/approvals.ts'
import type { ClaimedJob, CommittedStep, JobStore } from '../ports/job-store.ts'
import type {
  FinishOutcome,
  MemberRun,
  NewRun,
  RunEnd,
  RunStatus,
  RunStore,
  StoredEvent,
  UsageRecord,
} from '../ports/run-store.ts'
import type { HistoryRun, SessionHistoryLimits, StoredSessionState } from '../ports/session-state.ts'

/** The rows of one run. */
export interface StoredRun {
  start: NewRun
  status: RunStatus
  slice: number
  workerId: string | null
  /** JSON by key, in the order of their commits. */
  steps: Map<string, string>
  usage: UsageRecord[]
  /** By id; an existing entry is kept. */
  members: Map<string, MemberRun>
  events: StoredEvent[]
  /** Approvals that its steps or its stream opened, and their verdicts. */
  approvals: Map<string, { approval: NewApproval; verdict: ApprovalVerdict | null }>
  parked: boolean
  /** The run's end; null before. */
  end: RunEnd | null
}

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/**
 * Runs and jobs in memory, under the database's rules: compare-and-set, fences, and each step is written
 * once.
 */
export class MemoryStore
  implements
    Pick<RunStore, 'session' | 'start' | 'finish' | 'settleCancelled' | 'memberHistory'>,
    Pick<RunStore, 'appendEvents' | 'eventsAfter'>,
    Pick<JobStore, 'claim' | 'commitStep' | 'yield' | 'park' | 'dispatched' | 'renewLeases' | 'ended'>
{
  readonly runs = new Map<string, StoredRun>()
  /** The session state that every run reads. */
  state: StoredSessionState | null = null
  histories: Readonly<Record<string, HistoryRun[]>> = {}
  /** Called before the write of a step. */
  atCommit: (step: CommittedStep, write: () => boolean) => Promise<boolean> = async (_, write) => write()

  /** The run of a test with one. */
  onlyRun(): StoredRun {
    const [run, ...others] = this.runs.values()
    if (!run || others.length > 0) throw new Error(`${this.runs.size} runs`)
    return run
  }

  run(runId: AnyRunId): StoredRun {
    const run = this.runs.get(runId)
    if (!run) throw new Error(`no run ${runId}`)
    return run
  }

  session = async (_key: unknown, { beforeSeq }: SessionHistoryLimits) => {
    if (!this.state) return null
    const history = this.state.history.filter(({ seq }) => beforeSeq === null || seq < beforeSeq)
    return { ...this.state, history }
  }
  memberHistory = async (_session: unknown, agentId: AgentId) => this.histories[agentId] ?? []
  renewLeases = async () => {}
  dispatched = async () => {}

  async start(start: NewRun) {
    if (this.runs.has(start.runId)) throw new DomainError('bad_gateway', 'ids repeat')
    const queued = start.source === 'api_async'
    this.runs.set(start.runId, {
      start,
      status: queued ? 'queued' : 'running',
      slice: 0,
      workerId: queued ? null : start.workerId,
      steps: new Map(),
      usage: [],
      members: new Map(),
      events: [],
      approvals: new Map(),
      parked: false,
      end: null,
    })
    return { kind: 'started' as const, ownerUserId: start.userId, sessionSeq: 1 }
  }

  #holds(runId: AnyRunId, fence: TurnFence | null): boolean {
    const { status, workerId, slice } = this.run(runId)
    return status === 'running' && (!fence || (fence.workerId === workerId && fence.slice === slice))
  }

  #add(run: StoredRun, rows: Pick<CommittedStep, 'usage' | 'members' | 'events'>): void {
    run.usage.push(...rows.usage)
    run.events.push(...json(rows.events))
    for (const member of rows.members) {
      if (!run.members.has(member.runId)) run.members.set(member.runId, json(member))
    }
  }

  async finish(end: RunEnd): Promise<FinishOutcome> {
    const run = this.run(end.runId)
    if (!this.#holds(end.runId, end.fence)) return { finished: false, status: run.status }
    this.#add(run, end)
    run.status = end.status
    run.end = end
    return { finished: true }
  }

  async settleCancelled(end: RunEnd): Promise<void> {
    const run = this.run(end.runId)
    if (run.status !== 'cancelled' || run.end) return
    this.#add(run, end)
    run.end = end
  }

  async claim(delivery: { runId: AnyRunId; slice: number }, workerId: string): Promise<ClaimedJob | null> {
    const run = this.run(delivery.runId)
    const { start, slice, steps, usage, events } = run
    const free = run.status === 'queued' || (run.status === 'running' && run.workerId === null)
    if (!free || slice !== delivery.slice) return null
    run.status = 'running'
    run.workerId = workerId
    const { session, entityVersionId, pins, apiKeyId, userId, input, includeMessages, tag } = start
    const { kind, entityId, organizationId, projectId, sessionId } = session
    const sum = (key: 'inputTokens' | 'outputTokens') => usage.reduce((total, row) => total + row[key], 0)
    return {
      ...{
        runId: start.runId,
        kind,
        entityId: checkedId(RUNNABLE_IDS[kind].id, entityId),
        entityVersionId,
        pins,
      },
      ...{ organizationId, projectId, apiKeyId, sessionId, userId, input, includeMessages, tag },
      namesUser: start.userIdGiven,
      fence: { workerId, slice },
      sessionSeq: 1_000,
      createdAt: start.createdAt,
      startedAt: start.createdAt,
      deadlineAt: start.createdAt + start.limitSeconds * 1000,
      limitSeconds: start.limitSeconds,
      toolContextSealed: start.toolContextSealed,
      steps: new Map([...steps].map(([key, step]) => [key, JSON.parse(step) as StoredStep])),
      usage: {
        inputTokens: sum('inputTokens'),
        outputTokens: sum('outputTokens'),
        failoverUsed: usage.some((row) => row.ok && row.isFallback),
        costMicros: usage.reduce((total, row) => total + (row.costMicros ?? 0), 0),
      },
      lastSeq: events.at(-1)?.seq ?? 0,
    }
  }

  commitStep(step: CommittedStep): Promise<boolean> {
    return this.atCommit(step, () => {
      if (!this.#holds(step.runId, step.fence)) return false
      const run = this.run(step.runId)
      const known = run.steps.has(step.key)
      this.#add(run, known ? { ...step, usage: [] } : step)
      if (!known) run.steps.set(step.key, JSON.stringify(step.step))
      if (step.approval)
        run.approvals.set(step.approval.approvalId, { approval: step.approval, verdict: null })
      return true
    })
  }

  async yield(runId: AnyRunId, fence: TurnFence): Promise<number | null> {
    return this.#holds(runId, fence) ? this.takeAway(runId) : null
  }

  async park(runId: AnyRunId, fence: TurnFence): Promise<{ slice: number; dueAt: number } | null> {
    if (!this.#holds(runId, fence)) return null
    const run = this.run(runId)
    run.parked = true
    const expiries = [...run.approvals.values()].flatMap(({ approval, verdict }) =>
      verdict ? [] : [approval.expiresAt],
    )
    return { slice: this.takeAway(runId), dueAt: Math.min(...expiries) }
  }

  async open({ runId }: { runId: AnyRunId }, approval: NewApproval): Promise<void> {
    this.run(runId).approvals.set(approval.approvalId, { approval, verdict: null })
  }

  async verdict(approvalId: ApprovalId): Promise<ApprovalVerdict | null> {
    for (const { approvals } of this.runs.values()) {
      const found = approvals.get(approvalId)
      if (found) return found.verdict
    }
    throw new Error(`no approval ${approvalId}`)
  }

  /** Decides every pending approval of a run; returns the slice that is due. */
  resolveAll(runId: AnyRunId, verdict: ApprovalVerdict): number {
    const run = this.run(runId)
    const pending = [...run.approvals.values()].filter((one) => one.verdict === null)
    if (pending.length === 0) throw new Error('no approval is pending')
    for (const one of pending) one.verdict = verdict
    if (!run.parked) return run.slice
    run.parked = false
    run.slice += 1
    return run.slice
  }

  /** The sweeper's handling of an expired lease. */
  takeAway(runId: AnyRunId): number {
    this.expire(runId)
    const run = this.run(runId)
    run.slice += 1
    return run.slice
  }

  /** An expired lease that no sweep has handled yet. */
  expire(runId: AnyRunId): void {
    this.run(runId).workerId = null
  }

  async appendEvents(runId: AnyRunId, _: unknown, events: readonly StoredEvent[], fence: TurnFence | null) {
    if (this.#holds(runId, fence)) this.run(runId).events.push(...json(events))
  }

  async eventsAfter(runId: AnyRunId, after: number): Promise<StoredEvent[]> {
    return this.run(runId).events.filter(({ seq }) => seq > after)
  }

  async ended(workerId: string, runIds: readonly RunId[]) {
    return runIds.flatMap((runId): { runId: RunId; reason: 'cancel' | 'lost' }[] => {
      const { status, workerId: holder } = this.run(runId)
      if (status !== 'running') return [{ runId, reason: 'cancel' }]
      return holder === workerId ? [] : [{ runId, reason: 'lost' }]
    })
  }
}
