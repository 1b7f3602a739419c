import type { Database } from '@troupe/database'

/**
 * Deletes the sign-in sessions that have expired by `now` (milliseconds since the epoch): the sign-in library deletes one
 * only when its cookie comes once more.
 */
export async function deleteExpiredSessions(rows: Database['signIn'], now: number): Promise<void> {
  const isOver = { field: 'expiresAt', operator: 'lt', value: new Date(now), connector: 'AND' } as const
  await rows.delete('session', [isOver])
}
