import { propertyOf, type RunId, type StreamEventName } from '@troupe/contract'
import type { EventSink } from '../run/run-context.ts'

const TEXTS: ReadonlySet<StreamEventName> = new Set(['RunContent', 'RunContentReset', 'ReasoningDelta'])

/**
 * The events of a run whose own texts are held back until they are checked. Events of its members are not held back.
 */
export function heldEvents(events: EventSink | null, runId: RunId): EventSink | null {
  if (!events) return null
  return {
    emit(name, payload) {
      const isOwn = propertyOf(propertyOf(payload, 'source'), 'runId') === runId
      if (!(isOwn && TEXTS.has(name))) events.emit(name, payload)
    },
  }
}
