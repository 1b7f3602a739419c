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

/** A new API key: `trp_`, 256 random bits in base62 and a checksum, so that scanners recognise a leaked one. */
export function mintApiKeySecret(): string {
  const body = randomToken()
  return `${PREFIX}${body}${checksum(body)}`
}

/** What is stored and looked up instead of the secret: SHA-256, hex. The secret has 256 bits, so it needs no salt. */
export function hashApiKeySecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Whether a header value can be a key at all. Anything else is refused without asking the database. */
export function mayBeApiKeySecret(value: unknown): value is string {
  return typeof value === 'string' && value.length >= SHORTEST && value.length <= LONGEST
}
