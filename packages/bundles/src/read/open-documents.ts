import { basename } from 'node:path'
import { type BundleDocument, metadataFault } from '@troupe/contract'
import { extensionOf } from '@troupe/documents'
import { documentUrl } from '@troupe/operations/knowledge/document-url'
import type { DocumentFile, DocumentFiles } from '@troupe/operations/knowledge/documents/document-files'
import { type BundleFolder, NO_FOLDER } from './bundle-folder.ts'
import type { BundleWithSkills } from './open-bundle-skills.ts'
import { ProblemList } from './problem-list.ts'

/** A document of a bundle, with its content on the local disk. */
export interface OpenedDocument {
  name: string
  metadata: Record<string, unknown>
  /** `kept`: the stored document of this name is kept. */
  content: { kind: 'url'; url: string } | { kind: 'text' | 'file'; file: DocumentFile } | { kind: 'kept' }
}

/** A bundle whose documents were opened. Disposing deletes temporary files. */
export interface OpenedBundle extends BundleWithSkills, AsyncDisposable {
  /** By their paths in the bundle; without invalid ones. */
  documents: ReadonlyMap<string, OpenedDocument>
}

const SOURCES = ['text', 'path', 'base64', 'url'] as const
const UNREADABLE =
  'must be pdf, docx, doc, xlsx, xls, txt, md, csv, html or xml, by its content and the ending of its name'
const TOO_LARGE = 'is larger than a document may be'

/**
 * Opens the documents of a bundle. Problems are added to those of the bundle.
 *
 * @param folder null: the bundle has no folder, and `path` is a problem
 * @throws errors of the disk
 */
export async function openDocuments(
  bundle: BundleWithSkills,
  files: DocumentFiles,
  folder: BundleFolder | null,
): Promise<OpenedBundle> {
  await using stack = new AsyncDisposableStack()
  const problems = new ProblemList(bundle.lines, bundle.problems)
  const documents = new Map<string, OpenedDocument>()
  for (const { path, value } of bundle.organizations.flatMap(({ knowledgeBases }) => knowledgeBases)) {
    for (const [index, document] of (value.documents ?? []).entries()) {
      const place = `${path}.documents.${index}`
      const report = (field: string, message: string) => problems.add(`${place}${field}`, message)
      const opened = await openDocument(document, { files, folder, report })
      if (opened === null) continue
      if ('file' in opened.content) stack.use(opened.content.file)
      documents.set(place, opened)
    }
  }
  const owned = stack.move()
  return {
    ...bundle,
    problems: problems.found,
    documents,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

interface Opening {
  files: DocumentFiles
  folder: BundleFolder | null
  report: (field: string, message: string) => void
}

/** Null if it is invalid, which is reported. */
async function openDocument(
  document: BundleDocument,
  { files, folder, report }: Opening,
): Promise<OpenedDocument | null> {
  const given = SOURCES.filter((source) => document[source] !== undefined)
  const { text, path, base64, url, metadata = {} } = document
  const name = document.name ?? (path === undefined ? undefined : basename(path)) ?? url
  const refused = (field: string, message: string) => {
    report(field, message)
    return null
  }
  if (given.length > 1) return refused('', `must contain only one of ${SOURCES.join(', ')}`)
  if (name === undefined) return refused('.name', 'is required')
  const fault = metadataFault(metadata)
  if (fault !== null) return refused('.metadata', fault)
  const opened = (content: OpenedDocument['content']) => ({ name, metadata, content })
  if (text !== undefined) return opened({ kind: 'text', file: await files.fromText(text) })
  if (url !== undefined) {
    const address = documentUrl(url)
    if (address instanceof Error) return refused('.url', address.message)
    return opened({ kind: 'url', url: address.href })
  }
  if (path === undefined && base64 === undefined) return opened({ kind: 'kept' })
  const field = path === undefined ? '.base64' : '.path'
  // A document with another extension beside a Markdown file is a text, like a document received as JSON, whose name
  // does not matter either.
  const isText = path !== undefined && extensionOf(path) === 'md' && extensionOf(name) !== 'md'
  const found = await (path === undefined
    ? decoded(base64 ?? '', name, files)
    : read({ path, name: isText ? path : name }, files, folder))
  if (typeof found === 'string') return refused(field, found)
  if (found.isReadable) return opened({ kind: isText ? 'text' : 'file', file: found })
  await found[Symbol.asyncDispose]()
  return refused(field, UNREADABLE)
}

async function decoded(base64: string, name: string, files: DocumentFiles): Promise<DocumentFile | string> {
  const bytes = Buffer.from(base64, 'base64')
  // Decoding ignores invalid base64 characters.
  if (bytes.toString('base64') !== base64) return 'must be base64'
  return (await files.fromBytes(bytes, name)) ?? TOO_LARGE
}

async function read(
  { path, name }: { path: string; name: string },
  files: DocumentFiles,
  folder: BundleFolder | null,
): Promise<DocumentFile | string> {
  if (folder === null) return NO_FOLDER
  const found = await folder(path)
  if ('problem' in found) return found.problem
  return (await files.fromDisk(found.path, name)) ?? TOO_LARGE
}
