const SHORTEST = 24
/** Only this many characters of a longer secret are checked. */
const JUDGED = 200
const FEWEST_CHARACTERS = 8
/** Minimum number of different distances between neighbouring characters; a sequence such as `abcdef` has one. */
const FEWEST_STEPS = 6
const HINT = '`openssl rand -hex 32` makes one'

/**
 * The reason that a chosen secret is weaker than a random one; null when it is not. It is stored as an unsalted hash,
 * so it must withstand guessing as a random secret does. Fewer than one in ten million random secrets of 32 hex digits
 * or 24 base64 characters are refused.
 */
export function weakSecretFault(given: string): string | null {
  const secret = given.slice(0, JUDGED)
  if (secret.length < SHORTEST) return `must have at least ${SHORTEST} characters; ${HINT}`
  if (new Set(secret).size < FEWEST_CHARACTERS) {
    return `must have at least ${FEWEST_CHARACTERS} different characters, as a random secret has; ${HINT}`
  }
  const repeats = (secret + secret).indexOf(secret, 1) < secret.length
  if (repeats || stepsOf(secret).size < FEWEST_STEPS) {
    return `must not be a repetition or a sequence of characters; ${HINT}`
  }
  return null
}

function stepsOf(secret: string): Set<number> {
  const codes = Array.from(secret, (character) => character.charCodeAt(0))
  return new Set(codes.slice(1).map((code, at) => code - (codes[at] ?? 0)))
}
