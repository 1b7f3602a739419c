import { type AgentConfig, GuardrailFlag, Nullable, RunId } from '@troupe/contract'
import { idText, isInterruption, journalStep, RunAborted, schemaOf } from '@troupe/durable-work'
import { Type } from 'typebox'
import { agentLoop, type LoopRequest } from '../../agent/agent-loop.ts'
import { openAgentTools } from '../../agent/agent-tools.ts'
import { configuredOutput } from '../../agent/configured-output.ts'
import { loopLimitsOf } from '../../agent/loop-limits.ts'
import { buildPrompt } from '../../agent/prompt.ts'
import { structuredAnswer } from '../../agent/structured-answer.ts'
import type { ResolvedChain } from '../../chain/resolve-chain.ts'
import { InputBlocked } from '../../guardrails/input-gate.ts'
import { withGuardrails } from '../../guardrails/with-guardrails.ts'
import { withKnowledge } from '../../knowledge/agent-knowledge.ts'
import { ownerOf, recalled } from '../../memory/recall.ts'
import { ChatModelError } from '../../ports/chat-models.ts'
import type { RequestedOutput } from '../../ports/requested-output.ts'
import type { EndStatus, MemberRun } from '../../ports/run-store.ts'
import type { HistoryRun } from '../../ports/session-state.ts'
import type { NumberedPassage } from '../../ports/tool.ts'
import { ToolsUnavailable } from '../../ports/toolbox.ts'
import { type ActingAgent, sourceOf } from '../../run/acting-agent.ts'
import { type Channel, MessageWriter } from '../../run/message-writer.ts'
import { BudgetSpent } from '../../run/run-budget.ts'
import type { RunContext } from '../../run/run-context.ts'
import { RunFailure } from '../../run/run-failure.ts'
import { HISTORY_RUN, NUMBERED_PASSAGE, STORED_MEMBER_RUN } from '../../run/step-shapes.ts'
import type { Transcript } from '../../run/transcript.ts'
import { shorten } from '../../tools/shorten.ts'
import { derivedId } from './derived-id.ts'
import type { FrozenMember } from './freeze-team.ts'
import type { TeamRun } from './team-run.ts'

/** Replaces a task that guardrails have changed. */
const CHANGED = '[redacted]'
const SHOWN_CONTENT_BYTES = 8 * 1024

/** The outcome of a member's run. A text that ended normally is empty only after its tools had effects. */
export interface MemberResult {
  status: 'ok' | 'error' | 'refused'
  /** The answer, or the refusal; empty for an error. */
  text: string
  /** A safe sentence; null unless it is an error. */
  message: string | null
  memberRunId: RunId
  /** Names of called tools that may have had effects; absent in the journals of older servers. */
  acted?: string[]
  /** The streamed message with the text, possibly partial; null if no text was written. */
  messageId: string | null
}

/** One task for one member. */
export interface MemberWork {
  /**
   * The step in the journal and in the member's row: `member:m1:0`. A resumed job never starts a committed
   * one again.
   */
  key: string
  /** The user message for the member. */
  input: string
  /** The task's name in events. */
  task: string
  channel: Channel
  /** The JSON required of the answer; absent: by the member's own configuration. */
  output?: RequestedOutput | null
  /** Output rules beside the member's own. */
  rules?: Rules | null
}

type Rules = AgentConfig['guardrails']['output']

/** The parts of the root run that a member's run needs. */
export type MemberHost = Pick<TeamRun, 'ctx' | 'startedAt' | 'memberTimeoutMs' | 'memberHistory'>

interface Ended {
  result: MemberResult
  run: MemberRun
  /** Rules that the member's texts broke. */
  flags: GuardrailFlag[]
  /** Every passage that the root run had retrieved by then; absent in the journals of older servers. */
  passages?: NumberedPassage[]
}

const MEMBER_RUN = journalStep(
  'member_run',
  1,
  schemaOf<Ended>()(
    Type.Object({
      result: Type.Object({
        status: Type.Union([Type.Literal('ok'), Type.Literal('error'), Type.Literal('refused')]),
        text: Type.String(),
        message: Nullable(Type.String()),
        memberRunId: idText<RunId>(),
        acted: Type.Optional(Type.Array(Type.String())),
        messageId: Nullable(Type.String()),
      }),
      run: STORED_MEMBER_RUN,
      flags: Type.Array(GuardrailFlag),
      passages: Type.Optional(Type.Array(NUMBERED_PASSAGE)),
    }),
  ),
)

/** The member's earlier runs of the session. */
const MEMBER_HISTORY = journalStep('member_history', 1, Type.Array(HISTORY_RUN))

/**
 * Runs a member as its own run below the root run, with its own models, instructions and limits. Its failures
 * are results; only errors that stop the root run are thrown.
 */
