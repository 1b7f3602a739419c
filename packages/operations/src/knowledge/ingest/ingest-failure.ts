import { ChatModelError } from '@troupe/agents/ports'
import { DomainError } from '@troupe/contract'
import { BusyError } from '@troupe/heavy-work'
import { UnreachableDocumentError, UnreadableDocumentError } from './read-source.ts'

/** The consequence of a failure for a document. */
interface IngestFailure {
  sentence: string
  /** Retrying is futile until a person changes something. */
  isFinal: boolean
  /** The cause is in the document: its stored chunks are useless. */
  isUnreadable?: boolean
  /** Retried without a limit, because it waits for the organization: a new month, or a raised budget. */
  isWaiting?: boolean
}

/** The consequence of a failure for a document; null for a defect. */
export function failureOf(error: unknown): IngestFailure | null {
  if (error instanceof UnreadableDocumentError) {
    return { sentence: error.message, isFinal: true, isUnreadable: true }
  }
  if (error instanceof UnreachableDocumentError) return { sentence: error.message, isFinal: false }
  if (error instanceof DomainError && error.code === 'budget_exceeded') {
    return { sentence: error.message, isFinal: false, isWaiting: true }
  }
  if (error instanceof BusyError) {
    return { sentence: 'Too many documents were being read.', isFinal: false }
  }
  if (error instanceof ChatModelError) {
    const { message, providerMessage } = error
    const sentence = providerMessage === null ? message : `${message} The provider said: ${providerMessage}`
    return { sentence, isFinal: error.code === 'fatal' }
  }
  return null
}
