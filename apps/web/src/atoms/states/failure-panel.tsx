import { ErrorPanel } from './panels.tsx'

export interface FailurePanelProps {
  /** What could not be done: "The key was not revoked". */
  title: string
  /** null: it did not fail, and nothing is shown. */
  failure: { readonly message: string; readonly requestId: string | null } | null
}

/** Why a change failed, in the place where it was asked for. */
export function FailurePanel({ title, failure }: FailurePanelProps) {
  if (failure === null) return null
  return <ErrorPanel title={title} message={failure.message} requestId={failure.requestId} />
}
