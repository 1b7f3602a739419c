export type { DocumentFormat } from './document-format.ts'
export { isDocumentFormat } from './document-format.ts'
export type {
  DocumentReader,
  DocumentReaderOptions,
  DocumentText,
  DocumentToRead,
} from './document-reader.ts'
export { createDocumentReader } from './document-reader.ts'
export { DocumentsBusyError } from './fair-queue.ts'
