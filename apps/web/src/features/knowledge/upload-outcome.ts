import { knowledgeWords } from '../../core/messages/en/resources/knowledge.ts'
import type { FileUpload } from '../../infrastructure/queries/use-file-upload.ts'

/** One file being uploaded. */
export interface DocumentUpload {
  id: number
  file: File
  state: 'waiting' | 'sending' | 'sent' | 'existing' | 'failed'
  /** The reason of its failure, or the existing document with the same content. */
  note: string
  /** The failure may be temporary, and is not caused by the file. */
  mayRetry: boolean
}

type Outcome = Pick<DocumentUpload, 'state' | 'note' | 'mayRetry'>

/** The result of an uploaded file. */
export function uploadOutcome(sent: FileUpload<'addKnowledgeDocument'>): Outcome {
  if (sent.ok) {
    return {
      state: sent.isNew ? 'sent' : 'existing',
      note: sent.isNew ? '' : sent.answer.name,
      mayRetry: false,
    }
  }
  const { failure } = sent
  // The user may sign in again.
  return {
    state: 'failed',
    note: failure.message,
    mayRetry: failure.isPassing || failure.code === 'unauthorized',
  }
}

/** A queued file; an empty one has no text, and is not sent. */
export function addedUpload(id: number, file: File): DocumentUpload {
  if (file.size > 0) return { id, file, state: 'waiting', note: '', mayRetry: false }
  return { id, file, state: 'failed', note: knowledgeWords.documents.emptyFile, mayRetry: false }
}
