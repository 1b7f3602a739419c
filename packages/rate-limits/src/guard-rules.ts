/** One limit of an endpoint that needs no key. */
export interface GuardRule {
  /** Unique; the name of its counters. */
  name: string
  /** What is counted together. */
  per: 'ip' | 'token' | 'ip and token'
  limit: number
  windowSeconds: number
}

const MINUTE = 60

/**
 * Every limit of the endpoints that need no key. The rules of one endpoint are asked in their order, the widest of an address
 * first: a request that is refused there opens no counter for a token that somebody made up.
 */
export const GUARD_RULES = {
  webhook: [{ name: 'webhook', per: 'ip', limit: 600, windowSeconds: MINUTE }],
  formRead: [
    { name: 'forms', per: 'ip', limit: 1_200, windowSeconds: MINUTE },
    { name: 'form-read', per: 'ip and token', limit: 120, windowSeconds: MINUTE },
    { name: 'form', per: 'token', limit: 600, windowSeconds: MINUTE },
  ],
  /** Submissions and uploads together. */
  formWrite: [
    { name: 'forms', per: 'ip', limit: 1_200, windowSeconds: MINUTE },
    { name: 'form-write', per: 'ip and token', limit: 60, windowSeconds: MINUTE },
    { name: 'form', per: 'token', limit: 600, windowSeconds: MINUTE },
  ],
  /** Pages of reviews: whoever has a link, and everybody who tries one. */
  review: [
    { name: 'reviews', per: 'ip', limit: 600, windowSeconds: MINUTE },
    { name: 'review', per: 'ip and token', limit: 120, windowSeconds: MINUTE },
  ],
} as const satisfies Record<string, readonly GuardRule[]>

/** What counts failures only: the endpoint stays open for whoever knows the secret. */
export const FAILURE_RULES = {
  webhook: { name: 'webhook-failed', per: 'ip and token', limit: 60, windowSeconds: MINUTE },
  formPassword: { name: 'form-password', per: 'ip and token', limit: 10, windowSeconds: 15 * MINUTE },
} as const satisfies Record<string, GuardRule>

/** An endpoint that needs no key. */
export type UnauthenticatedEndpoint = keyof typeof GUARD_RULES
/** A secret that can be wrong. */
export type FailureKind = keyof typeof FAILURE_RULES
