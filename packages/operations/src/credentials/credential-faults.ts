import type { CredentialKind, FieldError } from '@troupe/contract'

/** What is given of a credential. */
export interface GivenCredential {
  kind: CredentialKind
  username?: string | null | undefined
  field?: string | null | undefined
  /** Absent: the stored one stays. */
  secret?: string | undefined
}

/** A field that a kind needs or does not have. */
const FIELDS: readonly [field: 'username' | 'field', kinds: readonly CredentialKind[]][] = [
  ['username', ['basic']],
  ['field', ['header', 'query']],
]

/** What cannot be sent so, with the paths of the fields. */
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
  // A header cannot carry it, and the text of a basic credential ends its user name at the first colon.
  if (secret !== undefined && /[^\x21-\x7e]/.test(secret) && kind !== 'query') {
    if (kind !== 'basic' || /[\r\n\0]/.test(secret)) {
      faults.push({ path: 'secret', message: 'must be printable ASCII without spaces' })
    }
  }
  if (username?.includes(':')) faults.push({ path: 'username', message: 'must not contain a colon' })
  return faults
}
