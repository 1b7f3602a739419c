import type { StreamEventName } from '@troupe/contract'
import { canonicalJson } from '@troupe/contract'
import type { StoredEvent } from '../ports/run-store.ts'
import type { EventPayload, RunEvents } from '../stream/run-events.ts'

/**
 * Events that a resumed job would emit again: between two steps, or beside a step that was lost at its
 * commit.
 */
type AnnouncedEvent = Extract<
  StreamEventName,
  | 'MemberRunStarted'
  | 'MemberRunCompleted'
  | 'MemberRunError'
  | 'PlanCreated'
  | 'TaskUpdated'
  | 'TaskIterationStarted'
  | 'TaskIterationCompleted'
  | 'ToolApprovalRequired'
  | 'ToolApprovalResolved'
>
const ANNOUNCED: readonly string[] = [
  'MemberRunStarted',
  'MemberRunCompleted',
  'MemberRunError',
  'PlanCreated',
  'TaskUpdated',
  'TaskIterationStarted',
  'TaskIterationCompleted',
  'ToolApprovalRequired',
  'ToolApprovalResolved',
] satisfies AnnouncedEvent[]

/** An approval that is opened again, because its step was lost, expires later. */
function keyOf(event: string, data: Record<string, unknown>): string {
  if (typeof data.approvalId === 'string') return `${event} ${data.approvalId}`
  const { runId: _, createdAt: __, ...payload } = data
  return `${event} ${canonicalJson(payload)}`
}

/**
 * Emits each of these events once per run: a resumed job runs its straight-line code again, and events
 * already in the log of earlier turns are skipped.
 */
export class Announcer {
  readonly #events: RunEvents | null
  readonly #shown = new Map<string, number>()

  constructor(events: RunEvents | null, log: readonly StoredEvent[]) {
    this.#events = events
    for (const { event, data } of log) {
      if (!ANNOUNCED.includes(event)) continue
      const key = keyOf(event, data)
      this.#shown.set(key, (this.#shown.get(key) ?? 0) + 1)
    }
  }

  tell<N extends AnnouncedEvent>(event: N, payload: EventPayload<N>): void {
    if (!this.#events) return
    const key = keyOf(event, payload as Record<string, unknown>)
    const shown = this.#shown.get(key) ?? 0
    if (shown > 0) this.#shown.set(key, shown - 1)
    else this.#events.emit(event, payload)
  }
}
