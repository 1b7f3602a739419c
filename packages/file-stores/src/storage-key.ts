import { randomToken } from '@troupe/secrets'

const KEY = /^[a-z][a-z-]{0,30}\/[0-9A-Za-z]{2}\/[0-9A-Za-z]{43}$/

/** A key for a new file: `form-uploads/Ab/…`, 256 random bits. The middle segment keeps folders small. */
export function newStorageKey(folder: 'form-uploads' | 'knowledge'): string {
  const token = randomToken()
  return `${folder}/${token.slice(-2)}/${token}`
}

/**
 * @throws TypeError for any key that {@link newStorageKey} cannot create: a key must never lead out of the
 * store
 */
export function requireStorageKey(key: string): string {
  if (!KEY.test(key)) throw new TypeError('not a storage key')
  return key
}
