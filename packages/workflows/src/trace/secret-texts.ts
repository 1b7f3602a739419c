import { redactJsonWebTokens } from './json-web-tokens.ts'

/** What stands in place of a secret. */
export const REDACTED = '[redacted]'

const NAME =
  /passw|passphrase|secret(?!ar)|credential|authorization|cookie|(api|private|access|signing)[-_ ]?key|token$/i

/** Whether a key names a secret. Counts of tokens are none. */
export function isSecretName(name: string): boolean {
  return NAME.test(name)
}

/** What a secret looks like wherever it stands; a first group is kept. No shape can begin inside another try of itself. */
const SHAPES: readonly RegExp[] = [
  // Authorization headers, and credentials in addresses.
  /\b((?:Bearer|Basic|Digest) +)[\w.~+/=-]{8,}/gi,
  /(\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)/g,
  // Keys of ours, and of the services that people use most.
  /\b()(?:trp|whs)_[A-Za-z0-9]{16,}/g,
  /\b()(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b()(?:gh[opsur]|github_pat|glpat|xox[abeoprs]|hf|gsk|xai|npm|dop_v1|shpat)[-_][A-Za-z0-9_-]{10,}/g,
  /\b()(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b()AIza[\w-]{35}/g,
  /\b()SG\.[\w-]{16,}\.[\w-]{16,}/g,
  /()-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\w\s+/=-]{1,20000}/g,
]

/** A text without what looks like a secret, and without the values that are known to be one. */
export function redactText(text: string, values: readonly string[]): string {
  let redacted = text
  for (const value of values) redacted = redacted.replaceAll(value, REDACTED)
  redacted = redactJsonWebTokens(redacted, REDACTED)
  for (const shape of SHAPES) redacted = redacted.replace(shape, (_, kept: string) => `${kept}${REDACTED}`)
  return redacted
}
