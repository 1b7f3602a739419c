import type { OrganizationId } from '@troupe/contract'

/** A secret as it is stored, with what its envelope is bound to. */
export interface SealedSecret {
  purpose: 'workflow.webhook_token' | 'workflow.signing_secret' | 'workflow.form_token' | 'review.link'
  /** Of the workflow or the review. */
  id: string
  envelope: string
}

export interface SealedSecretReader {
  /** Every sealed secret of an organization but the credentials of its LLM configurations. */
  list(organizationId: OrganizationId): Promise<SealedSecret[]>
}

export interface SealedSecretWriter {
  /** Puts another envelope in place of the one that was read; nothing when that is not there any more. */
  replace(organizationId: OrganizationId, secret: SealedSecret, envelope: string): Promise<void>
}
