import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'

/** No tool can have this name, so the server answers which names there are, and calls none. */
const NO_TOOL = '?'
const ANSWER = 'must be one of: '

export interface ToolNames {
  names: readonly string[]
  /** Whether the server has answered, with names or without. */
  isAnswered: boolean
  isPending: boolean
  /** Why there is no answer. */
  failure: CallFailure | null
  find(tool: Readonly<Record<string, unknown>>): void
}

/** The names of the tools that a configuration gives. */
export function useToolNames(): ToolNames {
  const test = useChange('testTool')
  const message = fieldFailure(test.failure, 'name')
  return {
    names: message?.startsWith(ANSWER) ? message.slice(ANSWER.length).split(', ') : [],
    isAnswered: message !== null,
    isPending: test.isPending,
    failure: formFailure(test.failure, ['name']),
    find: (tool) => void test.run({ body: { tool: { ...tool }, name: NO_TOOL } }),
  }
}
