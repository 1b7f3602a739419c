import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider'

/** The text of a tool's result for a model; parts other than text are only named. */
export function toolOutputText(output: LanguageModelV4ToolResultPart['output']): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value) ?? ''
    case 'execution-denied':
      return output.reason ?? '[denied]'
    case 'content':
      return output.value.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n')
    default:
      return output satisfies never
  }
}
