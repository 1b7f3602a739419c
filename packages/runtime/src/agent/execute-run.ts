import { type AgentRunResult, DomainError } from '@troupe/contract'
import { summariseSession } from '../memory/summarise-session.ts'
import type { FinishOutcome, NewRunMessage, RunEnd, StartOutcome } from '../ports/run-store.ts'
import type { ObservedRun } from '../ports/run-telemetry.ts'
import { LEASE_SECONDS, RunAborted } from '../run/active-runs.ts'
import { Answer } from '../run/answer.ts'
import { Ledger } from '../run/ledger.ts'
import { EventLog } from '../stream/event-log.ts'
import { type EventListener, RunEvents } from '../stream/run-events.ts'
import { withoutTexts } from '../stream/without-texts.ts'
import { answerMessage } from './answer-message.ts'
import type { AgentRunDependencies } from './dependencies.ts'
import { type PreparedRun, sessionOfAnotherUser } from './prepare-run.ts'
import { outcomeOf, type RunOutcome, type Verdict, verdictOf } from './run-outcome.ts'
import { agentRunResult } from './run-result.ts'

/** How an executed run ended for its caller. */
export type Executed = { result: AgentRunResult } | { error: DomainError }

/** A run that has been accepted: its row is committed. */
export interface AcceptedRun {
  /** Resolves when the end is committed; never rejects. */
  executed: Promise<Executed>
  /** Stops the run because its reader went away. */
  disconnect(): void
}

/** A run whose row says that another request with the same idempotency key was first. */
export class AlreadyStarted extends Error {
  override readonly name = 'AlreadyStarted'
  readonly first: Extract<StartOutcome, { kind: 'idempotency_key_used' }>

  constructor(first: Extract<StartOutcome, { kind: 'idempotency_key_used' }>) {
    super('idempotency key used')
    this.first = first
  }
}

/** Pauses before the end of a run is written again after a database failure, in milliseconds. */
const FINISH_RETRIES = [100, 500, 2_000]

/** One run from its row to its end. Built for each run; nothing of it outlives the run. */
export class AgentExecution {
  readonly #deps: AgentRunDependencies
  readonly #run: PreparedRun
  readonly #controller = new AbortController()
  readonly #ledger = new Ledger()
  readonly #answer = new Answer()
  readonly #events: RunEvents | null
  readonly #limitSeconds: number

  constructor(deps: AgentRunDependencies, run: PreparedRun, listener: EventListener | null) {
    this.#deps = deps
    this.#run = run
    const { store, signals, telemetry, now, maxSeconds, syncSeconds } = deps
    const working = Math.min(run.agent.config.execution.max_seconds, maxSeconds)
    this.#limitSeconds = run.request.source === 'api_sync' ? Math.min(syncSeconds, working) : working
    const organizationId = run.session.organizationId
    this.#events = listener && this.#eventsFor(listener, { store, signals, telemetry, organizationId, now })
  }

