import { pathWords } from '../../core/format/path-words.ts'
import { ErrorPanel } from './panels.tsx'

const MOST_ERRORS = 5

export interface FailurePanelProps {
  /** The failed action: "The key was not revoked". */
  title: string
  /** null: it did not fail, and nothing is shown. */
  failure: {
    readonly message: string
    readonly requestId: string | null
    /** The errors of the request, by path; the first five are shown. */
    readonly errors?: readonly { readonly path: string; readonly message: string }[]
  } | null
}

/** The reason of a failed change, at the place of its trigger. */
export function FailurePanel({ title, failure }: FailurePanelProps) {
  if (failure === null) return null
  const { message, errors = [], requestId } = failure
  const faults = errors
    .slice(0, MOST_ERRORS)
    .map((error) => `${pathWords(error.path)} ${error.message}.`.trimStart())
  return <ErrorPanel title={title} message={[message, ...faults].join(' ')} requestId={requestId} />
}
