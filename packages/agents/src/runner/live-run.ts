import { RunAborted, type TurnFence } from '@troupe/durable-work'
import { JobApprovals } from '../approvals/job-approvals.ts'
import { LiveApprovals, NOBODY_ON_THE_LINE, NOBODY_TO_ASK } from '../approvals/live-approvals.ts'
import { resolveChain } from '../chain/resolve-chain.ts'
import { memoryOfUser, ownerOf } from '../memory/recall.ts'
import type { ClaimedJob } from '../ports/job-store.ts'
import type { StoredEvent } from '../ports/run-store.ts'
import { Announcer } from '../run/announcer.ts'
import { CitedPassages } from '../run/cited-passages.ts'
import type { ContentSource } from '../run/content-source.ts'
import type { RunDependencies, RunLimits, RunRows, RunTurns } from '../run/dependencies.ts'
import { type CommitStep, Journal } from '../run/journal.ts'
import { MembersLog } from '../run/members-log.ts'
import { PromptLog } from '../run/prompt-log.ts'
import { RunBudget } from '../run/run-budget.ts'
import { RunClock } from '../run/run-clock.ts'
import type { RunApprovals, RunContext, RunServices } from '../run/run-context.ts'
import { type Limit, outcomeOf, type RunOutcome } from '../run/run-outcome.ts'
import { MessageIds, StreamedAnswer } from '../run/streamed-answer.ts'
import type { PreparedRun } from '../run/subject.ts'
import { Transcript } from '../run/transcript.ts'
import { EventLog } from '../stream/event-log.ts'
import { type EventListener, RunEvents } from '../stream/run-events.ts'
import { agentRunner } from '../team/members/agent-runner.ts'
import { Ledger } from '../usage/ledger.ts'
import type { OpenMessage } from './job-turn.ts'

/** A job's turn as a live run executes it, with the log of earlier turns. */
export interface JobTurn {
  job: ClaimedJob
  /** The log of earlier turns. */
  log: readonly StoredEvent[]
  commit: CommitStep
  /** Answers calls that need approval if nobody can be asked; null: the run waits for them without a worker. */
  approvals: RunApprovals | null
}

/** The context of a live run, with the log behind its events. */
export type LiveContext = RunContext & { output: { events: RunEvents | null } }

/** A run while this process works on it. Created per run; no state outlives it. */
export class LiveRun {
  readonly prepared: PreparedRun
  readonly controller = new AbortController()
  readonly context: LiveContext
  readonly limit: Limit
  /** null for runs that live in one process. */
  readonly fence: TurnFence | null
  readonly #deps: RunDependencies
  /** The approvals that steps of a job open; null for other runs. */
  readonly jobApprovals: JobApprovals | null
  readonly #stored = Promise.withResolvers<void>()
  #deadline: Disposable | null = null

  /**
   * `listener` reads the events live; null for runs without a reader in this process. Synchronous runs have
   * no events at all, jobs always have.
   */
  constructor(
    deps: RunDependencies,
    prepared: PreparedRun,
    listener: EventListener | null,
    turn: JobTurn | null = null,
  ) {
    this.#deps = deps
    this.prepared = prepared
    this.fence = turn?.job.fence ?? null
    const { request, subject, runId } = prepared
    this.limit = { seconds: workingSeconds(deps, prepared), source: request.source }
    const events = request.source === 'api_sync' ? null : this.#events(deps, listener, turn?.job.lastSeq ?? 0)
    const ledger = new Ledger(turn?.job.usage)
    const deadlineAt = turn?.job.deadlineAt ?? request.acceptedAt + this.limit.seconds * 1000
    this.jobApprovals = turn && turn.approvals === null ? new JobApprovals(deps, () => this.context) : null
    this.context = {
      identity: {
        runId,
        organizationId: subject.organizationId,
        user:
          request.userId === null
            ? null
            : { id: request.userId, memories: deps.memories, learns: subject.storeMessages },
        ...(request.voice && { voice: request.voice }),
        deniesEffects: request.deniesEffects ?? false,
      },
      spending: {
        ledger,
        budget: new RunBudget(subject.budget, () => ({
          tokens: ledger.inputTokens + ledger.outputTokens,
          costMicros: ledger.costMicros,
        })),
      },
      output: {
        answer: new StreamedAnswer(),
        messageIds: new MessageIds(turn?.job.lastSeq ?? 0),
        transcript: new Transcript(),
        events,
        announcer: new Announcer(events, turn?.log ?? []),
        members: new MembersLog(),
        prompts: new PromptLog(subject.storeMessages),
        input: { replaced: null },
        citations: new CitedPassages(),
        flags: [],
        gate: null,
      },
      services: this.#services(turn?.approvals ?? this.jobApprovals ?? this.#liveApprovals()),
      signal: this.controller.signal,
      clock: new RunClock(deps.now, deadlineAt),
      journal: new Journal(turn?.job.steps, turn?.commit),
      now: deps.now,
    }
    this.context.output.transcript.user(request.message, request.acceptedAt)
  }

