import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { EncryptionKey } from './encryption-keys.ts'

const ALGORITHM = 'aes-256-gcm'
/** Bytes; every message gets a fresh random nonce, as GCM requires. */
const IV_BYTES = 12
const TAG_BYTES = 16

/** The kinds of secrets that are sealed. */
export type SealedPurpose =
  | 'llm_configuration.credentials'
  | 'workflow.webhook_token'
  | 'workflow.signing_secret'
  | 'workflow.form_token'
  | 'review.link'
  | 'approval.link'
  | 'credential.secret'
  | 'phone_trunk.password'
  | 'run.tool_context'
  | 'listener.token'
  | 'listener.secret'

/** The owner of a secret: bound into the envelope, so that an envelope cannot be moved to another row. */
export interface SecretPlace {
  purpose: SealedPurpose
  /** Id of the row. */
  id: string
}

/**
 * Encrypts secrets for storage. Envelope: `<key id>.<iv>.<tag>.<ciphertext>`, the last three in base64url.
 * The first key encrypts, all keys decrypt.
 */
export class SecretBox {
  readonly #current: EncryptionKey
  readonly #keys: ReadonlyMap<string, EncryptionKey>

  constructor(keys: readonly [EncryptionKey, ...EncryptionKey[]]) {
    this.#current = keys[0]
    this.#keys = new Map(keys.map((key) => [key.id, key]))
  }

  seal(plaintext: string, place: SecretPlace): string {
    const { id, key } = this.#current
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
    cipher.setAAD(additionalData(place))
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
    return [id, ...[iv, cipher.getAuthTag(), ciphertext].map((part) => part.toString('base64url'))].join('.')
  }

  /**
   * @throws Error when the key is unknown or the envelope was altered or moved; the message contains no
   * secret
   */
  open(envelope: string, place: SecretPlace): string {
    const [keyId = '', iv = '', tag = '', ciphertext = ''] = envelope.split('.')
    const key = this.#keys.get(keyId)
    if (!key) throw new Error(`no encryption key with the id "${keyId}"`)
    const decipher = createDecipheriv(ALGORITHM, key.key, Buffer.from(iv, 'base64url'), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(additionalData(place))
    decipher.setAuthTag(Buffer.from(tag, 'base64url'))
    return decipher.update(ciphertext, 'base64url', 'utf8') + decipher.final('utf8')
  }

  /** Whether an envelope was sealed with the current encryption key. */
  isCurrent(envelope: string): boolean {
    return envelope.startsWith(`${this.#current.id}.`)
  }

  /** Reseals a secret under the current key; an envelope that is already current is returned unchanged. */
  reseal(envelope: string, place: SecretPlace): string {
    return this.isCurrent(envelope) ? envelope : this.seal(this.open(envelope, place), place)
  }
}

function additionalData({ purpose, id }: SecretPlace): Buffer {
  return Buffer.from(`${purpose}:${id.toLowerCase()}`, 'utf8')
}
