import { ChatModelError } from '@troupe/agents/ports'
import { DomainError } from '@troupe/contract'
import { BusyError } from '@troupe/heavy-work'
import { UnreachableDocumentError, UnreadableDocumentError } from './read-source.ts'

/** What a failure means for a document. */
interface IngestFailure {
  sentence: string
  /** Trying again is in vain until somebody changes something. */
  isFinal: boolean
  /** It is the document's: what was stored of it is of no use. */
  isUnreadable?: boolean
  /** It waits for the organization, however long that takes: a month may end, or somebody raises a budget. */
  isWaiting?: boolean
}

/** What a failure means for a document; null for a defect. */
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