  #services(approvals: RunApprovals): RunServices {
    const deps = this.#deps
    const { catalog, models, guardrails, knowledge, reranking, skills, telemetry } = deps
    const { request, subject, runId, session } = this.prepared
    const { organizationId } = subject
    return {
      ...{ models, guardrails, approvals, knowledge, reranking, skills, telemetry },
      resolveModel: async (owner) => resolveChain(owner, await catalog.llmConfigurations(organizationId)),
      openTools: (agent, signal, level) =>
        deps.toolboxes.open(agent, {
          organizationId,
          runId,
          sessionId: session.sessionId,
          // The owner of the session is known once the run is stored.
          userId: this.prepared.userId,
          toolContext: request.toolContext,
          memory:
            request.userId === null ? null : memoryOfUser(deps.memories, ownerOf(agent), request.userId),
          runAgent: level === 'root' ? agentRunner(this.context, catalog, agent) : null,
          signal,
        }),
    }
  }

  #liveApprovals(): RunApprovals {
    const { source } = this.prepared.request
    if (source === 'voice') return NOBODY_ON_THE_LINE
    if (source !== 'api_stream' && source !== 'playground') return NOBODY_TO_ASK
    return new LiveApprovals(this.#deps, () => this.context, this.#stored.promise)
  }

  #events(deps: RunRows & RunTurns, listener: EventListener | null, lastSeq: number): RunEvents {
    const { store, signals, telemetry, now } = deps
    const { runId, subject } = this.prepared
    const { organizationId } = subject
    const log = new EventLog({ store, signals, telemetry, runId, organizationId, fence: this.fence })
    return new RunEvents({ runId, log, listener, now, lastSeq })
  }

  /** Opens the stream: called once the run's row is committed, with the session's owner from that row. */
  announce(ownerUserId: string): void {
    this.prepared.userId = ownerUserId
    this.#stored.resolve()
    const { subject, session } = this.prepared
    const identity = { sessionId: session.sessionId, userId: ownerUserId }
    this.context.output.events?.start({ ...subject.started, ...identity })
    this.#deps.telemetry.runStarted(this.observed())
  }

  /**
   * Opens the stream of a job's first turn. A later turn voids the messages that a lost turn left unfinished,
   * because their steps run again.
   */
  announceTurn({ lastSeq, userId }: ClaimedJob, open: readonly OpenMessage[]): void {
    if (lastSeq === 0) {
      this.announce(userId)
      return
    }
    this.#deps.telemetry.runStarted(this.observed())
    for (const { messageId, source } of open) {
      this.context.output.events?.emit('RunContentReset', {
        source: source as ContentSource,
        messageId,
        reason: 'resumed',
      })
    }
  }

  /** Aborts the run when its time limit expires; {@link LiveRun.clearDeadline} stops the timer. */
  startDeadline(): void {
    const { clock } = this.context
    this.#deadline = clock.alarm(clock.deadlineAt - this.#deps.now(), () => this.abort('deadline'))
  }

  clearDeadline(): void {
    this.#deadline?.[Symbol.dispose]()
  }

  abort(reason: RunAborted['reason']): void {
    this.controller.abort(new RunAborted(reason))
  }

  /** Runs the work; never rejects. */
  async work(): Promise<RunOutcome> {
    try {
      const work = await this.prepared.subject.work(this.context, this.prepared)
      return { kind: 'answered', work }
    } catch (error) {
      return outcomeOf(error, this.controller.signal)
    }
  }

  /** The facts about the run that telemetry may contain. */
  observed() {
    const { runId, session, subject, request } = this.prepared
    return {
      runId,
      organizationId: subject.organizationId,
      kind: subject.kind,
      entityId: subject.entityId,
      name: subject.name,
      sessionId: session.sessionId,
      source: request.source,
      tag: request.tag,
      acceptedAt: request.acceptedAt,
    }
  }
}

/**
 * The run's maximum working time: the shortest of its own limit, the deployment's, and for a waiting caller
 * the contract's.
 */
export function workingSeconds(
  { maxSeconds, syncSeconds }: RunLimits,
  { request, subject }: Pick<PreparedRun, 'request' | 'subject'>,
): number {
  const working = Math.min(subject.maxSeconds, maxSeconds)
  return request.source === 'api_sync' ? Math.min(syncSeconds, working) : working
}
