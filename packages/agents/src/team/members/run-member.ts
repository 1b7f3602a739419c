import type { RunId } from '@troupe/contract'
import { isInterruption, RunAborted } from '@troupe/turns'
import { agentLoop, type LoopRequest } from '../../agent/agent-loop.ts'
import { configuredOutput } from '../../agent/configured-output.ts'
import { loopLimitsOf } from '../../agent/loop-limits.ts'
import { buildPrompt } from '../../agent/prompt.ts'
import { structuredAnswer } from '../../agent/structured-answer.ts'
import type { ResolvedChain } from '../../chain/resolve-chain.ts'
import { openAgentTools, withKnowledge } from '../../knowledge/agent-knowledge.ts'
import { ChatModelError } from '../../ports/chat-models.ts'
import type { EndStatus, MemberRun } from '../../ports/run-store.ts'
import type { NumberedPassage } from '../../ports/tool.ts'
import { type ActingAgent, sourceOf } from '../../run/acting-agent.ts'
import { derivedRunId } from '../../run/derived-run-id.ts'
import { type Channel, MessageWriter } from '../../run/message-writer.ts'
import type { Transcript } from '../../run/transcript.ts'
import { shorten } from '../../tools/shorten.ts'
import type { FrozenMember } from './freeze-team.ts'
import type { TeamRun } from './team-run.ts'

const SHOWN_CONTENT_BYTES = 8 * 1024

/** The outcome of a member's run. Empty text is an error, never an answer. */
export interface MemberResult {
  status: 'ok' | 'error' | 'refused'
  /** The answer, or the refusal; empty for an error. */
  text: string
  /** A safe sentence; null unless it is an error. */
  message: string | null
  memberRunId: RunId
  toolsExecuted: number
  /** The streamed message with the text, possibly partial; null when no text was written. */
  messageId: string | null
}

/** One task for one member. */
export interface MemberWork {
  /**
   * The step in the journal and in the member's row: `member:m1:0`. A resumed job never starts a committed
   * one again.
   */
  key: string
  /** The user message that the member gets. */
  input: string
  /** The task's name in events. */
  task: string
  channel: Channel
}

interface Ended {
  result: MemberResult
  run: MemberRun
  /** Every passage that the root run had retrieved by then. */
  passages: NumberedPassage[]
}

/**
 * Runs a member as its own run below the root run, with its own models, instructions and limits. Its failures
 * are results; only errors that stop the root run are thrown.
 */
export async function runMember(run: TeamRun, member: FrozenMember, work: MemberWork): Promise<MemberResult> {
  const { ctx } = run
  const replayed = ctx.journal.has(work.key)
  // A member still queued when the run is stopped never starts, and has no row.
  if (!replayed) ctx.signal.throwIfAborted()
  const ended = await ctx.journal.once(work.key, () => new MemberExecution(run, member, work).execute())
  if (replayed) {
    ctx.members.restore(ended.run)
    ctx.citations.restore(ended.passages ?? [])
    const { status, messageId, text } = ended.result
    if (work.channel === 'answer' && status !== 'error' && messageId) ctx.answer.append(messageId, text)
  }
  return ended.result
}

/** One execution of a member. */
class MemberExecution {
  readonly #run: TeamRun
  readonly #member: FrozenMember
  readonly #work: MemberWork
  readonly #runId: RunId
  readonly #transcript: Transcript
  readonly #startedAt: number
  #writer: MessageWriter | null = null

  constructor(run: TeamRun, member: FrozenMember, work: MemberWork) {
    this.#run = run
    this.#member = member
    this.#work = work
    this.#runId = derivedRunId(run.ctx.runId, work.key)
    this.#startedAt = run.ctx.now()
    this.#transcript = run.ctx.transcript.ofMember()
  }

