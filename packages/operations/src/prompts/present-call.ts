import { tokensOf } from '@troupe/agents'
import { TROUPE } from '@troupe/agents/ports'
import { propertyOf } from '@troupe/contract'
import type { ModelCallPreview } from '@troupe/contract/builder'
import type { RehearsedCall } from './rehearsing-models.ts'

type Prompt = RehearsedCall['options']['prompt']

interface Part {
  type: string
  text?: string
  toolName?: string
  input?: unknown
  providerOptions?: unknown
}

/** Reasoning, and texts that are provider state, are never shown. */
function isShown({ type, providerOptions }: Part): boolean {
  return type === 'text' && propertyOf(propertyOf(providerOptions, TROUPE), 'hidden') !== true
}

function messageOf(message: Prompt[number]): ModelCallPreview['messages'] {
  if (message.role === 'system') return []
  if (message.role === 'tool') {
    const texts = message.content.map((part) =>
      part.type === 'tool-result' && part.output.type === 'text' ? part.output.value : '',
    )
    return texts.map((content) => ({ role: 'tool', content }))
  }
  const { role } = message
  const parts: readonly Part[] = message.content
  const content = parts.map((part) => (isShown(part) ? (part.text ?? '') : '')).join('')
  const toolCalls = parts.flatMap(({ type, toolName, input }) =>
    type === 'tool-call' && toolName !== undefined ? [{ name: toolName, arguments: input }] : [],
  )
  return [{ role, content, ...(toolCalls.length > 0 && { toolCalls }) }]
}

/** A call for the builder: without any part of the connection. */
export function presentCall({ options, target }: RehearsedCall): ModelCallPreview {
  const { prompt, tools = [], toolChoice, responseFormat } = options
  const system = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : []))
  return {
    system: system[0] ?? null,
    messages: prompt.flatMap(messageOf),
    tools: tools.flatMap((tool) =>
      tool.type === 'function'
        ? [{ name: tool.name, description: tool.description ?? '', inputSchema: { ...tool.inputSchema } }]
        : [],
    ),
    toolChoice:
      toolChoice === undefined ? null : toolChoice.type === 'tool' ? toolChoice.toolName : toolChoice.type,
    responseSchema:
      responseFormat?.type === 'json' && responseFormat.schema ? { ...responseFormat.schema } : null,
    model: { llmConfigId: target.connection.llmConfigId, modelId: target.modelId },
    estimatedTokens: tokensOf(Buffer.byteLength(JSON.stringify([prompt, tools, responseFormat]))),
  }
}
