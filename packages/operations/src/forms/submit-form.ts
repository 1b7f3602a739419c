import { DomainError, type FieldIssue, type UploadId, type UserId } from '@troupe/contract'
import type { NamedFiles } from '@troupe/nodes/form-submission'
import { readSubmission } from '@troupe/nodes/form-submission'
import type { Database, Transaction, UsedFormUpload } from '@troupe/storage'
import type { StartedRun, WorkflowRunner } from '@troupe/workflows'
import { formNotFound } from './form-errors.ts'
import type { OpenForm, PublishedForm } from './published-forms.ts'
import { UNUSED_UPLOAD_MS } from './upload-retention.ts'

/** Maximum characters of all files of a submission: ten times the maximum of one file. */
const MAX_TEXT = 10_000_000

export interface SubmitFormParts {
  database: Pick<Database, 'transaction'>
  runner: Pick<WorkflowRunner, 'startWithin' | 'send'>
}

/** A visitor's submission. */
export interface GivenSubmission {
  /** By field name: JSON, or texts as browsers send them. */
  values: Readonly<Record<string, unknown>>
  /** The signed-in member; null where the form requires no sign-in. */
  userId: UserId | null
  /** Milliseconds since the epoch. */
  submittedAt: number
}

/** A file as the workflow reads it. */
type FileValue = Pick<UsedFormUpload, 'filename' | 'contentType' | 'sizeBytes' | 'text'>

/**
 * Starts the run of a submission. Claiming its files and starting its run are one transaction: of two
 * submissions of the same upload one is refused for that field, and a refused submission consumes nothing.
 * Only the version that `published` describes is started.
 *
 * @throws DomainError `empty_graph`, `validation_error` with `issues`, `concurrency_limit_reached` (the rejected run has
 * its record), `form_not_found`, `execution_create_failed`; `VersionChanged` when another version is published by now
 */
export async function submitForm(
  { database, runner }: SubmitFormParts,
  published: PublishedForm,
  { values: given, userId, submittedAt }: GivenSubmission,
): Promise<void> {
  if (!published.hasSteps) {
    throw new DomainError('empty_graph', 'The workflow behind this form has no steps yet.')
  }
  const read = readAnswers(published, given)
  const started = await database.transaction(async (tx) => {
    const { input, fileIds } = await answersIn(tx, published, read, submittedAt)
    const started = await startRun(runner, tx, published, { input, userId, submittedAt })
    // A visitor refused at the concurrency limit may retry with the same files.
    await tx.write.forms.settleUploads(fileIds, isFull(started) ? null : started.runId)
    return started
  })
  if (isFull(started)) {
    throw new DomainError('concurrency_limit_reached', 'The server is busy. Try again in a moment.')
  }
  if (started.delivery) runner.send(started.delivery)
}

/** The answers of a submission, before its files are taken. */
interface ReadAnswers {
  values: Readonly<Record<string, unknown>>
  files: readonly NamedFiles[]
}

/** Parses a submission. @throws DomainError `validation_error` with `issues` */
export function readAnswers({ form }: OpenForm, given: GivenSubmission['values']): ReadAnswers {
  const read = readSubmission(form, given)
  if (!read.ok) throw refused(read.issues)
  return read
}

/**
 * Takes the files of a submission, after which no other submission can use them.
 *
 * @returns the answers as the workflow reads them
 * @throws DomainError `validation_error` with `issues`
 */
export async function answersIn(
  tx: Pick<Transaction, 'write'>,
  form: OpenForm,
  { values, files: named }: ReadAnswers,
  submittedAt: number,
): Promise<{ input: Record<string, unknown>; fileIds: readonly UploadId[] }> {
  const files = await takeFiles(tx, form, named, submittedAt)
  return { input: Object.fromEntries([...Object.entries(values), ...files.values]), fileIds: files.ids }
}

function refused(issues: readonly FieldIssue[]): DomainError {
  return new DomainError('validation_error', 'Some answers are not valid.', { issues })
}

async function startRun(
  runner: SubmitFormParts['runner'],
  tx: Transaction,
  { organizationId, workflowId, versionId }: PublishedForm,
  { input, userId, submittedAt }: { input: unknown; userId: UserId | null; submittedAt: number },
): Promise<StartedRun> {
  try {
    return await runner.startWithin(tx, {
      scope: { organizationId, projectId: null },
      workflowId,
      versionId,
      source: 'form',
      firedNodeId: null,
      scheduledFor: null,
      input,
      apiKeyId: null,
      startedByUserId: userId,
      idempotency: null,
      createdAt: submittedAt,
    })
  } catch (error) {
    // Unpublished or deleted since the form was looked up.
    const code = error instanceof DomainError ? error.code : null
    if (code === 'workflow_not_published' || code === 'workflow_not_found') throw formNotFound()
    throw error
  }
}

function isFull(started: StartedRun): boolean {
  return started.rejected?.status === 'concurrency_limit_reached'
}

/** @throws DomainError `validation_error` when an upload is missing, of another field, or already used */
async function takeFiles(
  tx: Pick<Transaction, 'write'>,
  { workflowId, listenerId }: OpenForm,
  named: readonly NamedFiles[],
  submittedAt: number,
): Promise<{ ids: readonly UploadId[]; values: [string, FileValue | FileValue[]][] }> {
  const ids = [...new Set(named.flatMap((one) => one.ids))]
  if (ids.length === 0) return { ids, values: [] }
  const taken = await tx.write.forms.takeUploads({
    workflowId,
    listenerId,
    ids,
    notBefore: submittedAt - UNUSED_UPLOAD_MS,
    usedAt: submittedAt,
  })
  const byId = new Map(taken.map((upload) => [upload.id, upload]))
  const issues: FieldIssue[] = []
  const values: [string, FileValue | FileValue[]][] = []
  let length = 0
  for (const { field, ids: wanted, multiple } of named) {
    const found = wanted.flatMap((id) => byId.get(id) ?? []).filter((upload) => upload.field === field)
    length += found.reduce((sum, { text }) => sum + text.length, 0)
    if (found.length < wanted.length) {
      const message = multiple ? 'has a file that must be uploaded again' : 'must be uploaded again'
      issues.push({ field, message })
    } else if (length > MAX_TEXT) {
      issues.push({ field, message: 'has too much text, together with the other files' })
    }
    const files = found.map(({ filename, contentType, sizeBytes, text }) => ({
      filename,
      contentType,
      sizeBytes,
      text,
    }))
    const [first] = files
    if (multiple) values.push([field, files])
    else if (first) values.push([field, first])
  }
  if (issues.length > 0) throw refused(issues)
  return { ids, values }
}
