import { DomainError } from '@troupe/contract'
import { type GraphNode, readSchedule } from '@troupe/graph'
import { recurrence } from '@troupe/nodes/recurrence'
import type { NewSchedule } from '@troupe/storage'
import { fireAfter } from './fire-times.ts'

/**
 * The schedule of a Recurrence node in a validated graph; null for every other node.
 *
 * @param publishedAt milliseconds since the epoch; nothing from before it fires
 * @throws DomainError `validation_error` if the graph was not validated
 */
export function newSchedule({ id, type, config }: GraphNode, publishedAt: number): NewSchedule | null {
  if (type !== recurrence.type) return null
  const read = recurrence.read(config)
  const schedule = readSchedule(config)
  if (!read.ok || !schedule.ok) {
    const errors = [read, schedule].flatMap((one) => (one.ok ? [] : one.errors))
    throw new DomainError('validation_error', `The schedule of node "${id}" cannot be read.`, { errors })
  }
  const { overlap, catchUp } = read.value
  return { nodeId: id, config, overlap, catchUp, nextFireAt: fireAfter(schedule.value, publishedAt) }
}
