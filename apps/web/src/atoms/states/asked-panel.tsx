import type { ReactNode } from 'react'
import { knownWords } from '../../core/messages/en/parts/known.ts'
import { MomentText } from './moment-text.tsx'
import styles from './panels.module.css'
import { ErrorPanel, Skeleton } from './panels.tsx'

/** The state of a query, as `useOperation` returns it. */
export interface AskedState<T> {
  data: T | undefined
  failure: { message: string; requestId: string | null } | null
  isFetching: boolean
  /** When `data` was received by an earlier visit, in milliseconds since the epoch; null or absent: it is of this visit. */
  knownAt?: number | null
  retry(): void
}

export interface AskedPanelProps<T> {
  asked: AskedState<T>
  /** The failed action: "The agents could not be loaded". */
  failed: string
  /** Lines of the skeleton; 4 when absent. */
  lines?: number
  /** Instead of the skeleton: the frame of the future content. */
  waiting?: ReactNode
  children(data: T): ReactNode
}

/**
 * The content of a response, or its state: a skeleton before the first response, the error with *Retry* instead of it.
 * An existing response stays below the error of a later request. A response of an earlier visit shows its time.
 */
export function AskedPanel<T>({ asked, failed, lines = 4, waiting, children }: AskedPanelProps<T>) {
  const { data, failure } = asked
  if (data === undefined) {
    return failure ? <AskedNotes asked={asked} failed={failed} /> : (waiting ?? <Skeleton lines={lines} />)
  }
  return (
    <>
      <AskedNotes asked={asked} failed={failed} />
      {children(data)}
    </>
  )
}

/** The notice above a response: the error of the last request with *Retry*, and the time of a response from an earlier visit. */
export function AskedNotes<T>({ asked, failed }: Pick<AskedPanelProps<T>, 'asked' | 'failed'>) {
  const { data, failure, isFetching, knownAt = null, retry } = asked
  return (
    <>
      {failure && (
        <ErrorPanel
          title={failed}
          message={failure.message}
          requestId={failure.requestId}
          onRetry={retry}
          isRetrying={isFetching}
        />
      )}
      {data !== undefined && knownAt !== null && (
        <p role="status" className={styles.known}>
          {knownWords.before}
          <MomentText at={knownAt / 1_000} />
        </p>
      )}
    </>
  )
}
