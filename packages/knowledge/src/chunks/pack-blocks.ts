import { endWithin, startWithin, utf8Bytes } from './estimated-tokens.ts'
import { PAGE_BREAK } from './split-blocks.ts'

/** A part of a text, by its offsets. */
export interface ChunkSpan {
  from: number
  to: number
  /** 1-based page of its start; null in a text without pages. */
  page: number | null
}

/** Sizes in UTF-8 bytes. */
interface Sizes {
  /** Maximum bytes of a span. */
  room: number
  /** Maximum bytes of a span's end that the next one may repeat. */
  overlap: number
}

/** Maximum bytes of a page mark within a span: see `markedPages`. */
const PAGE_MARK_BYTES = 20

/** The share of a span in which the end of a sentence or a word is searched, backwards from the limit. */
const BACK = 0.4

/** Paragraphs joined while they fit into `room`, and cut if one does not fit. Neighbours share up to `overlap` bytes. */
export function* packBlocks(
  text: string,
  blocks: readonly ChunkSpan[],
  { room, overlap }: Sizes,
): Generator<ChunkSpan> {
  const repeated = Math.min(overlap, Math.floor(room / 2))
  let current: ChunkSpan | null = null
  let bytes = 0
  const size = (from: number, to: number) =>
    utf8Bytes(text, from, to) + PAGE_MARK_BYTES * pageBreaks(text, from, to)
  for (const piece of pieces(text, blocks, room - repeated)) {
    const added: number = current === null ? 0 : size(current.to, piece.to)
    if (current !== null && bytes + added <= room) {
      current.to = piece.to
      bytes += added
      continue
    }
    if (current !== null) yield current
    const from: number = current === null ? piece.from : overlapStart(text, current, repeated)
    const whole = size(from, piece.to)
    const fits = whole <= room
    // The repeated part may begin on an earlier page.
    const page: number | null =
      piece.page === null || !fits ? piece.page : piece.page - pageBreaks(text, from, piece.from)
    current = { ...piece, from: fits ? from : piece.from, page }
    bytes = fits ? whole : size(piece.from, piece.to)
  }
  if (current !== null) yield current
}

/** Reads nothing beyond `to`: a search to the end of the text for each paragraph would take quadratic time. */
function pageBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += 1) if (text[at] === PAGE_BREAK) count += 1
  return count
}

/** The paragraphs, with those of more than `room` bytes in parts. */
function* pieces(text: string, blocks: readonly ChunkSpan[], room: number): Generator<ChunkSpan> {
  for (const { from, to, page } of blocks) {
    for (let at = from; at < to; ) {
      const limit = Math.max(endWithin(text, at, to, room), at + 1)
      const end = limit === to ? to : cutPoint(text, at, limit)
      yield { from: at, to: end, page }
      at = end
    }
  }
}

/** The best position for a cut: after a sentence, else after a word, else at the limit. */
function cutPoint(text: string, from: number, limit: number): number {
  const earliest = limit - Math.floor((limit - from) * BACK)
  let word = limit
  for (let at = limit; at > earliest; at -= 1) {
    if (!isSpace(text, at)) continue
    if (endsSentence(text[at - 1])) return at
    if (word === limit) word = at
  }
  return word
}

/** The beginning of a word within the last `overlap` bytes of a span; the end of the span when there is none. */
function overlapStart(text: string, { from, to }: ChunkSpan, overlap: number): number {
  for (let at = Math.max(startWithin(text, to, overlap), from + 1); at < to; at += 1) {
    if (isSpace(text, at - 1)) return at
  }
  return to
}

function endsSentence(mark: string | undefined): boolean {
  return mark === '.' || mark === '!' || mark === '?' || mark === '\n'
}

function isSpace(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\n' || text[at] === '\t'
}