  async execute(): Promise<Ended> {
    const { ctx } = this.#run
    const { agent, resolved, problem } = this.#member
    const actor: ActingAgent = {
      role: 'member',
      agentId: agent.agentId,
      name: agent.name,
      runId: this.#runId,
      isMember: true,
      resolved: resolved as ResolvedChain,
      exposeReasoning: agent.config.privacy.expose_reasoning,
      spent: { inputTokens: 0, outputTokens: 0, failoverUsed: false },
    }
    const shown = { source: sourceOf(actor), member: { agentId: agent.agentId, name: agent.name } }
    const facts = { ...shown, memberRunId: this.#runId }
    ctx.announcer.tell('MemberRunStarted', { ...facts, task: this.#work.task })
    this.#transcript.user(this.#work.input, this.#startedAt)
    const result = problem === null ? await this.#answer(actor) : this.#failed(problem)
    const ended = {
      result,
      run: this.#row(actor, result, result.status === 'error' ? 'failed' : 'completed'),
      passages: ctx.citations.all,
    }
    ctx.members.add(ended.run)
    if (result.status === 'error') {
      const error = { code: 'upstream_error', message: result.message ?? '' }
      ctx.announcer.tell('MemberRunError', { ...facts, error })
    } else {
      const { inputTokens, outputTokens } = actor.spent
      const content = shorten(result.text, SHOWN_CONTENT_BYTES)
      ctx.announcer.tell('MemberRunCompleted', { ...facts, content, inputTokens, outputTokens })
    }
    return ended
  }

  async #answer(actor: ActingAgent): Promise<MemberResult> {
    const { ctx } = this.#run
    const limitMs = this.#limitMs()
    const timeout = AbortSignal.timeout(limitMs)
    try {
      const signal = AbortSignal.any([ctx.signal, timeout])
      const { text, messageId, finishReason, toolsExecuted } = await this.#loop(actor, signal)
      const status = finishReason === 'content-filter' ? 'refused' : 'ok'
      return { ...this.#failed(null), status, text, messageId, toolsExecuted }
    } catch (error) {
      if (ctx.signal.aborted || isInterruption(error)) {
        this.#interrupted(actor, ctx.signal.aborted ? ctx.signal.reason : error)
        throw ctx.signal.aborted ? ctx.signal.reason : error
      }
      if (timeout.aborted) return this.#failed(`It did not answer within ${limitMs} ms.`)
      if (error instanceof ChatModelError) return this.#failed(error.message)
      ctx.telemetry.backgroundFailed('member run', error)
      return this.#failed('It failed unexpectedly.')
    }
  }

  async #loop(actor: ActingAgent, signal: AbortSignal) {
    const { ctx, memberHistory } = this.#run
    const { agent } = this.#member
    await using toolbox = await openAgentTools(ctx, actor, agent, signal)
    const keyPrefix = `${this.#work.key}/`
    const message = await withKnowledge(ctx, actor, agent, { message: this.#work.input, keyPrefix, signal })
    const history = await memberHistory(agent.agentId)
    const output = configuredOutput(agent)
    const loop: LoopRequest = {
      actor,
      keyPrefix,
      purpose: 'chat',
      prompt: buildPrompt({
        agent,
        summary: null,
        history,
        message,
        now: this.#run.startedAt,
      }),
      tools: toolbox.tools,
      limits: loopLimitsOf(agent),
      channel: this.#work.channel,
      transcript: this.#transcript,
      signal,
      openWriter: () => {
        this.#writer = new MessageWriter(ctx, sourceOf(actor), this.#work.channel)
        return this.#writer
      },
    }
    return output ? structuredAnswer(ctx, loop, output) : agentLoop(ctx, loop)
  }

  /** The shorter of the member's own limit and the team's. */
  #limitMs(): number {
    const own = this.#member.agent.config.execution.max_seconds * 1000
    return Math.min(own, this.#run.team.snapshot.config.limits.member_timeout_ms ?? own)
  }

  #failed(message: string | null): MemberResult {
    const messageId = this.#writer && this.#writer.text !== '' ? this.#writer.messageId : null
    return { status: 'error', text: '', message, memberRunId: this.#runId, toolsExecuted: 0, messageId }
  }

  /**
   * Records a member stopped together with its run; a member that continues in the next turn is not recorded.
   */
  #interrupted(actor: ActingAgent, cause: unknown): void {
    if (!(cause instanceof RunAborted) || cause.reason === 'lost') return
    const partial = this.#writer?.text ?? ''
    const result = { ...this.#failed('The run was stopped.'), text: partial }
    this.#run.ctx.members.add(this.#row(actor, result, cause.reason === 'deadline' ? 'timeout' : 'cancelled'))
  }

  #row(actor: ActingAgent, result: MemberResult, status: EndStatus): MemberRun {
    const { agent } = this.#member
    const { ctx } = this.#run
    const author = { agentId: agent.agentId, name: agent.name }
    const completedAt = ctx.now()
    if (status !== 'completed') {
      this.#transcript.closeOpenCalls(completedAt)
      this.#transcript.assistant(author, result.text, [], completedAt)
    }
    return {
      runId: this.#runId,
      stepKey: this.#work.key,
      agentId: agent.agentId,
      agentVersionId: agent.versionId,
      status,
      success: result.status === 'ok',
      input: this.#work.input,
      content: result.text === '' ? null : result.text,
      errorCode: result.message === null ? null : 'upstream_error',
      errorMessage: result.message,
      ...actor.spent,
      createdAt: this.#startedAt,
      completedAt,
      messages: this.#transcript.messages,
    }
  }
}
