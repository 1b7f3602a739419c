import type { OrganizationId } from '@troupe/contract'

/** A stored secret with the fields that its envelope is bound to. */
export interface SealedSecret {
  purpose:
    | 'workflow.webhook_token'
    | 'workflow.signing_secret'
    | 'workflow.form_token'
    | 'review.link'
    | 'approval.link'
    | 'credential.secret'
    | 'run.tool_context'
    | 'phone_trunk.password'
    | 'listener.token'
    | 'listener.secret'
  /** Id of the owner: the workflow, the review, the approval, the credential, the run, the trunk or the listener. */
  id: string
  envelope: string
}

export interface SealedSecretReader {
  /** Every sealed secret of an organization except the credentials of its LLM configurations. */
  list(organizationId: OrganizationId): Promise<SealedSecret[]>
}

export interface SealedSecretWriter {
  /** Compare-and-set: replaces the envelope if it is still the one that was read. */
  replace(organizationId: OrganizationId, secret: SealedSecret, envelope: string): Promise<void>
}
