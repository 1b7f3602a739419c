import { type IdText, isJsonObject, type RunId, STREAM_EVENTS, TERMINAL_EVENTS } from '@troupe/contract'

/** The fields shared by all events of a run. */
export interface AnyRunEvent {
  event: string
  runId: IdText<RunId>
  /** Sequence number within the run: 1, 2, … */
  seq: number
}

/** Parses the data of one event; null when it is not a run event. */
export function runEventOf(data: string): AnyRunEvent | null {
  try {
    const value: unknown = JSON.parse(data)
    if (!isJsonObject(value)) return null
    const { event, runId, seq } = value
    if (typeof event !== 'string' || typeof runId !== 'string') return null
    return typeof seq === 'number' && Number.isSafeInteger(seq) ? { ...value, event, runId, seq } : null
  } catch {
    return null
  }
}

/** Whether this version knows the event. Unknown events come from a newer server and are skipped. */
export function isKnown(event: AnyRunEvent): boolean {
  return Object.hasOwn(STREAM_EVENTS, event.event)
}

/** Whether the event is the terminal event of its run. */
export function isTerminal(event: AnyRunEvent): boolean {
  return TERMINAL_EVENTS.some((name) => name === event.event)
}
