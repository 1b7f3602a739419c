import type { ChatModels, ModelChain } from '@troupe/agents/ports'
import { choicesOf, placeholderInput, placeholderText, record } from './placeholder-answers.ts'

type Model = ReturnType<ChatModels['open']>
type Options = Parameters<Model['doStream']>[0]
type StreamPart =
  Awaited<ReturnType<Model['doStream']>> extends { stream: ReadableStream<infer P> } ? P : never

/** A call that would have reached a model. */
export interface RehearsedCall {
  /** The step of the run, with its enclosing steps: `member:m1:0/step:0`. */
  key: string
  /** The agent, or the team for a managed lead. */
  name: string
  target: ModelChain['targets'][0]
  options: Options
}

type Reply = { text: string } | { calls: { toolName: string; input: unknown }[] }

/** A possible answer of a model, so that the run continues. */
function replyTo(
  { options: { toolChoice, tools, responseFormat, prompt } }: Pick<RehearsedCall, 'options'>,
  choices: { name: string; member: number },
): Reply {
  const offered = (tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool] : []))
  if (toolChoice?.type === 'tool') {
    const { toolName } = toolChoice
    const schema = record(offered.find(({ name }) => name === toolName)?.inputSchema)
    return { calls: [{ toolName, input: placeholderInput(toolName, schema, choices) }] }
  }
  if (responseFormat?.type === 'json' && responseFormat.schema) {
    const { name = 'answer', schema } = responseFormat
    return { text: JSON.stringify(placeholderInput(name, record(schema), choices)) }
  }
  const delegate = offered.find(({ name }) => name === 'delegate')
  const hasDelegated = prompt.some(({ role }) => role === 'tool')
  if (!delegate || hasDelegated || toolChoice?.type === 'none') return { text: placeholderText(choices.name) }
  const schema = record(delegate.inputSchema)
  const members = choicesOf(schema, 'member')
  return {
    calls: members.map((_, member) => ({
      toolName: 'delegate',
      input: placeholderInput('delegate', schema, { ...choices, member }),
    })),
  }
}

function* partsOf(reply: Reply): Generator<StreamPart> {
  if ('text' in reply) yield { type: 'text-delta', id: '0', delta: reply.text }
  else {
    for (const { toolName, input } of reply.calls) {
      yield { type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }
    }
  }
  const unified = 'text' in reply ? 'stop' : 'tool-calls'
  yield {
    type: 'finish',
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
  }
}

/** Models that only record their calls, and answer with placeholders. */
export function rehearsingModels(
  calls: RehearsedCall[],
  { keyNow, member }: { keyNow: () => string; member: number },
): ChatModels {
  return {
    open({ chain, agentName: name }) {
      return {
        specificationVersion: 'v4',
        provider: 'rehearsal',
        modelId: chain.targets[0].modelId,
        supportedUrls: {},
        doGenerate: () => Promise.reject(new Error('runs stream')),
        async doStream(options) {
          calls.push({ key: keyNow(), name, target: chain.targets[0], options })
          return { stream: ReadableStream.from(partsOf(replyTo({ options }, { name, member }))) }
        },
      }
    },
  }
}
