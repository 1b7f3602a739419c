import { redactJsonWebTokens } from './json-web-tokens.ts'

/** The replacement for a secret. */
export const REDACTED = '[redacted]'

const NAME =
  /passw|passphrase|secret(?!ar)|credential|authorization|cookie|(api|private|access|signing)[-_ ]?key|token$/i

/** Whether a key names a secret. Token counts do not. */
export function isSecretName(name: string): boolean {
  return NAME.test(name)
}

/**
 * Patterns of secrets anywhere in a text; a first group is kept. No pattern can match a start inside its own
 * attempt, which would be quadratic.
 */
const SHAPES: readonly RegExp[] = [
  // Authorization headers, and credentials in addresses.
  /\b((?:Bearer|Basic|Digest) +)[\w.~+/=-]{8,}/gi,
  /(\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)/g,
  // Keys of this platform and of widely used services.
  /\b()(?:trp|whs)_[A-Za-z0-9]{16,}/g,
  /\b()(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b()(?:gh[opsur]|github_pat|glpat|xox[abeoprs]|hf|gsk|xai|npm|dop_v1|shpat)[-_][A-Za-z0-9_-]{10,}/g,
  /\b()(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b()AIza[\w-]{35}/g,
  /\b()SG\.[\w-]{16,}\.[\w-]{16,}/g,
  /()-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\w\s+/=-]{1,20000}/g,
]

/** Removes everything that looks like a secret, and every known secret value. */
export function redactText(text: string, values: readonly string[]): string {
  let redacted = text
  for (const value of values) redacted = redacted.replaceAll(value, REDACTED)
  redacted = redactJsonWebTokens(redacted, REDACTED)
  for (const shape of SHAPES) redacted = redacted.replace(shape, (_, kept: string) => `${kept}${REDACTED}`)
  return redacted
}
