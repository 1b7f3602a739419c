import type { AgentRunDetail, ModelCallPreview } from '@troupe/contract/builder'

type ModelCall = AgentRunDetail['calls'][number]
type PromptMessage = ModelCallPreview['messages'][number]

/**
 * The stored messages of a run that follow the user message in the prompt of a call of its agent or a member: the
 * earlier answers with tool calls, and their results.
 */
export function messagesBefore(
  { calls, messages, members }: Pick<AgentRunDetail, 'calls' | 'messages' | 'members'>,
  call: ModelCall,
): PromptMessage[] {
  const { memberRunId } = call
  const place = calls.indexOf(call)
  // A failed attempt has no message, and the next one gets the same prompt.
  const answers = calls.filter(
    (one, at) => at < place && one.ok && one.purpose === 'chat' && one.memberRunId === memberRunId,
  ).length
  const ofMembers = new Set(members.map(({ runId }) => runId))
  const own = messages.filter(({ runId }) =>
    memberRunId === null ? !ofMembers.has(runId) : runId === memberRunId,
  )
  const before: PromptMessage[] = []
  let passed = 0
  for (const { role, content, toolCalls } of own) {
    if (role === 'user') continue
    if (role === 'assistant') {
      if (passed === answers) break
      passed += 1
    }
    before.push({
      role,
      content: content ?? '',
      ...(toolCalls && { toolCalls: toolCalls.map((one) => ({ name: one.name, arguments: one.arguments })) }),
    })
  }
  return before
}