export async function runMember(
  run: MemberHost,
  member: FrozenMember,
  work: MemberWork,
): Promise<MemberResult> {
  const { ctx } = run
  const replayed = ctx.journal.has(work.key)
  // A member still queued when the run is stopped never starts, and has no row.
  if (!replayed) ctx.signal.throwIfAborted()
  const ended = await ctx.journal.once(MEMBER_RUN, work.key, () =>
    new MemberExecution(run, member, work).execute(),
  )
  ctx.output.flags.push(...ended.flags)
  if (replayed) {
    ctx.output.members.restore(ended.run)
    ctx.output.citations.restore(ended.passages ?? [])
    const { status, messageId, text } = ended.result
    if (work.channel === 'answer' && status !== 'error' && messageId)
      ctx.output.answer.append(messageId, text)
  }
  return ended.result
}

/** One execution of a member. */
class MemberExecution {
  readonly #run: MemberHost
  readonly #member: FrozenMember
  readonly #work: MemberWork
  readonly #runId: RunId
  readonly #transcript: Transcript
  readonly #startedAt: number
  readonly #ctx: RunContext
  readonly #rules: AgentConfig['guardrails']
  readonly #acted = new Map<string, string>()
  #writer: MessageWriter | null = null
  /** The stored user message; null until it has passed the rules. */
  #input: string | null = null

