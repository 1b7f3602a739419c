import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { toolOutputText } from '@troupe/agents/ports'
import { type Directives, mergeDirectives, parseDirectives } from './directives.ts'

/** A prompt as the sandbox sees it. */
export interface PromptReading {
  /** The last user message, without directives. */
  message: string
  /** Directives of the last user message, then of the instructions. */
  directives: Directives
  /** Results of tools since the last user message, oldest first. */
  results: { toolName: string; text: string }[]
  /** All texts of the prompt, for counting tokens. */
  text: string
}

/** Reads a prompt; earlier user messages are ignored, so that an old directive has no effect. */
export function readPrompt(prompt: LanguageModelV4Prompt): PromptReading {
  let instructions = ''
  let message = ''
  let results: PromptReading['results'] = []
  const texts: string[] = []
  for (const turn of prompt) {
    if (turn.role === 'system') {
      instructions += `${turn.content}\n`
      texts.push(turn.content)
    } else if (turn.role === 'tool') {
      for (const part of turn.content) {
        if (part.type !== 'tool-result') continue
        results.push({ toolName: part.toolName, text: toolOutputText(part.output) })
      }
    } else {
      const text = turn.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      texts.push(text)
      if (turn.role !== 'user') continue
      message = text
      results = []
    }
  }
  const own = parseDirectives(message)
  return {
    message: own.text,
    directives: mergeDirectives(own.directives, parseDirectives(instructions).directives),
    results,
    text: [...texts, ...results.map((result) => result.text)].join(' '),
  }
}
