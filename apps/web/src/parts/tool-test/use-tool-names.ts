import { useState } from 'react'
import type { FailurePanelProps } from '../../atoms/states/failure-panel.tsx'
import { listedTools } from '../../core/tools/listed-tools.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import type { AnswerOf } from '../../infrastructure/client/operation-types.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'

/** No tool can have this name, so the server answers which names there are, and calls none. */
const NO_TOOL = '?'

export interface ToolNames {
  names: readonly string[]
  /** Whether the server has answered, with names or without. */
  isAnswered: boolean
  isPending: boolean
  /** Why there is no answer, or why the tools cannot be listed. */
  failure: FailurePanelProps['failure']
  find(tool: Readonly<Record<string, unknown>>): void
}

/** The names of the tools that a configuration gives. */
export function useToolNames(): ToolNames {
  const test = useChange('testTool')
  const [answer, setAnswer] = useState<AnswerOf<'testTool'> | null>(null)
  const message = fieldFailure(test.failure, 'name')
  const { names, problem } = listedTools(message, answer)
  const find = async (tool: Readonly<Record<string, unknown>>) => {
    setAnswer(null)
    const done = await test.run({ body: { tool: { ...tool }, name: NO_TOOL } })
    setAnswer(done?.answer ?? null)
  }
  return {
    names,
    isAnswered: message !== null,
    isPending: test.isPending,
    failure:
      formFailure(test.failure, ['name']) ??
      (problem === null ? null : { message: problem, requestId: null }),
    find: (tool) => void find(tool),
  }
}
