import { isDeepStrictEqual } from 'node:util'
import {
  type BundleKnowledgeBase,
  type KnowledgeBaseId,
  KnowledgeDocumentId,
  type OrganizationId,
} from '@troupe/contract'
import type { KnowledgeDocumentRecord } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import type { OpenedDocument } from '../read/open-documents.ts'
import type { Planner } from '../resolve/planner.ts'
import type { Step } from '../resolve/step.ts'

/** A document to be written. */
export interface WrittenDocument extends OpenedDocument {
  id: KnowledgeDocumentId
}

/** A step of a document. */
export interface DocumentStep extends Omit<Step<WrittenDocument>, 'before'> {
  before: KnowledgeDocumentRecord | null
  /** Whether a stored document is replaced by other content, which must be read. */
  replaces: boolean
}

interface Placed extends OpenedDocument {
  path: string
}

/**
 * Compares the documents of a base with the stored ones. A document is recognised by its URL or its content, else by its
 * name, whose content is then replaced.
 */
export async function planDocuments(
  planner: Planner,
  { organizationId, baseId }: { organizationId: OrganizationId; baseId: KnowledgeBaseId },
  { path, value }: Item<BundleKnowledgeBase>,
  isStored: boolean,
): Promise<DocumentStep[]> {
  const documents = (value.documents ?? []).flatMap((_, index): Placed[] => {
    const place = `${path}.documents.${index}`
    const opened = planner.documents.get(place)
    return opened ? [{ ...opened, path: place }] : []
  })
  const unique = withoutRepeated(planner, documents)
  const stored = isStored
    ? await planner.read.knowledge.documentsLike(organizationId, baseId, {
        names: unique.map(({ name }) => name),
        contentHashes: unique.flatMap(({ content }) => ('file' in content ? content.file.contentHash : [])),
        urls: unique.flatMap(({ content }) => ('url' in content ? content.url : [])),
      })
    : []
  const same = new Map(unique.map((one) => [one, stored.find((row) => isSame(row, one))]))
  const recognised = new Set([...same.values()].map((row) => row?.id))
  // Ids follow the bundle's order, because creation times are equal.
  const newIds = unique.map(() => planner.newId(KnowledgeDocumentId)).toSorted()
  return unique.flatMap((document, index): DocumentStep[] => {
    const { path: place, ...opened } = document
    const named = stored.filter((row) => row.name === document.name && !recognised.has(row.id))
    const before = same.get(document) ?? replaced(planner, document, named)
    if (before === undefined) return []
    if (before) recognised.add(before.id)
    const after = {
      ...opened,
      id: before?.id ?? newIds[index] ?? planner.newId(KnowledgeDocumentId),
    }
    const replaces = before !== null && same.get(document) === undefined && opened.content.kind !== 'kept'
    const isOther = before?.name !== opened.name || !isDeepStrictEqual(before.metadata, opened.metadata)
    return [{ before, after, replaces, changed: replaces || isOther }]
  })
}

/** The stored document whose content is replaced or kept: null if none, undefined if there is a problem. */
function replaced(
  { problems }: Planner,
  { path, name, content }: Placed,
  named: readonly KnowledgeDocumentRecord[],
): KnowledgeDocumentRecord | null | undefined {
  const [row, other] = content.kind === 'kept' ? named : named.filter(({ source }) => source !== 'url')
  if (content.kind === 'kept') {
    if (row) return row
    problems.add(path, 'needs text, path, base64 or url: no document of this name is stored')
    return undefined
  }
  if (content.kind === 'url' || !row) return null
  if (!other) return row
  problems.add(`${path}.name`, `is the name of several stored documents; delete those that are old: ${name}`)
  return undefined
}

function isSame(row: KnowledgeDocumentRecord, { content }: OpenedDocument): boolean {
  if ('url' in content) return row.source === 'url' && row.url === content.url
  return 'file' in content && row.source !== 'url' && row.contentHash === content.file.contentHash
}

/** A base contains each content and each URL only once. */
function withoutRepeated({ problems }: Planner, documents: readonly Placed[]): Placed[] {
  const first = new Map<string, string>()
  return documents.filter(({ path, content }) => {
    const key =
      'file' in content ? content.file.contentHash : content.kind === 'url' ? content.url : `kept ${path}`
    const earlier = first.get(key)
    first.set(key, earlier ?? path)
    if (earlier !== undefined) {
      problems.add(path, `has the content of another document on line ${problems.lineOf(earlier)}`)
    }
    return earlier === undefined
  })
}
