import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { KNOWLEDGE_TOOL } from '../knowledge/agent-knowledge.ts'
import type { HistoryCall, HistoryRun } from '../ports/session-state.ts'

/** A step of a model as later steps see it: its text with its calls, then their results. */
export function toolMessages(text: string, calls: readonly HistoryCall[]): LanguageModelV4Prompt {
  return [
    {
      role: 'assistant',
      content: [
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ...calls.map((call) => ({
          type: 'tool-call' as const,
          toolCallId: call.id,
          toolName: call.name,
          input: call.arguments,
        })),
      ],
    },
    {
      role: 'tool',
      content: calls.map((call) => ({
        type: 'tool-result' as const,
        toolCallId: call.id,
        toolName: call.name,
        output: { type: 'text' as const, value: call.result },
      })),
    },
  ]
}

/** A result without the numbers of passages: only the run that found them can cite them. */
function earlierResult({ name, result }: HistoryCall): string {
  // A quote inside a passage's text is escaped, so that only the property matches.
  return name === KNOWLEDGE_TOOL ? result.replaceAll(/"n":\d{1,9},/g, '') : result
}

/**
 * The messages of the tool calls of earlier runs, for each run in order. Their ids are unique in the prompt: those of
 * the run itself begin with `call_`.
 */
export function earlierToolMessages(history: readonly HistoryRun[]): LanguageModelV4Prompt[] {
  const namesakes = new Map<number, number>()
  return history.map(({ seq, steps }) => {
    // Several runs of one member may belong to the same turn of its team.
    const nth = (namesakes.get(seq) ?? 0) + 1
    namesakes.set(seq, nth)
    const prefix = nth === 1 ? `run${seq}` : `run${seq}_${nth}`
    return (steps ?? []).flatMap(({ text, calls }) => {
      const renamed = calls.map((call) => ({
        ...call,
        id: `${prefix}_${call.id}`,
        result: earlierResult(call),
      }))
      return toolMessages(text, renamed)
    })
  })
}

/** The prompt without tool calls and their results: several providers refuse them in a call that offers no tools. */
export function withoutToolMessages(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.filter(({ role, content }) => {
    if (role === 'tool') return false
    return typeof content === 'string' || !content.some(({ type }) => type === 'tool-call')
  })
}
