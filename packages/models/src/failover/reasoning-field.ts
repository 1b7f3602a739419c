import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { ModelTarget } from '@troupe/agents/ports'

const DEEPSEEK_HOST = /(^|\.)deepseek\.com$/
const DEEPSEEK_MODEL = /deepseek-v[4-9]/i

type Part = Exclude<LanguageModelV4Prompt[number]['content'], string>[number]

const isReasoning = ({ type }: Part) => type === 'reasoning'

/**
 * Whether every message of the assistant needs the field `reasoning_content`. DeepSeek refuses a conversation with
 * tools in which one lacks it, and accepts an empty one (https://api-docs.deepseek.com/guides/thinking_mode, section
 * Tool Calls). Other servers of its models are recognised by the thoughts that are sent back to them.
 */
export function needsReasoningField(
  { connection, modelId }: ModelTarget,
  prompt: LanguageModelV4Prompt,
): boolean {
  if (connection.providerId !== 'openai-compatible') return false
  const host = URL.parse(connection.baseUrl ?? '')?.hostname ?? ''
  if (DEEPSEEK_HOST.test(host) || DEEPSEEK_MODEL.test(modelId)) return true
  return prompt.some(({ role, content }) => role === 'assistant' && content.some(isReasoning))
}

/** The prompt with an empty `reasoning_content` in each message of the assistant that has no thoughts. */
export function withReasoningField(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map((message) => {
    if (message.role !== 'assistant' || message.content.some(isReasoning)) return message
    const openaiCompatible = { ...message.providerOptions?.openaiCompatible, reasoning_content: '' }
    return { ...message, providerOptions: { ...message.providerOptions, openaiCompatible } }
  })
}
