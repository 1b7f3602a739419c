import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { memoriesBlock } from '../memory/recall.ts'
import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { HistoryRun } from '../ports/run-store.ts'

/** The inputs of one answer's prompt. */
export interface PromptParts {
  agent: AgentSnapshot
  summary: string | null
  /** What is kept about the user. */
  memories?: readonly string[]
  history: readonly HistoryRun[]
  message: string
  /** What is said about the agent's skills; empty without skills. */
  skills: string
  /** Milliseconds since the epoch. */
  now: number
}

function localTime(now: number, timeZone: string): string {
  const text = new Date(now).toLocaleString('sv-SE', { timeZone })
  return `${text.replace(' ', 'T')} (${timeZone})`
}

/** Static parts first, the clock last: providers cache the longest common prefix. */
function systemText({ agent, summary, memories, skills, now }: PromptParts): string {
  const { instructions, prompt } = agent.config
  const parts = [instructions]
  if (prompt.add_agent_name) parts.push(`Your name is ${agent.name}.`)
  if (prompt.expected_output) parts.push(`<expected_output>\n${prompt.expected_output}\n</expected_output>`)
  parts.push(skills)
  if (summary) {
    parts.push(
      `<conversation_summary>\nMay be outdated; newer messages win.\n${summary}\n</conversation_summary>`,
    )
  }
  const remembered = memoriesBlock(memories ?? [])
  if (remembered !== null) parts.push(remembered)
  if (prompt.add_datetime) parts.push(`The current time is ${localTime(now, prompt.timezone)}.`)
  return parts.filter((part) => part !== '').join('\n\n')
}

function user(text: string): LanguageModelV4Prompt[number] {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function assistant(text: string): LanguageModelV4Prompt[number] {
  return { role: 'assistant', content: [{ type: 'text', text }] }
}

/** Marks a cancelled run's text, so that the model does not take it for a finished answer. */
function reply(run: HistoryRun): string {
  if (run.status === 'completed') return run.content || '(no text)'
  return run.content ? `${run.content} (stopped by the user)` : '(stopped by the user)'
}

/**
 * The provider prompt: instructions, then earlier runs as user/assistant pairs, then the new message. Roles
 * always alternate and no text part is empty, because several providers reject either.
 */
export function buildPrompt(parts: PromptParts): LanguageModelV4Prompt {
  const system = systemText(parts)
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...parts.history.flatMap((run) => [user(run.input), assistant(reply(run))]),
    user(parts.message),
  ]
}
