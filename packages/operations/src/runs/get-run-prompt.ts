import type { SentMessage } from '@troupe/agents/ports'
import { type AnyRunId, DomainError, type IdText, PromptId, parseId, RunId } from '@troupe/contract'
import type { RunPrompt } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { observedRunNotFound } from './run-errors.ts'

function presentMessage(message: SentMessage | undefined): RunPrompt['messages'] {
  if (!message) return []
  const { role, text: content, calls } = message
  return [{ role, content, ...(calls && { toolCalls: calls.map((call) => ({ ...call })) }) }]
}

/** The prompt of a model call. @throws DomainError `run_not_found` */
export async function getRunPrompt(
  { observed }: Pick<Database, 'observed'>,
  { organizationId }: BuilderCaller,
  { runId, promptId: given }: { runId: IdText<AnyRunId>; promptId: IdText<PromptId> },
): Promise<RunPrompt> {
  const id = parseId(RunId, runId)
  const found = id && (await observed.prompts(organizationId, id))
  if (!found) throw observedRunNotFound()
  // A prompt contains both, because answers and tool results become part of the next prompt.
  if (!found.readable.inputs || !found.readable.outputs) {
    throw new DomainError('run_not_found', 'An agent of this run keeps its texts out of traces.')
  }
  const promptId = parseId(PromptId, given)
  const part = found.parts.find(({ prompts }) => prompts.some(({ id }) => id === promptId))
  const prompt = part?.prompts.find(({ id }) => id === promptId)
  if (!part || !prompt) throw new DomainError('run_not_found', 'The prompt of this call is not kept.')
  const messages = new Map<number, SentMessage>()
  // A repeated write may have stored the same message twice.
  for (const one of found.parts.filter(({ series }) => series === part.series)) {
    for (const [at, sent] of one.messages.entries()) messages.set(one.from + at, sent)
  }
  const { tools, toolChoice, isJson, leftOut } = prompt
  return {
    messages: prompt.messages.flatMap(([from, end]) => {
      const numbers = Array.from({ length: end - from }, (_, at) => from + at)
      return numbers.flatMap((number) => presentMessage(messages.get(number)))
    }),
    tools: [...tools],
    toolChoice,
    isJson,
    leftOut,
  }
}
