import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { PromptReading } from './prompt-reading.ts'
import type { SandboxSchema } from './sandbox-schema.ts'
import { smallestInstance } from './smallest-instance.ts'
import { firstCharacters } from './words.ts'

const ECHO_CHARACTERS = 400

/** An answer of the sandbox: a text, or tool calls. */
export type SandboxAnswer =
  | { kind: 'text'; text: string }
  | { kind: 'calls'; calls: { name: string; input: unknown }[] }

/** Decides the answer from the prompt, the offered tools and the caller's tool choice and response format. */
export function answerTo(
  reading: PromptReading,
  options: LanguageModelV4CallOptions,
  agentName: string,
): SandboxAnswer {
  const tools = (options.tools ?? []).filter((tool) => tool.type === 'function')
  const choice = options.toolChoice ?? { type: 'auto' }
  const asked = unansweredCalls(reading, tools)

  if (choice.type === 'tool') {
    const tool = tools.find(({ name }) => name === choice.toolName)
    if (tool)
      return { kind: 'calls', calls: [asked.find(({ name }) => name === tool.name) ?? forced(tool, reading)] }
  }
  if (choice.type !== 'none' && asked.length > 0) return { kind: 'calls', calls: asked }
  if (choice.type === 'required' && tools[0]) return { kind: 'calls', calls: [forced(tools[0], reading)] }
  return { kind: 'text', text: textOf(reading, options, agentName) }
}

/** The tool calls that directives request, if the tool is offered and has no result since the last user message. */
function unansweredCalls({ directives, results }: PromptReading, tools: LanguageModelV4FunctionTool[]) {
  const answered = results.map(({ toolName }) => toolName)
  return directives.tools.filter(({ name }) => {
    const index = answered.indexOf(name)
    if (index !== -1) answered.splice(index, 1)
    return index === -1 && tools.some((tool) => tool.name === name)
  })
}

function forced(tool: LanguageModelV4FunctionTool, reading: PromptReading) {
  return { name: tool.name, input: smallestInstance(tool.inputSchema as SandboxSchema, reading.message) }
}

function textOf(reading: PromptReading, options: LanguageModelV4CallOptions, agentName: string): string {
  if (reading.directives.reply !== null) return reading.directives.reply
  if (options.responseFormat?.type === 'json') {
    const schema = (options.responseFormat.schema ?? { type: 'object' }) as SandboxSchema
    return JSON.stringify(smallestInstance(schema, reading.message))
  }
  const asked = new Set(reading.directives.tools.map(({ name }) => name))
  const results = reading.results.filter(({ toolName }) => asked.has(toolName)).map(({ text }) => text)
  const text = results.length > 0 ? results.join('\n') : reading.message
  return `[sandbox] ${agentName}: ${firstCharacters(text, ECHO_CHARACTERS)}`
}
