import { BusyError } from '@troupe/heavy-work'
import { isDocumentFormat } from '../formats/document-format.ts'
import type { DocumentReader, DocumentText } from '../reader/document-reader.ts'
import { formatOf } from './file-format.ts'
import { cutText, describeFile, type NoText, type TextExtractor, unreadableFile } from './text-extractor.ts'

type Unreadable = Extract<DocumentText, { kind: 'unreadable' }>

/** The dependencies of the extractor. */
export interface DocumentExtractorParts {
  reader: DocumentReader
  /** Reads every format that needs no parser. */
  plain: TextExtractor
  log: { info(facts: object, text: string): void }
}

const NO_TEXT: Record<Exclude<Unreadable['reason'], 'stopped'>, NoText> = {
  broken: 'broken',
  missing: 'broken',
  password: 'password',
  outdated: 'outdated',
  killed: 'memory',
  timeout: 'time',
  'too-large': 'size',
}

/** Reads documents in separate processes, and all other formats in this one. */
export function createDocumentExtractor({ reader, plain, log }: DocumentExtractorParts): TextExtractor {
  return {
    async extractText(file) {
      const format = formatOf(file.filename, file.contentType)
      // The markup of a page is part of its text, unless the text is for searches.
      if (!isDocumentFormat(format) || (format === 'html' && !file.pages)) return plain.extractText(file)
      const read = await reader.read({ path: file.path, format, owner: file.organizationId })
      if (read.kind === 'text') {
        if (read.text.trim() === '')
          return format === 'pdf' ? unreadableFile(file, 'pictures') : describeFile(file)
        return cutText(file.pages ? read.text : read.text.replaceAll('\f', '\n\n').trimEnd(), read.isCut)
      }
      const { organizationId, sizeBytes } = file
      log.info({ organizationId, format, sizeBytes, reason: read.reason }, 'a document could not be read')
      if (read.reason === 'stopped') {
        throw new BusyError('The server is stopping. Nothing was done. Please try again in a moment.')
      }
      return unreadableFile(file, NO_TEXT[read.reason])
    },
  }
}
