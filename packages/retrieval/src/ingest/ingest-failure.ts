import { ChatModelError } from '@troupe/agents/ports'
import { ExtractorBusyError } from '@troupe/documents'
import { UnreachableDocumentError, UnreadableDocumentError } from './read-source.ts'

/** What a failure means for a document; null for a defect. */
export function failureOf(error: unknown): { sentence: string; isFinal: boolean } | null {
  if (error instanceof UnreadableDocumentError) return { sentence: error.message, isFinal: true }
  if (error instanceof UnreachableDocumentError) return { sentence: error.message, isFinal: false }
  if (error instanceof ExtractorBusyError) {
    return { sentence: 'Too many documents were being read.', isFinal: false }
  }
  if (error instanceof ChatModelError) return { sentence: error.message, isFinal: error.code === 'fatal' }
  return null
}
