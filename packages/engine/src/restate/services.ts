import { AnyRunId, parseId } from '@troupe/contract'
import type { Delivery, Lane } from '@troupe/durable-work'

/** The Restate service of each lane. An incompatible input needs a new name, never a changed handler. */
export const SERVICES: Readonly<Record<Lane, string>> = {
  jobs: 'troupe-jobs',
  workflows: 'troupe-workflows',
}

/** The data that Restate stores for a delivery. */
export type DeliveryInput = Pick<Delivery, 'runId' | 'slice'>

/** The idempotency key, which Restate remembers until 24 hours after the invocation ends. */
export function idempotencyKey({ runId, slice }: DeliveryInput): string {
  return `${runId}:${slice}`
}

/** Parses the input of a delivery; null for input that no Troupe process has sent. */
export function readInput(input: unknown): DeliveryInput | null {
  if (typeof input !== 'object' || input === null || !('runId' in input && 'slice' in input)) return null
  const { runId: text, slice } = input
  const runId = typeof text === 'string' ? parseId(AnyRunId, text) : null
  if (runId === null) return null
  return typeof slice === 'number' && Number.isSafeInteger(slice) && slice >= 0 ? { runId, slice } : null
}
