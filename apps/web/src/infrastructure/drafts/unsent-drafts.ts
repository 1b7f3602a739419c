import { DRAFTS, keysBelow } from '../storage/browser-database.ts'

/** How many edits of a person this browser keeps that were never sent. */
export async function countUnsentDrafts(userId: string): Promise<number> {
  const keys = await keysBelow(`${DRAFTS}${userId}/`).catch(() => [])
  return keys.length
}
