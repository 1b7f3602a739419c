import type { Database } from '@troupe/storage'

/**
 * Deletes the sessions that expired by `now` (milliseconds since the epoch): the sign-in library deletes an
 * expired session only when its cookie is presented again.
 */
export async function deleteExpiredSessions(rows: Database['signIn'], now: number): Promise<void> {
  const isOver = { field: 'expiresAt', operator: 'lt', value: new Date(now), connector: 'AND' } as const
  await rows.delete('session', [isOver])
}
