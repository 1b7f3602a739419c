import type { ApiKeyId, OrganizationId } from '@troupe/contract'

/** Length of one window. */
export const WINDOW_SECONDS = 60

/** The limits a request counts against: the organization's, and the key's if the key has one. */
export interface Limited {
  readonly organizationId: OrganizationId
  /** Requests per window of the organization. */
  readonly organizationRpm: number
  /** Requests per window of the key; null: the key has no limit. */
  readonly keyRpm: number | null
  /** null only together with `keyRpm`. */
  readonly keyId: ApiKeyId | null
}

/** A counter in its current window. */
export interface Count {
  /** Requests counted so far, including this one and refused ones. */
  used: number
  /** Milliseconds until the window ends; always positive. */
  resetMs: number
}

/** The counters after a request. */
export interface Usage {
  organization: Count
  /** Requests of the key in this window; null for a key without a limit. */
  keyUsed: number | null
}

/**
 * Counts requests in fixed windows. A key's window ends together with its organization's. A request beyond
 * the organization's limit is not counted for its key.
 */
export interface RateLimiter extends AsyncDisposable {
  /** Counts one request. Never throws: if the store fails, memory replaces it. */
  count(principal: Limited): Promise<Usage>
  /** Counts one event under a separate name, in a window that starts with the first event. Never throws. */
  hit(name: string, windowSeconds: number): Promise<Count>
  /** The current count of {@link hit}; null when no window is open. */
  peek(name: string): Promise<Count | null>
  /** Undoes one event if its window is still open. */
  takeBack(name: string): Promise<void>
}