  constructor(run: MemberHost, member: FrozenMember, work: MemberWork) {
    this.#run = run
    this.#member = member
    this.#work = work
    this.#runId = derivedId(RunId, run.ctx.identity.runId, work.key)
    this.#startedAt = run.ctx.now()
    this.#transcript = run.ctx.output.transcript.ofMember()
    const output = { ...run.ctx.output, flags: [], acted: this.#acted }
    this.#ctx = { ...run.ctx, output }
    const { guardrails } = member.agent.config
    this.#rules = { input: guardrails.input, output: [...guardrails.output, ...(work.rules ?? [])] }
  }

  /** Starts the member's run with its visible message, or replaces a message that was blocked later. */
  #begin(actor: ActingAgent, input: string): void {
    const { agent } = this.#member
    const isFirst = this.#input === null
    this.#input = input
    if (!isFirst) {
      this.#transcript.replaceUser(input)
      return
    }
    const member = { agentId: agent.agentId, name: agent.name }
    const task = input === this.#work.input ? this.#work.task : CHANGED
    const facts = { source: sourceOf(actor), member, memberRunId: this.#runId, task }
    this.#ctx.output.announcer.tell('MemberRunStarted', facts)
    this.#transcript.user(input, this.#startedAt)
  }

  async execute(): Promise<Ended> {
    const ctx = this.#ctx
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
    if (problem !== null) this.#begin(actor, this.#work.input)
    const result = problem === null ? await this.#answer(actor) : this.#failed(problem)
    const ended = {
      result,
      run: this.#row(actor, result, result.status === 'error' ? 'failed' : 'completed'),
      flags: ctx.output.flags,
      passages: ctx.output.citations.all,
    }
    ctx.output.members.add(ended.run)
    if (result.status === 'error') {
      const error = { code: 'upstream_error', message: result.message ?? '' }
      ctx.output.announcer.tell('MemberRunError', { ...facts, error })
    } else {
      const { inputTokens, outputTokens } = actor.spent
      const content = shorten(result.text, SHOWN_CONTENT_BYTES)
      ctx.output.announcer.tell('MemberRunCompleted', { ...facts, content, inputTokens, outputTokens })
    }
    return ended
  }

  async #answer(actor: ActingAgent): Promise<MemberResult> {
    const ctx = this.#ctx
    const limitMs = this.#limitMs()
    const timeout = new AbortController()
    using _ = ctx.clock.alarm(limitMs, () => timeout.abort())
    try {
      const signal = AbortSignal.any([ctx.signal, timeout.signal])
      const { text, messageId, blocked, result } = await this.#guarded(actor, signal)
      const status = blocked || result.finishReason === 'content-filter' ? 'refused' : 'ok'
      return { ...this.#failed(null), status, text, messageId }
    } catch (error) {
      if (error instanceof InputBlocked) throw error
      if (error instanceof BudgetSpent && this.#work.channel === 'trace') return this.#failed(error.message)
      if (error instanceof BudgetSpent) throw error
      if (ctx.signal.aborted || isInterruption(error)) {
        this.#interrupted(actor, ctx.signal.aborted ? ctx.signal.reason : error)
        throw ctx.signal.aborted ? ctx.signal.reason : error
      }
      if (timeout.signal.aborted) return this.#failed(`It did not answer within ${limitMs} ms.`)
      const isTold =
        error instanceof ChatModelError || error instanceof RunFailure || error instanceof ToolsUnavailable
      if (isTold) return this.#failed(error.message)
      ctx.services.telemetry.backgroundFailed('member run', error)
      return this.#failed('It failed unexpectedly.')
    }
  }

  #guarded(actor: ActingAgent, signal: AbortSignal) {
    const { input, key, channel } = this.#work
    const { projectId } = this.#member.agent
    const { budget } = this.#member.agent.config.execution
    const { spent } = actor
    const spending = () => ({
      tokens: spent.inputTokens + spent.outputTokens,
      costMicros: spent.costMicros ?? 0,
    })
    return withGuardrails(
      {
        ...this.#ctx,
        spending: { ...this.#ctx.spending, budget: this.#ctx.spending.budget.ofMember(budget, spending) },
      },
      { actor, projectId, rules: this.#rules, keyPrefix: `${key}/` },
      {
        ...{ message: input, channel, transcript: this.#transcript, signal },
        onInput: (stored) => this.#begin(actor, stored),
        perform: (ctx, message) => {
          if (this.#input === null) this.#begin(actor, message)
          return this.#loop(ctx, actor, { message, signal })
        },
      },
    )
  }

  async #loop(
    ctx: RunContext,
    actor: ActingAgent,
    { message, signal }: { message: string; signal: AbortSignal },
  ) {
    const { agent } = this.#member
    const keyPrefix = `${this.#work.key}/`
    await using toolbox = await openAgentTools(ctx, actor, agent, { level: 'member', keyPrefix, signal })
    const asked = await withKnowledge(ctx, actor, agent, { message, keyPrefix, signal })
    const history = await this.#history(ctx, toolbox.tools.length > 0)
    const output = this.#work.output ?? configuredOutput(agent)
    const loop: LoopRequest = {
      actor,
      keyPrefix,
      purpose: 'chat',
      prompt: buildPrompt({
        agent,
        summary: null,
        memories: await recalled(ctx, ownerOf(agent), keyPrefix),
        history,
        message: asked,
        skills: toolbox.skills,
        now: this.#run.startedAt,
      }),
      tools: toolbox.tools,
      limits: loopLimitsOf(agent),
      channel: this.#work.channel,
      transcript: this.#transcript,
      signal,
      openWriter: (channel) => {
        this.#writer = new MessageWriter(ctx.output, sourceOf(actor), channel)
        return this.#writer
      },
    }
    return await (output ? structuredAnswer(ctx, loop, output) : agentLoop(ctx, loop))
  }

  /** The member's earlier work in this session; tool calls only if it has tools. A resumed job sees the same. */
  async #history(
    { journal }: Pick<RunContext, 'journal'>,
    hasTools: boolean,
  ): Promise<readonly HistoryRun[]> {
    const { memberHistory } = this.#run
    if (!memberHistory) return []
    const { agentId } = this.#member.agent
    const history = await journal.once(MEMBER_HISTORY, `${this.#work.key}/history`, () =>
      memberHistory(agentId),
    )
    return hasTools ? history : history.map((run) => ({ ...run, steps: null }))
  }

  /** The shorter of the member's own limit and its host's. */
  #limitMs(): number {
    const own = this.#member.agent.config.execution.max_seconds * 1000
    return Math.min(own, this.#run.memberTimeoutMs ?? own)
  }

  /** The text so far; empty if it was held back unchecked. */
  get #partial(): string {
    const held = this.#rules.output.some(({ run }) => run !== 'parallel')
    return held ? '' : (this.#writer?.text ?? '')
  }

  #failed(message: string | null): MemberResult {
    const messageId = this.#partial === '' ? null : (this.#writer?.messageId ?? null)
    const acted = [...new Set(this.#acted.values())]
    return { status: 'error', text: '', message, memberRunId: this.#runId, acted, messageId }
  }

  /**
   * Records a member stopped together with its run; a member that continues in the next turn is not recorded.
   */
  #interrupted(actor: ActingAgent, cause: unknown): void {
    if (!(cause instanceof RunAborted) || cause.reason === 'lost') return
    const result = { ...this.#failed('The run was stopped.'), text: this.#partial }
    this.#run.ctx.output.members.add(
      this.#row(actor, result, cause.reason === 'deadline' ? 'timeout' : 'cancelled'),
    )
  }

  #row(actor: ActingAgent, result: MemberResult, status: EndStatus): MemberRun {
    const { agent } = this.#member
    const { ctx } = this.#run
    const author = { agentId: agent.agentId, name: agent.name }
    const completedAt = ctx.now()
    if (status !== 'completed') {
      this.#transcript.closeOpenCalls(completedAt)
      this.#transcript.assistant(author, result.text, {}, completedAt)
    }
    return {
      runId: this.#runId,
      stepKey: this.#work.key,
      agentId: agent.agentId,
      agentVersionId: agent.versionId,
      status,
      success: result.status === 'ok',
      input: this.#input ?? this.#work.input,
      content: result.text === '' ? null : result.text,
      errorCode: result.message === null ? null : 'upstream_error',
      errorMessage: result.message,
      inputTokens: actor.spent.inputTokens,
      outputTokens: actor.spent.outputTokens,
      failoverUsed: actor.spent.failoverUsed,
      createdAt: this.#startedAt,
      completedAt,
      messages: this.#transcript.messages,
      learns:
        result.status === 'ok' &&
        ctx.identity.user?.learns === true &&
        agent.config.memory.user_memories.enabled,
    }
  }
}
