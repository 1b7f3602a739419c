/** An AES-256-GCM key with the id that envelopes carry. */
export interface EncryptionKey {
  /** 1 to 32 characters of `A-Z a-z 0-9 _ -`. */
  id: string
  /** 32 bytes. */
  key: Buffer
}

const ID = /^[A-Za-z0-9_-]{1,32}$/
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/

/**
 * Parses `id:base64, id:base64, …` or one key without an id (its id is `default`). The first key encrypts,
 * all decrypt.
 *
 * @returns the keys, or one sentence per problem; the sentences never contain key material
 */
export function parseEncryptionKeys(
  text: string,
): { ok: true; keys: readonly [EncryptionKey, ...EncryptionKey[]] } | { ok: false; problems: string[] } {
  const problems: string[] = []
  const keys: EncryptionKey[] = []
  const parts = text.split(',').map((part) => part.trim())
  parts.forEach((part, index) => {
    const colon = part.indexOf(':')
    const id = colon < 0 ? 'default' : part.slice(0, colon)
    const material = part.slice(colon + 1)
    const key = BASE64.test(material) ? Buffer.from(material, 'base64url') : null
    if (!ID.test(id)) {
      problems.push(`Key ${index + 1} must have an id of 1 to 32 letters, digits, _ and - before the colon.`)
    } else if (key?.length !== 32) {
      problems.push(`Key ${index + 1} must be 32 bytes in base64 (openssl rand -base64 32).`)
    } else if (keys.some((known) => known.id === id)) {
      problems.push(`Key ${index + 1} has the same id as an earlier one.`)
    } else {
      keys.push({ id, key })
    }
  })
  const [first, ...rest] = keys
  return first && problems.length === 0 ? { ok: true, keys: [first, ...rest] } : { ok: false, problems }
}
