import type { Delivery, Lane } from '@troupe/turns'

/** Name of the Restate service of each lane. A changed shape of its input is a new name, never a changed handler. */
export const SERVICES: Readonly<Record<Lane, string>> = {
  jobs: 'troupe-jobs',
  workflows: 'troupe-workflows',
}

/** All that Restate stores of a delivery. */
export type DeliveryInput = Pick<Delivery, 'runId' | 'slice'>

/** What keeps Restate from taking a delivery twice, for 24 hours after its end. */
export function idempotencyKey({ runId, slice }: DeliveryInput): string {
  return `${runId}:${slice}`
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Reads what arrived at the worker's port; null for anything that no Troupe process has sent. */
export function readInput(input: unknown): DeliveryInput | null {
  if (typeof input !== 'object' || input === null || !('runId' in input && 'slice' in input)) return null
  const { runId, slice } = input
  if (typeof runId !== 'string' || !UUID.test(runId)) return null
  return typeof slice === 'number' && Number.isSafeInteger(slice) && slice >= 0 ? { runId, slice } : null
}
