import { useState } from 'react'
import type { FailurePanelProps } from '../../atoms/states/failure-panel.tsx'
import type { AnswerOf } from '../../infrastructure/client/operation-types.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { type ToolLabelOf, toolFailure } from './tool-failure.ts'

export interface ToolNames {
  names: readonly string[]
  /** Tools in the configuration that agents do not get. */
  leftOut: readonly { name: string; reason: string }[]
  /** Whether the configuration was read and provides no tool. */
  isEmpty: boolean
  isPending: boolean
  /** The reason why there is no response, or why the tools can't be listed. */
  failure: FailurePanelProps['failure']
  find(tool: Readonly<Record<string, unknown>>): void
}

/** The names of the tools of a configuration, as the server lists them. */
export function useToolNames(labelOf?: ToolLabelOf): ToolNames {
  const listing = useChange('listOfferedTools')
  const [answer, setAnswer] = useState<AnswerOf<'listOfferedTools'> | null>(null)
  const find = async (tool: Readonly<Record<string, unknown>>) => {
    setAnswer(null)
    const done = await listing.run({ body: { tool: { ...tool } } })
    setAnswer(done?.answer ?? null)
  }
  const { names, leftOut, problem } = answer ?? { names: [], leftOut: [], problem: null }
  return {
    names,
    leftOut,
    isEmpty: answer !== null && problem === null && names.length === 0,
    isPending: listing.isPending,
    failure:
      toolFailure(listing.failure, labelOf) ??
      (problem === null ? null : { message: problem, requestId: null }),
    find: (tool) => void find(tool),
  }
}
