import { CredentialId, type IdText, type OrganizationId, type ProjectId, parseId } from '@troupe/contract'
import type { SecretBox, SecretPlace } from '@troupe/secrets'
import type { CredentialRecord, Readers } from '@troupe/storage'
import type { CredentialSource, ToolCredential } from '@troupe/tools'
import { mayUseCredential } from './may-use-credential.ts'

/** The context to which the secret of a credential is bound. */
export function credentialPlace(id: string): SecretPlace {
  return { purpose: 'credential.secret', id }
}

/** The stored credentials as tools use them. */
export class StoredCredentials implements CredentialSource {
  readonly #read: Pick<Readers, 'credentials'>
  readonly #box: SecretBox
  readonly #onUnreadable: (credentialId: IdText<CredentialId>, error: unknown) => void

  constructor(options: {
    read: Pick<Readers, 'credentials'>
    box: SecretBox
    /** Called for a credential whose secret no key decrypts. */
    onUnreadable: (credentialId: IdText<CredentialId>, error: unknown) => void
  }) {
    this.#read = options.read
    this.#box = options.box
    this.#onUnreadable = options.onUnreadable
  }

  /**
   * A credential that an agent of this project may use; null when there is none or no key decrypts it. Read for each
   * call, so that changes and deletions take effect immediately.
   */
  async find(
    owner: { organizationId: OrganizationId; projectId: ProjectId | null },
    credentialId: IdText<CredentialId>,
  ): Promise<ToolCredential | null> {
    const id = parseId(CredentialId, credentialId)
    const record = id && (await this.#read.credentials.byId(owner.organizationId, id))
    if (!record || !mayUseCredential(owner.projectId, record.projectId)) return null
    return this.#open(record)
  }

  #open(record: CredentialRecord): ToolCredential | null {
    const { id, name, kind, username, field, hosts, sealedSecret } = record
    try {
      return { name, kind, username, field, hosts, secret: this.#box.open(sealedSecret, credentialPlace(id)) }
    } catch (error) {
      this.#onUnreadable(id, error)
      return null
    }
  }
}
