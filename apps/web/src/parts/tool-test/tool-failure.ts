import { problemSentence } from '../../core/forms/problem-sentence.ts'
import { toolTestWords as words } from '../../core/messages/en/resources/tool-test.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'

/** The label of a tool's setting, by its key. The labels of an agent's tools come from their form: other pages load without them. */
export type ToolLabelOf = (key: string) => string

/** The same failure with the tool's errors in the words of the page. */
export function toolFailure(
  failure: CallFailure | null,
  labelOf: ToolLabelOf = (key) => key,
): CallFailure | null {
  if (failure === null || failure.errors.length === 0) return failure
  return failure.withErrors(
    failure.errors.map(({ path, message }) => {
      if (path === 'name') return { path: words.thisTool, message: words.notGiven }
      return path.startsWith('tool.')
        ? { path: `${labelOf(path.slice('tool.'.length))}:`, message: problemSentence(message) ?? '' }
        : { path, message }
    }),
  )
}
