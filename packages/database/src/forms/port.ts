import type {
  OrganizationId,
  ProjectId,
  WorkflowId,
  WorkflowRunId,
  WorkflowVersionId,
} from '@troupe/contract'

/** Who gets in with a password, as of the last publish. */
export interface FormCredentials {
  username: string
  /** bcrypt. */
  passwordHash: string
}

/** What a workflow keeps of its form beside the graph. */
export interface FormSettings {
  /** SHA-256 of the token, hex. */
  tokenHash: string
  /** Sealed by the server. */
  tokenSealed: string
  /** null unless the form asks for a password. */
  credentials: FormCredentials | null
  /** One more with every change of the credentials. */
  credentialVersion: number
}

/** A published workflow behind a form token. Whether its graph has a form is for the caller to see. */
export interface FormRecord extends Pick<FormSettings, 'credentials' | 'credentialVersion'> {
  workflowId: WorkflowId
  organizationId: OrganizationId
  projectId: ProjectId | null
  /** Of the active deployment. */
  versionId: WorkflowVersionId
}

export interface FormReader {
  /**
   * The published workflow with this token; null for everything else, so that no caller can tell why. The one read by
   * token instead of by scope.
   */
  byToken(tokenHash: string): Promise<FormRecord | null>
  /** null before a form is first published, and for a workflow that is not the organization's. */
  settings(organizationId: OrganizationId, workflowId: WorkflowId): Promise<FormSettings | null>
  /** The workflow with this token in any organization, published or not; for the operator only. */
  ownerOf(tokenHash: string): Promise<WorkflowId | null>
}

/** A file that a visitor sends. Its row is there before its bytes, so that no byte is ever without a row. */
export interface FormUpload {
  /** A UUID. */
  id: string
  organizationId: OrganizationId
  workflowId: WorkflowId
  /** The name of the form's field. */
  field: string
  /** Where the bytes are, or will be. */
  storageKey: string
  filename: string
  /** Counts from now on, though the bytes are yet to come. */
  sizeBytes: number
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** How many bytes of uploads may wait for their submission; swept or not, all that is stored unused counts. */
export interface UploadQuota {
  workflowBytes: number
  organizationBytes: number
}

/** What is known of a file once it has arrived. */
export interface ArrivedFile {
  contentType: string
  sizeBytes: number
  /** What was read from it. */
  text: string
}

/** A file that a submission uses. */
export interface UsedFormUpload extends ArrivedFile {
  id: string
  field: string
  filename: string
}

export interface FormWriter {
  /** Writes what a workflow keeps of its form. Throws SqlError 23505 when another workflow has the token. */
  putSettings(organizationId: OrganizationId, workflowId: WorkflowId, settings: FormSettings): Promise<void>
  /**
   * Takes unused uploads of the workflow for a submission and returns them; those that are unknown, used, too old or of
   * another workflow are left out. Two submissions that name one upload take turns: the second does not get it.
   */
  takeUploads(take: {
    workflowId: WorkflowId
    ids: readonly string[]
    /** Uploads from before are over, whether they have been swept already or not. Milliseconds since the epoch. */
    notBefore: number
    /** Milliseconds since the epoch. */
    usedAt: number
  }): Promise<UsedFormUpload[]>
  /** What became of uploads that this transaction has taken: the run that uses them; null gives them back. */
  settleUploads(ids: readonly string[], executionId: WorkflowRunId | null): Promise<void>
}

/** The rows of uploaded files outside of submissions. */
export interface FormUploads {
  /**
   * False, and nothing is stored, when the upload would exceed a quota. Uploads of one organization are counted one after
   * the other: of any number that come at once, those pass that fit together.
   */
  insert(upload: FormUpload, quota: UploadQuota): Promise<boolean>
  /** The bytes are there. */
  arrived(id: string, file: ArrivedFile): Promise<void>
  /**
   * Uploads whose time is over: never used and sent before `unused`, or used before `used` (milliseconds since the
   * epoch). Whoever asks deletes their bytes first and then their rows: what fails in between is told again.
   */
  expired(
    before: { unused: number; used: number },
    limit: number,
  ): Promise<{ id: string; storageKey: string }[]>
  delete(ids: readonly string[]): Promise<void>
}
