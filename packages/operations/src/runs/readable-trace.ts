import type { AgentRunDetail } from '@troupe/contract/builder'

type Message = AgentRunDetail['messages'][number]
type Hidden = Pick<AgentRunDetail, 'tracesInputs' | 'tracesOutputs'>

function readableMessage(message: Message, { tracesInputs, tracesOutputs }: Hidden): Message {
  const isShown = message.role === 'user' ? tracesInputs : tracesOutputs
  return {
    ...message,
    content: isShown ? message.content : null,
    toolCalls:
      message.toolCalls?.map((call) => ({
        ...call,
        arguments: tracesInputs ? call.arguments : null,
        result: tracesOutputs ? call.result : null,
      })) ?? null,
  }
}

/**
 * A trace without the texts that the agents of the run exclude from it (`privacy.trace_inputs`,
 * `privacy.trace_outputs`). Steps, times, tokens and errors are kept.
 */
export function readableTrace(detail: AgentRunDetail): AgentRunDetail {
  const { tracesInputs, tracesOutputs } = detail
  const input = <Text>(text: Text) => (tracesInputs ? text : null)
  const output = <Text>(text: Text) => (tracesOutputs ? text : null)
  return {
    ...detail,
    input: input(detail.input),
    content: output(detail.content),
    // Quotes of documents, and tasks written by a lead.
    citations: tracesOutputs ? detail.citations : [],
    plan: output(detail.plan),
    messages: detail.messages.map((message) => readableMessage(message, detail)),
    // A provider's message may repeat the prompt.
    calls: detail.calls.map((call) => ({ ...call, providerMessage: input(call.providerMessage) })),
    members: detail.members.map((member) => ({
      ...member,
      input: input(member.input),
      content: output(member.content),
    })),
  }
}
