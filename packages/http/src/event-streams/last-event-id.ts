import { invalidField } from '@troupe/contract'
import type { FastifyRequest } from 'fastify'

const LAST_EVENT = 2_147_483_647

/**
 * `Last-Event-ID` (sent by browsers) takes precedence over `?last_event_id=`; 0 without either.
 *
 * @throws DomainError `validation_error`.
 */
export function lastEventId(request: FastifyRequest, fromQuery: number | undefined): number {
  const header = request.headers['last-event-id']
  if (header === undefined) return fromQuery ?? 0
  // Event ids fit into four bytes; a reader that claims a higher one has seen every event.
  if (typeof header === 'string' && /^\d*$/.test(header)) return Math.min(Number(header), LAST_EVENT)
  throw invalidField('Last-Event-ID', 'must be the id of an event')
}
