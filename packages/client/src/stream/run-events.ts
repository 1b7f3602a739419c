import { isJsonObject, STREAM_EVENTS, TERMINAL_EVENTS } from '@troupe/contract'

/** What every event of a run has, whatever its name. */
export interface AnyRunEvent {
  event: string
  runId: string
  /** 1, 2, … within the run. */
  seq: number
}

/** Reads the data of one event; null when it is not an event of a run. */
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

/** Whether this version knows the event. Others come from a newer server and are passed over. */
export function isKnown(event: AnyRunEvent): boolean {
  return Object.hasOwn(STREAM_EVENTS, event.event)
}

/** Whether the event is the last one of its run. */
export function isTerminal(event: AnyRunEvent): boolean {
  return TERMINAL_EVENTS.some((name) => name === event.event)
}
