const SHORTEST_WITH_HINT = 16

/** The last four characters of a secret, for recognition; empty for a short one, where they would help guessing. */
export function secretHint(secret: string): string {
  return secret.length < SHORTEST_WITH_HINT ? '' : secret.slice(-4)
}
