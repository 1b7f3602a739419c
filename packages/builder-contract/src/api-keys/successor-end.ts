import type { ApiKey } from './api-key.ts'

/**
 * When a key that is made to replace another one ends: it lives as long as the old one was made to live. In milliseconds since the
 * epoch; null: never.
 */
export function successorEnd(
  { createdAt, expiresAt }: Pick<ApiKey, 'createdAt' | 'expiresAt'>,
  nowMs: number,
): number | null {
  return expiresAt === null ? null : nowMs + Date.parse(expiresAt) - Date.parse(createdAt)
}
