import { problemSentence } from '../../core/forms/problem-sentence.ts'
import { toolSettingLabel } from '../../core/labels/setting-labels.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'

/** The same failure with what is wrong with the tool in the words of its form. */
export function toolFailure(failure: CallFailure | null): CallFailure | null {
  if (failure === null || failure.errors.length === 0) return failure
  return failure.withErrors(
    failure.errors.map(({ path, message }) =>
      path.startsWith('tool.')
        ? {
            path: `${toolSettingLabel(path.slice('tool.'.length))}:`,
            message: problemSentence(message) ?? '',
          }
        : { path, message },
    ),
  )
}