  #eventsFor(
    listener: EventListener,
    target: Pick<AgentRunDependencies, 'store' | 'signals' | 'telemetry' | 'now'> & {
      organizationId: PreparedRun['session']['organizationId']
    },
  ): RunEvents {
    const log = new EventLog({ ...target, runId: this.#run.runId })
    return new RunEvents({ runId: this.#run.runId, log, listener, now: target.now })
  }

  /**
   * Writes the row and calls the model beside it, so that the write costs no latency. With an idempotency key the row
   * comes first: a repeated request must not reach a model.
   *
   * @throws AlreadyStarted, or DomainError `validation_error` when the session belongs to another user.
   */
  async start(): Promise<AcceptedRun> {
    const deadline = setTimeout(
      () => this.#controller.abort(new RunAborted('deadline')),
      Math.max(0, this.#run.request.acceptedAt + this.#limitSeconds * 1000 - this.#deps.now()),
    )
    const starting = this.#writeStart()
    const outcome = (this.#run.request.idempotency ? starting : Promise.resolve()).then(() => this.#work())
    outcome.catch(() => {})
    try {
      this.#accept(await starting)
    } catch (error) {
      clearTimeout(deadline)
      this.#controller.abort(new RunAborted('cancel'))
      throw error
    }
    this.#deps.telemetry.runStarted(this.#observed())
    const executed = outcome.then((ended) => this.#end(ended)).finally(() => clearTimeout(deadline))
    this.#deps.active.add(this.#run.runId, this.#controller, executed)
    return { executed, disconnect: () => this.#controller.abort(new RunAborted('disconnect')) }
  }

  async #writeStart(): Promise<Extract<StartOutcome, { kind: 'started' }>> {
    const { runId, request, session, userId, agent } = this.#run
    const started = await this.#deps.store.start({
      runId,
      session,
      userId,
      userIdGiven: request.userId !== null,
      agentVersionId: agent.versionId,
      source: request.source,
      input: request.message,
      includeMessages: request.includeMessages,
      tag: request.tag,
      apiKeyId: request.apiKeyId,
      workerId: this.#deps.workerId,
      leaseSeconds: LEASE_SECONDS,
      createdAt: request.acceptedAt,
      idempotency: request.idempotency,
    })
    if (started.kind === 'idempotency_key_used') throw new AlreadyStarted(started)
    if (started.kind === 'session_of_another_user') throw sessionOfAnotherUser()
    return started
  }

  #accept(started: Extract<StartOutcome, { kind: 'started' }>): void {
    // Two first runs of a session may race without naming a user: the row tells whose session it became.
    this.#run.userId = started.ownerUserId
    this.#events?.start({
      kind: 'agent',
      agentId: this.#run.agent.agentId,
      agentName: this.#run.agent.name,
      sessionId: this.#run.session.externalId,
      userId: started.ownerUserId,
    })
  }

  async #work(): Promise<RunOutcome> {
    const signal = this.#controller.signal
    try {
      const finishReason = await answerMessage(this.#deps, this.#run, {
        signal,
        deadlineAt: this.#run.request.acceptedAt + this.#limitSeconds * 1000,
        ledger: this.#ledger,
        answer: this.#answer,
        events: this.#events,
      })
      return { kind: 'answered', finishReason }
    } catch (error) {
      return outcomeOf(error, signal)
    }
  }

  async #end(outcome: RunOutcome): Promise<Executed> {
    const completedAt = this.#deps.now()
    let verdict = verdictOf(outcome, this.#limitSeconds)
    try {
      let end = await this.#runEnd(verdict, completedAt)
      const finished = await this.#persistently(() => this.#deps.store.finish(end.row))
      // A row that says `cancelled` was cancelled from elsewhere, whatever stopped the work here: its texts are owed.
      if (!finished.finished && (finished.status === 'cancelled' || finished.status !== verdict.status)) {
        verdict = this.#overruled(finished)
        end = await this.#runEnd(verdict, completedAt)
        if (verdict.stopReason === 'cancel') {
          await this.#persistently(() => this.#deps.store.settleCancelled(end.row))
        }
      }
      end.show()
      this.#announceEnd()
      this.#report(verdict, completedAt)
      if (verdict.status === 'completed') summariseSession(this.#deps, this.#run)
      return this.#executed(verdict, completedAt)
    } catch (error) {
      return this.#unwritable(error, completedAt)
    }
  }

  /** Readers on other processes would otherwise see the end with their next poll. Nobody waits for it. */
  #announceEnd(): void {
    if (!this.#events) return
    this.#deps.signals
      .publish({ kind: 'run_events', runId: this.#run.runId })
      .catch((error) => this.#deps.telemetry.backgroundFailed('announce end', error))
  }

  /** Somebody else ended the row first: a cancel, or a sweeper that took this process for dead. Its verdict stands. */
  #overruled(finished: Extract<FinishOutcome, { finished: false }>): Verdict {
    return finished.status === 'cancelled'
      ? verdictOf({ kind: 'aborted', reason: 'cancel' }, this.#limitSeconds)
      : verdictOf(
          {
            kind: 'failed',
            message: 'The run was lost and has been ended.',
            internal: `row is ${finished.status}`,
            defect: false,
          },
          this.#limitSeconds,
        )
  }

  /** Retried, because a finished answer must survive a database restart. The compare-and-set makes repeating safe. */
  async #persistently<T>(write: () => Promise<T>): Promise<T> {
    for (const pause of FINISH_RETRIES) {
      try {
        return await write()
      } catch (error) {
        this.#deps.telemetry.backgroundFailed('finish', error)
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
    return write()
  }

  #messages(completedAt: number): NewRunMessage[] {
    const { request, agent } = this.#run
    const messages: NewRunMessage[] = [
      { idx: 0, role: 'user', content: request.message, agentId: null, createdAt: request.acceptedAt },
    ]
    if (this.#answer.text !== '') {
      messages.push({
        idx: 1,
        role: 'assistant',
        content: this.#answer.text,
        agentId: agent.agentId,
        createdAt: completedAt,
      })
    }
    return messages
  }

  #result(verdict: Verdict, completedAt: number): AgentRunResult {
    const { runId, request, agent, session, userId } = this.#run
    return agentRunResult({
      runId,
      agentId: agent.agentId,
      agentName: agent.name,
      content: this.#answer.text,
      sessionId: session.externalId,
      userId,
      createdAt: request.acceptedAt,
      completedAt,
      success: verdict.success,
      inputTokens: this.#ledger.inputTokens,
      outputTokens: this.#ledger.outputTokens,
      failoverUsed: this.#ledger.failoverUsed,
      messages: request.includeMessages ? this.#messages(completedAt) : null,
    })
  }

  /** The row of this verdict with the tail of the log, and the way to show the terminal event once it is committed. */
  async #runEnd(verdict: Verdict, completedAt: number): Promise<{ row: RunEnd; show(): void }> {
    const { runId, agent, session, userId, request } = this.#run
    const storeMessages = agent.config.privacy.store_messages
    const ending = await this.#terminalEvent(verdict, completedAt)
    return {
      show: ending?.show ?? (() => {}),
      row: {
        runId,
        organizationId: session.organizationId,
        projectId: session.projectId,
        agentId: agent.agentId,
        status: verdict.status,
        success: verdict.success,
        content: storeMessages && this.#answer.text !== '' ? this.#answer.text : null,
        storeMessages,
        messages: storeMessages ? this.#messages(completedAt) : [],
        errorCode: verdict.error?.code ?? null,
        errorMessage: verdict.error?.message ?? null,
        stopReason: verdict.stopReason,
        inputTokens: this.#ledger.inputTokens,
        outputTokens: this.#ledger.outputTokens,
        failoverUsed: this.#ledger.failoverUsed,
        completedAt,
        usage: this.#ledger.records,
        userId,
        tag: request.tag,
        events: storeMessages ? (ending?.rows ?? []) : withoutTexts(ending?.rows ?? []),
      },
    }
  }

  async #terminalEvent(verdict: Verdict, completedAt: number) {
    if (!this.#events) return null
    if (verdict.status === 'completed') {
      return this.#events.end('RunCompleted', { result: this.#result(verdict, completedAt) })
    }
    if (verdict.status === 'cancelled') {
      const reason = verdict.stopReason === 'cancel' ? 'user' : verdict.stopReason
      return this.#events.end('RunCancelled', {
        reason: reason === 'shutdown' || reason === 'disconnect' ? reason : 'user',
        content: this.#answer.text,
      })
    }
    return this.#events.end('RunError', {
      error: verdict.error?.code ?? 'upstream_error',
      message: verdict.error?.message ?? 'The run failed.',
    })
  }

  #executed(verdict: Verdict, completedAt: number): Executed {
    return verdict.error
      ? { error: new DomainError(verdict.error.code, verdict.error.message) }
      : { result: this.#result(verdict, completedAt) }
  }

  #observed(): ObservedRun {
    const { runId, session, agent, request } = this.#run
    return {
      runId,
      organizationId: session.organizationId,
      agentId: agent.agentId,
      agentName: agent.name,
      sessionId: session.externalId,
      source: request.source,
      tag: request.tag,
      acceptedAt: request.acceptedAt,
    }
  }

  #report(verdict: Verdict, completedAt: number): void {
    this.#deps.telemetry.runEnded(this.#observed(), {
      status: verdict.status,
      errorCode: verdict.error?.code ?? null,
      internal: verdict.internal,
      defect: verdict.defect,
      completedAt,
      inputTokens: this.#ledger.inputTokens,
      outputTokens: this.#ledger.outputTokens,
    })
  }

  /**
   * The database refused the end for good. What it may have stumbled over is left out and the bare end is tried once; if
   * that fails too, the lease expires and a sweeper ends the row. The caller is told either way.
   */
  async #unwritable(error: unknown, completedAt: number): Promise<Executed> {
    this.#deps.telemetry.backgroundFailed('finish', error)
    const verdict = verdictOf(
      { kind: 'failed', message: 'The answer could not be stored.', internal: String(error), defect: false },
      this.#limitSeconds,
    )
    const { row, show } = await this.#runEnd(verdict, completedAt)
    const bare = { ...row, content: null, messages: [], usage: [], inputTokens: 0, outputTokens: 0 }
    await this.#deps.store
      .finish({ ...bare, events: row.events.slice(-1) })
      .catch((again) => this.#deps.telemetry.backgroundFailed('bare finish', again))
    show()
    this.#announceEnd()
    this.#report(verdict, completedAt)
    return this.#executed(verdict, completedAt)
  }
}
