import { bytesOfTokens, endWithin, utf8Bytes } from './estimated-tokens.ts'
import { packBlocks } from './pack-blocks.ts'
import { type Block, PAGE_BREAK, splitBlocks } from './split-blocks.ts'

/** The size of chunks in estimated tokens. */
export interface ChunkLimits {
  /** At least 20. */
  chunkTokens: number
  /** The overlap of consecutive chunks; limited to half of a chunk. */
  overlapTokens: number
}

/** A passage of a document: the unit of embedding, search and citation. */
export interface Chunk {
  /** A part of the document, preceded by its headings. */
  text: string
  /** 1-based page on which it begins; later pages are marked in the text: `[page 3]`. null in a document without pages. */
  page: number | null
}

const MIN_TOKENS = 20
/** Maximum share of a chunk for its headings. */
const HEADINGS_SHARE = 0.25
/** Maximum paragraphs that are packed together; bounds the memory of an endless section. */
const SECTION_BLOCKS = 200

/**
 * The chunks of a text, of at most `chunkTokens` each, along its headings and paragraphs: a chunk never spans two sections, paragraphs are
 * joined while they fit, and a longer paragraph is cut at the end of a sentence or a word. Each chunk begins with its headings. Chunks are
 * generated lazily, in time linear in the text.
 */
export function* chunksOf(text: string, { chunkTokens, overlapTokens }: ChunkLimits): Generator<Chunk> {
  const maxBytes = bytesOfTokens(Math.max(chunkTokens, MIN_TOKENS))
  const path: Block[] = []
  let section: Block[] = []
  // A heading without text is a separate passage, unless one below it repeats it.
  let bare: Block | null = null
  const flush = () => {
    const blocks = section
    section = []
    return sectionChunks(text, path, blocks, { maxBytes, overlapBytes: bytesOfTokens(overlapTokens) })
  }
  for (const block of splitBlocks(text)) {
    if (block.level === 0) {
      section.push(block)
      bare = null
      if (section.length >= SECTION_BLOCKS) yield* flush()
      continue
    }
    yield* flush()
    if (bare && bare.level >= block.level) yield headingChunk(text, path, maxBytes)
    while ((path.at(-1)?.level ?? 0) >= block.level) path.pop()
    path.push(block)
    bare = block
  }
  yield* flush()
  if (bare) yield headingChunk(text, path, maxBytes)
}

function headingChunk(text: string, path: readonly Block[], maxBytes: number): Chunk {
  return { text: headings(text, path, maxBytes), page: path.at(-1)?.page ?? null }
}

/** The headings above a section, one per line; the outermost are omitted when they are too long together. */
function headings(text: string, path: readonly Block[], maxBytes: number): string {
  let shown = ''
  for (const { from, to } of path.toReversed()) {
    const room = maxBytes - (shown === '' ? 0 : utf8Bytes(shown) + 1)
    const title = text.slice(from, endWithin(text, from, to, room)).trim()
    if (title === '') break
    shown = shown === '' ? title : `${title}\n${shown}`
  }
  return shown
}

function* sectionChunks(
  text: string,
  path: readonly Block[],
  section: readonly Block[],
  { maxBytes, overlapBytes }: { maxBytes: number; overlapBytes: number },
): Generator<Chunk> {
  if (section.length === 0) return
  const title = headings(text, path, Math.floor(maxBytes * HEADINGS_SHARE))
  const room = maxBytes - (title === '' ? 0 : utf8Bytes(title) + 2)
  for (const { from, to, page } of packBlocks(text, section, { room, overlap: overlapBytes })) {
    const body = markedPages(text.slice(from, to).trim(), page)
    yield { text: title === '' ? body : `${title}\n\n${body}`, page }
  }
}

/** Marks the start of each page in a passage that spans pages; of pages without text only the last is marked. */
function markedPages(body: string, first: number | null): string {
  if (first === null || !body.includes(PAGE_BREAK)) return body
  let page = first
  let marked = ''
  for (const [at, text] of body.split(PAGE_BREAK).entries()) {
    if (at > 0) page += 1
    if (at === 0) marked = text.trimEnd()
    else if (text.trim() !== '') marked += `\n\n[page ${page}]\n${text.trim()}`
  }
  return marked
}
