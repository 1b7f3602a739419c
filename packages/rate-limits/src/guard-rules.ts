/** One limit of an endpoint that needs no key. */
export interface GuardRule {
  /** Unique; the name of its counters. */
  name: string
  /** The dimension that is counted. */
  per: 'ip' | 'token' | 'ip and token'
  limit: number
  windowSeconds: number
}

const MINUTE = 60

/**
 * The limits of endpoints that need no key. The rules of an endpoint apply in order, the broadest per-address
 * rule first: a request refused there opens no counter for an invented token.
 */
export const GUARD_RULES = {
  webhook: [{ name: 'webhook', per: 'ip', limit: 600, windowSeconds: MINUTE }],
  formRead: [
    { name: 'forms', per: 'ip', limit: 1_200, windowSeconds: MINUTE },
    { name: 'form-read', per: 'ip and token', limit: 120, windowSeconds: MINUTE },
    { name: 'form', per: 'token', limit: 600, windowSeconds: MINUTE },
  ],
  /** Submissions and uploads combined. */
  formWrite: [
    { name: 'forms', per: 'ip', limit: 1_200, windowSeconds: MINUTE },
    { name: 'form-write', per: 'ip and token', limit: 60, windowSeconds: MINUTE },
    { name: 'form', per: 'token', limit: 600, windowSeconds: MINUTE },
  ],
  /** Invitations and password resets: links of 256 random bits, so only their reads are limited. */
  accountLink: [{ name: 'account-links', per: 'ip', limit: 120, windowSeconds: MINUTE }],
  /** Actions of signed-in users in the builder; the token is the user's id. */
  builder: [{ name: 'builder', per: 'token', limit: 1_200, windowSeconds: MINUTE }],
  /** Review pages: visitors with a link, and visitors guessing one. */
  review: [
    { name: 'reviews', per: 'ip', limit: 600, windowSeconds: MINUTE },
    { name: 'review', per: 'ip and token', limit: 120, windowSeconds: MINUTE },
  ],
} as const satisfies Record<string, readonly GuardRule[]>

/**
 * The multiple of one visitor's limit of requests or failures for all visitors of a peer that may be a proxy. The addresses that it reports
 * may be forged, so they alone would limit nobody; and with the limit of one visitor a stranger would lock out all others.
 */
export const VISITORS_OF_A_PEER = 20

/** Rules that count only failures: visitors who know the secret are not limited. */
export const FAILURE_RULES = {
  webhook: { name: 'webhook-failed', per: 'ip and token', limit: 60, windowSeconds: MINUTE },
  /** A correct token is never refused; this limits the log entries and the hashing of wrong ones. */
  adminToken: { name: 'admin-token', per: 'ip', limit: 30, windowSeconds: MINUTE },
  formPassword: { name: 'form-password', per: 'ip and token', limit: 10, windowSeconds: 15 * MINUTE },
} as const satisfies Record<string, GuardRule>

/** An endpoint that needs no key. */
export type UnauthenticatedEndpoint = keyof typeof GUARD_RULES
/** A secret that can be guessed wrong. */
export type FailureKind = keyof typeof FAILURE_RULES
