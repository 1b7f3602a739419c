import { hash } from 'node:crypto'
import type { WorkflowId } from '@troupe/contract'
import type { SecretBox } from '@troupe/secrets'
import type { FormSettings } from '@troupe/storage'

/**
 * The stored lookup key of a token: SHA-256, hex. A minted token has 256 random bits, so it needs no salt.
 */
export function hashFormToken(token: string): string {
  return hash('sha256', token, 'hex')
}

const place = (id: WorkflowId) => ({ purpose: 'workflow.form_token', id }) as const

/** A token in its stored form. */
export function sealFormToken(
  box: SecretBox,
  id: WorkflowId,
  token: string,
): Pick<FormSettings, 'tokenHash' | 'tokenSealed'> {
  return { tokenHash: hashFormToken(token), tokenSealed: box.seal(token, place(id)) }
}

/**
 * A token in clear text, to show it to the owner.
 *
 * @throws Error when the key is missing; its text holds no secret
 */
export function openFormToken(box: SecretBox, id: WorkflowId, sealed: string): string {
  return box.open(sealed, place(id))
}
