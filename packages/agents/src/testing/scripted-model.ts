import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { ChatModelError, type ChatModels, type OpenChain } from '../ports/chat-models.ts'
import { TROUPE } from '../ports/step-state.ts'
import type { FinishReason } from '../run/call-model.ts'

/**
 * The actions of a scripted call: deltas to write, tools to call, a promise to await, a value to throw,
 * `hang` until aborted, `reset` as a restart does, or an unusual finish reason.
 */
export type ScriptStep =
  | { text: string }
  | { call: string; input: Record<string, unknown> | string }
  | { wait: Promise<unknown> }
  | { throws: unknown }
  | { hang: true }
  | { reset: true }
  | { finish: FinishReason }
  /** Parts as a provider sends them; then the answer names its provider. */
  | { parts: readonly LanguageModelV4StreamPart[] }

/** A complete answer: its text, one step, or several. */
export type Reply = string | ScriptStep | readonly ScriptStep[]

/** A call that reached a model. */
export interface ScriptedCall {
  /** The caller: `OpenChain.agentName`. */
  agent: string
  /** The forced tool, or the name of the requested JSON; null for any other call. */
  forced: string | null
  /** The text of the system message; empty without one. */
  system: string
  /** The text of the last user message. */
  asked: string
  /** The results of tools in the prompt, in order. */
  results: string[]
  prompt: LanguageModelV4Prompt
  options: LanguageModelV4CallOptions
}

/** The error of a chain in which every model failed. */
export function chainFailed(message: string, internal = 'scripted'): { throws: ChatModelError } {
  return { throws: new ChatModelError('exhausted', message, internal) }
}

const textOf = (content: LanguageModelV4Prompt[number]['content']): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('')

function describe(open: OpenChain, options: LanguageModelV4CallOptions): ScriptedCall {
  const { prompt, toolChoice, responseFormat } = options
  const json = responseFormat?.type === 'json' ? (responseFormat.name ?? null) : null
  const outputs = prompt.flatMap((message) => (message.role === 'tool' ? message.content : []))
  return {
    agent: open.agentName,
    forced: toolChoice?.type === 'tool' ? toolChoice.toolName : json,
    system: textOf(prompt.find(({ role }) => role === 'system')?.content ?? ''),
    asked: textOf(prompt.findLast(({ role }) => role === 'user')?.content ?? ''),
    results: outputs.map((part) =>
      part.type === 'tool-result' && part.output.type === 'text' ? part.output.value : '',
    ),
    // Copied, because the loop appends to the array that it passes.
    prompt: [...prompt],
    options,
  }
}

function report({ observer, chain }: OpenChain, ok: boolean): void {
  observer.onAttempt({
    llmConfigId: chain.targets[0].connection.llmConfigId,
    modelId: chain.targets[0].modelId,
    attempt: 1,
    isFallback: false,
    inputTokens: ok ? 10 : 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: ok ? 5 : 0,
    reasoningTokens: 0,
    usageIncomplete: !ok,
    latencyMs: 1,
    ttftMs: 1,
    ok,
    errorCode: ok ? null : 'scripted',
    internalMessage: ok ? null : 'scripted',
    note: null,
    providerMessage: null,
  })
}

function isCall(step: ScriptStep): boolean {
  return 'call' in step || ('parts' in step && step.parts.some(({ type }) => type === 'tool-call'))
}

async function* partsOf(
  open: OpenChain,
  { abortSignal: signal }: LanguageModelV4CallOptions,
  script: readonly ScriptStep[],
): AsyncGenerator<LanguageModelV4StreamPart> {
  let finish: FinishReason = script.some(isCall) ? 'tool-calls' : 'stop'
  const providerMetadata = script.some((step) => 'parts' in step)
    ? { [TROUPE]: { origin: 'scripted' } }
    : null
  const aborted = () =>
    new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  for (const step of script) {
    await Promise.resolve()
    signal?.throwIfAborted()
    if ('text' in step) yield { type: 'text-delta', id: '0', delta: step.text }
    else if ('call' in step) {
      const input = typeof step.input === 'string' ? step.input : JSON.stringify(step.input)
      // As with real providers, ids repeat.
      yield { type: 'tool-call', toolCallId: 'same', toolName: step.call, input }
    } else if ('parts' in step) yield* step.parts
    else if ('reset' in step) {
      open.observer.onReset()
      yield { type: 'stream-start', warnings: [] }
    } else if ('finish' in step) finish = step.finish
    else if ('wait' in step) await Promise.race([step.wait, aborted()])
    else if ('hang' in step) await aborted()
    else {
      report(open, false)
      throw step.throws
    }
  }
  report(open, true)
  const usage = {
    inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 5, text: 5, reasoning: undefined },
  }
  const finishReason = { unified: finish, raw: finish }
  yield { type: 'finish', finishReason, usage, ...(providerMetadata && { providerMetadata }) }
}

/**
 * Chat models that answer as `respond` says; `calls` are the received calls in order. Every answer costs 10 +
 * 5 tokens.
 */
export function scriptedChat(respond: (call: ScriptedCall) => Reply): ChatModels & { calls: ScriptedCall[] } {
  const calls: ScriptedCall[] = []
  return {
    calls,
    open(open) {
      const doStream: LanguageModelV4['doStream'] = async (options) => {
        const call = describe(open, options)
        calls.push(call)
        const reply = respond(call)
        const script = typeof reply === 'string' ? [{ text: reply }] : 'length' in reply ? reply : [reply]
        const stream = ReadableStream.from(partsOf(open, options, script))
        return { stream: stream as ReadableStream<LanguageModelV4StreamPart> }
      }
      const doGenerate = () => Promise.reject(new Error('runs stream'))
      const identity = { provider: 'scripted', modelId: 'scripted', supportedUrls: {} }
      return { specificationVersion: 'v4', ...identity, doStream, doGenerate }
    },
  }
}

/** Chat models that follow the same script in every call. */
export function scriptedModels(...script: ScriptStep[]): ReturnType<typeof scriptedChat> {
  return scriptedChat(() => script)
}

/** Answers each caller from its own list, in order. */
export function inTurn(scripts: Readonly<Record<string, readonly Reply[]>>): (call: ScriptedCall) => Reply {
  const next = new Map<string, number>()
  return ({ agent }) => {
    const index = next.get(agent) ?? 0
    next.set(agent, index + 1)
    const reply = scripts[agent]?.[index]
    if (reply === undefined) throw new Error(`${agent} has no answer ${index}`)
    return reply
  }
}
