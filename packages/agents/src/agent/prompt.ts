import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { earlierAnswer, earlierState } from '../memory/earlier-answer.ts'
import { memoriesBlock } from '../memory/recall.ts'
import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { HistoryRun } from '../ports/session-state.ts'
import type { VoiceChannel } from '../voice/voice-channel.ts'
import { voicePrompt } from '../voice/voice-prompt.ts'
import { assistantMessage, earlierToolMessages } from './tool-messages.ts'

/** A part of the system text, with the setting that it comes from. */
interface PromptSegment {
  from: string
  text: string
}

/** The inputs of one answer's prompt. */
export interface PromptParts {
  agent: AgentSnapshot
  summary: string | null
  /** Memories about the user. */
  memories?: readonly string[]
  history: readonly HistoryRun[]
  message: string
  /** The agent's skills; empty without skills. */
  skills: string
  /** Absent for text. */
  voice?: VoiceChannel
  /** Milliseconds since the epoch. */
  now: number
  /** Called with the parts of the system text. */
  explain?: (segments: readonly PromptSegment[]) => void
}

function localTime(now: number, timeZone: string): string {
  const text = new Date(now).toLocaleString('sv-SE', { timeZone })
  return `${text.replace(' ', 'T')} (${timeZone})`
}

/** Static parts first, the clock last: providers cache the longest common prefix. */
function systemSegments({ agent, summary, memories, skills, voice, now }: PromptParts): PromptSegment[] {
  const { instructions, prompt } = agent.config
  const output = prompt.expected_output
  const summarised =
    summary &&
    `<conversation_summary>\nMay be outdated; newer messages win.\n${summary}\n</conversation_summary>`
  const segments = {
    instructions,
    'prompt.add_agent_name': prompt.add_agent_name ? `Your name is ${agent.name}.` : '',
    'prompt.expected_output': output ? `<expected_output>\n${output}\n</expected_output>` : '',
    skills,
    voice: voice ? voicePrompt(voice) : '',
    'memory.summary': summarised,
    'memory.user_memories': memoriesBlock(memories ?? []),
    'prompt.add_datetime': prompt.add_datetime
      ? `The current time is ${localTime(now, prompt.timezone)}.`
      : '',
  }
  return Object.entries(segments).flatMap(([from, text]) => (text ? [{ from, text }] : []))
}

function user(text: string): LanguageModelV4Prompt[number] {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function assistant(run: HistoryRun): LanguageModelV4Prompt[number] {
  return assistantMessage({ text: earlierAnswer(run), calls: [], state: earlierState(run) })
}

/**
 * The provider prompt: instructions, then earlier runs from the user's message to the answer, then the new message. Roles
 * always alternate and no text part is empty, because several providers reject either.
 */
export function buildPrompt(parts: PromptParts): LanguageModelV4Prompt {
  const segments = systemSegments(parts)
  parts.explain?.(segments)
  const tools = earlierToolMessages(parts.history)
  const system = segments.map(({ text }) => text).join('\n\n')
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...parts.history.flatMap((run, at) => [user(run.input), ...(tools[at] ?? []), assistant(run)]),
    user(parts.message),
  ]
}
