import type {
  ListenerId,
  OrganizationId,
  ProjectId,
  UploadId,
  WorkflowId,
  WorkflowRunId,
  WorkflowVersionId,
} from '@troupe/contract'

/** The form's user name and password, as of the last publish. */
export interface FormCredentials {
  username: string
  /** bcrypt. */
  passwordHash: string
}

/** What a workflow stores about its form besides the graph. */
export interface FormSettings {
  /** SHA-256 of the token, hex. */
  tokenHash: string
  /** Sealed by the server. */
  tokenSealed: string
  /** null unless the form asks for a password. */
  credentials: FormCredentials | null
  /** Incremented by every change of the credentials. */
  credentialVersion: number
}

/** A published workflow behind a form token. The caller must check whether its graph has a form. */
export interface FormRecord extends Pick<FormSettings, 'credentials' | 'credentialVersion'> {
  workflowId: WorkflowId
  organizationId: OrganizationId
  projectId: ProjectId | null
  /** The version of the active deployment. */
  versionId: WorkflowVersionId
}

export interface FormReader {
  /**
   * The published workflow with this token; null in every other case, so that callers cannot tell the reason. The only
   * read by token instead of by scope.
   */
  byToken(tokenHash: string): Promise<FormRecord | null>
  /** null before a form is first published, and for a workflow of another organization. */
  settings(organizationId: OrganizationId, workflowId: WorkflowId): Promise<FormSettings | null>
  /** The workflow with this token in any organization, published or not; for the operator only. */
  ownerOf(tokenHash: string): Promise<WorkflowId | null>
}

/** A file uploaded by a visitor. Its row is written before its bytes, so that stored bytes always have a row. */
export interface FormUpload {
  id: UploadId
  organizationId: OrganizationId
  workflowId: WorkflowId
  /** The listener whose form it was sent to, with which it expires; null: of the published form. */
  listenerId: ListenerId | null
  /** The name of the form's field. */
  field: string
  /** The storage key of the bytes. */
  storageKey: string
  filename: string
  /** Counts towards the quota immediately, before the bytes arrive. */
  sizeBytes: number
  /** Milliseconds since the epoch. */
  createdAt: number
  /** The same for all uploads of one visitor's network; reveals no address. */
  visitor: string
}

/**
 * Quotas for bytes of unused uploads; all stored unused bytes count, including expired ones until they are
 * deleted.
 */
export interface UploadQuota {
  workflowBytes: number
  organizationBytes: number
  /** The share of one visitor in each of them. */
  visitor: { workflowBytes: number; organizationBytes: number }
}

/** The outcome of an upload. `full` and `share_used`: not stored, because of the quota or of the visitor's share of it. */
export type UploadOutcome = 'stored' | 'full' | 'share_used'

/** The properties of a file known after its arrival. */
export interface ArrivedFile {
  contentType: string
  sizeBytes: number
  /** The content extracted from the file. */
  text: string
}

/** A file that a submission uses. */
export interface UsedFormUpload extends ArrivedFile {
  id: UploadId
  field: string
  filename: string
}

export interface FormWriter {
  /**
   * Writes what a workflow stores about its form. Throws SqlError 23505 when another workflow has the token.
   */
  putSettings(organizationId: OrganizationId, workflowId: WorkflowId, settings: FormSettings): Promise<void>
  /**
   * Claims unused uploads of the workflow for a submission and returns them; uploads that are unknown, used, expired or
   * of another workflow or listener are omitted. Of two submissions that name the same upload, the second waits and does not get
   * it.
   */
  takeUploads(take: {
    workflowId: WorkflowId
    /** null: of the published form. */
    listenerId: ListenerId | null
    ids: readonly UploadId[]
    /**
     * Uploads from before this time count as expired, whether or not a sweep has deleted them. Milliseconds since the
     * epoch.
     */
    notBefore: number
    /** Milliseconds since the epoch. */
    usedAt: number
  }): Promise<UsedFormUpload[]>
  /** Sets the run that uses the uploads claimed in this transaction; null releases them. */
  settleUploads(ids: readonly UploadId[], executionId: WorkflowRunId | null): Promise<void>
  /** Returns whether there was such an upload. The caller deletes its bytes first. */
  deleteUpload(organizationId: OrganizationId, id: UploadId): Promise<boolean>
}

/** The rows of uploaded files outside submissions. */
export interface FormUploads {
  /**
   * Nothing is stored when the upload would exceed a quota. Uploads of one organization are counted
   * sequentially: of concurrent uploads, those that fit together are accepted.
   */
  insert(upload: FormUpload, quota: UploadQuota): Promise<UploadOutcome>
  /** Records that the bytes have arrived. */
  arrived(id: UploadId, file: ArrivedFile): Promise<void>
  /**
   * Expired uploads: never used and sent before `unused`, used before `used`, or sent before `ofEnded` to a listener that has ended
   * by `now` (milliseconds since the epoch). The caller deletes their bytes first and then their rows, so a failure in between is
   * found again.
   */
  expired(
    before: { unused: number; used: number; ofEnded: number; now: number },
    limit: number,
  ): Promise<{ id: UploadId; storageKey: string }[]>
  delete(ids: readonly UploadId[]): Promise<void>
}
