import { createHash, hash } from 'node:crypto'
import { base62, randomToken } from './random-token.ts'

const PREFIX = 'trp_'
const CHECKSUM_LENGTH = 6
const SHORTEST = 8
const LONGEST = 200

function checksum(text: string): string {
  const digest = createHash('sha256').update(text).digest()
  return base62(digest.readBigUInt64BE() % 62n ** BigInt(CHECKSUM_LENGTH), CHECKSUM_LENGTH)
}

/**
 * Creates an API key: `trp_`, 256 random bits in base62, and a checksum by which scanners recognise leaked
 * keys.
 */
export function mintApiKeySecret(): string {
  const body = randomToken()
  return `${PREFIX}${body}${checksum(body)}`
}

/**
 * The stored lookup value of a key: SHA-256, hex. The secret has 256 bits of entropy, so no salt is needed.
 */
export function hashApiKeySecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Whether a header value has the form of a key. Any other value is refused without a database query. */
export function mayBeApiKeySecret(value: unknown): value is string {
  return typeof value === 'string' && value.length >= SHORTEST && value.length <= LONGEST
}
