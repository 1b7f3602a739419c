import type { CredentialKind, FieldError } from '@troupe/contract'

/** The fields of a credential in a request. */
export interface GivenCredential {
  kind: CredentialKind
  username?: string | null | undefined
  field?: string | null | undefined
  /** Absent: the stored one is kept. */
  secret?: string | undefined
}

/** A field that a kind needs, or must not have. */
const FIELDS: readonly [field: 'username' | 'field', kinds: readonly CredentialKind[]][] = [
  ['username', ['basic']],
  ['field', ['header', 'query']],
]

/** Faults of values that cannot be sent, with the paths of their fields. */
export function credentialFaults(given: GivenCredential): FieldError[] {
  const { kind, username, secret } = given
  const faults: FieldError[] = FIELDS.flatMap(([field, kinds]) => {
    const isNeeded = kinds.includes(kind)
    if (isNeeded === (given[field] != null)) return []
    const message = isNeeded
      ? `is required for a credential of the kind ${kind}`
      : `is not a field of the kind ${kind}`
    return [{ path: field, message }]
  })
  // A header cannot carry the value, and in a basic credential the first colon ends the user name.
  if (secret !== undefined && /[^\x21-\x7e]/.test(secret) && kind !== 'query') {
    if (kind !== 'basic' || /[\r\n\0]/.test(secret)) {
      faults.push({ path: 'secret', message: 'must be printable ASCII without spaces' })
    }
  }
  if (username?.includes(':')) faults.push({ path: 'username', message: 'must not contain a colon' })
  return faults
}
