import type { ApiKeyId, OrganizationId } from '@troupe/contract'

/** How long one window lasts. */
export const WINDOW_SECONDS = 60

/** Whose limits a request counts against: the organization's, and the key's if it came with a key that has one. */
export interface Limited {
  readonly organizationId: OrganizationId
  /** Requests per window of the organization. */
  readonly organizationRpm: number
  /** Requests per window of the key; null: no limit of its own. */
  readonly keyRpm: number | null
  /** null only together with `keyRpm`. */
  readonly keyId: ApiKeyId | null
}

/** One counter within its window. */
export interface Count {
  /** Requests counted so far, this one and refused ones included. */
  used: number
  /** Milliseconds until the window ends; more than 0. */
  resetMs: number
}

/** The counters that a request has met. */
export interface Usage {
  organization: Count
  /** Requests of the key in this window; null for a key without a limit of its own. */
  keyUsed: number | null
}

/**
 * Counts requests in fixed windows. The window of a key is the one of its organization: both end together. A request
 * that exceeds the limit of the organization is not counted for its key.
 */
export interface RateLimiter extends AsyncDisposable {
  /** Counts one request. Never throws: a store that fails is replaced by memory. */
  count(principal: Limited): Promise<Usage>
  /** Counts one event under a name of its own, in a window that begins with the first one. Never throws. */
  hit(name: string, windowSeconds: number): Promise<Count>
  /** What {@link hit} has counted so far; null when no window is open. */
  peek(name: string): Promise<Count | null>
  /** Takes one event back, when its window is still open. */
  takeBack(name: string): Promise<void>
}
