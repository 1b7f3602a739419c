import type { ReactNode } from 'react'
import { ErrorPanel, Skeleton } from './panels.tsx'

/** The state of a question to the server, as `useOperation` returns it. */
export interface AskedState<T> {
  data: T | undefined
  failure: { message: string; requestId: string | null } | null
  isFetching: boolean
  retry(): void
}

export interface AskedPanelProps<T> {
  asked: AskedState<T>
  /** What could not be done: "The agents could not be loaded". */
  failed: string
  /** Lines of the skeleton; 4 when absent. */
  lines?: number
  children(data: T): ReactNode
}

/**
 * What an answer shows, or its state: grey lines before the first answer, the error with *Retry* in its place. An answer
 * that is there stays below the error of a later question.
 */
export function AskedPanel<T>({ asked, failed, lines = 4, children }: AskedPanelProps<T>) {
  const { data, failure, isFetching, retry } = asked
  const error = failure && (
    <ErrorPanel
      title={failed}
      message={failure.message}
      requestId={failure.requestId}
      onRetry={retry}
      isRetrying={isFetching}
    />
  )
  if (data === undefined) return error ?? <Skeleton lines={lines} />
  return (
    <>
      {error}
      {children(data)}
    </>
  )
}
