import type { ReactNode } from 'react'
import { knownWords } from '../../core/messages/en/parts/known.ts'
import { MomentText } from './moment-text.tsx'
import styles from './panels.module.css'
import { ErrorPanel, Skeleton } from './panels.tsx'

/** The state of a question to the server, as `useOperation` returns it. */
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
  /** What could not be done: "The agents could not be loaded". */
  failed: string
  /** Lines of the skeleton; 4 when absent. */
  lines?: number
  /** Instead of the skeleton: the frame of what will be there. */
  waiting?: ReactNode
  children(data: T): ReactNode
}

/**
 * What an answer shows, or its state: grey lines before the first answer, the error with *Retry* in its place. An answer
 * that is there stays below the error of a later question. One of an earlier visit says of when it is.
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

/** What is to say above an answer: the error of the last question with *Retry*, and of when an answer of an earlier visit is. */
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
