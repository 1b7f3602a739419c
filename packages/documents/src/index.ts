export { type ExtractLimits, extractZip } from './archives/extract-zip.ts'
export { readZip } from './archives/read-zip.ts'
export { writeZip, type ZipContent } from './archives/write-zip.ts'
export { BadArchive } from './archives/zip-files.ts'
export { createDocumentExtractor } from './extractor/document-extractor.ts'
export { extensionOf, type FileFormat, recogniseFile } from './extractor/file-format.ts'
export { createPlainTextExtractor } from './extractor/plain-text-extractor.ts'
export {
  type FileToRead,
  MAX_TEXT_LENGTH,
  placeholderReason,
  type TextExtractor,
} from './extractor/text-extractor.ts'
export type { DocumentFormat } from './formats/document-format.ts'
export type {
  DocumentReader,
  DocumentReaderOptions,
  DocumentText,
  DocumentToRead,
} from './reader/document-reader.ts'
export { createDocumentReader } from './reader/document-reader.ts'
export { type ParserBundle, parserBundle } from './reader/parser-program.ts'
