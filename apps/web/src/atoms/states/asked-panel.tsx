import type { ReactNode } from 'react'
import { knownWords } from '../../core/messages/en/parts/known.ts'
import { MomentText } from './moment-text.tsx'
import styles from './panels.module.css'
import { LoadFailure, type LoadFailureProps, Skeleton } from './panels.tsx'

/** The state of a query, as `useOperation` returns it. */
export interface AskedState<T> {
  data: T | undefined
  failure: LoadFailureProps['failure'] | null
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

/** A missing part of at least this many lines leaves room for a block. */
const LINES_OF_BLOCK = 6

/**
 * The content of a response, or its state: a skeleton before the first response, the failure with *Retry* instead of it, in the room
 * of what is missing. An existing response stays below one line about a later failure. A response of an earlier visit shows its time.
 */
export function AskedPanel<T>({ asked, failed, lines = 4, waiting, children }: AskedPanelProps<T>) {
  const { data, failure, isFetching, retry } = asked
  if (data === undefined) {
    if (failure === null) return waiting ?? <Skeleton lines={lines} />
    const look = waiting !== undefined || lines >= LINES_OF_BLOCK ? 'block' : 'row'
    return (
      <LoadFailure title={failed} failure={failure} look={look} onRetry={retry} isRetrying={isFetching} />
    )
  }
  return (
    <>
      <AskedNotes asked={asked} failed={failed} />
      {children(data)}
    </>
  )
}

/** The notice above a response: the failure of a later request with *Retry*, and the time of a response from an earlier visit. */
export function AskedNotes<T>({ asked, failed }: Pick<AskedPanelProps<T>, 'asked' | 'failed'>) {
  const { data, failure, isFetching, knownAt = null, retry } = asked
  return (
    <>
      {failure && (
        <LoadFailure title={failed} failure={failure} look="line" onRetry={retry} isRetrying={isFetching} />
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
