import { endWithin, startWithin, utf8Bytes } from './estimated-tokens.ts'

/** A part of a text, by its offsets. */
export interface ChunkSpan {
  from: number
  to: number
  /** 1-based page of its start; null in a text without pages. */
  page: number | null
}

/** Sizes in UTF-8 bytes. */
interface Sizes {
  /** The largest span. */
  room: number
  /** How much of a span's end the next one may repeat. */
  overlap: number
}

/** How far back from the limit the end of a sentence or a word is looked for, as a share. */
const BACK = 0.4

/** Paragraphs joined while they fit into `room`, and cut where one does not. Neighbours share up to `overlap` bytes. */
export function* packBlocks(
  text: string,
  blocks: readonly ChunkSpan[],
  { room, overlap }: Sizes,
): Generator<ChunkSpan> {
  const repeated = Math.min(overlap, Math.floor(room / 2))
  let current: ChunkSpan | null = null
  let bytes = 0
  for (const piece of pieces(text, blocks, room - repeated)) {
    const added: number = current === null ? 0 : utf8Bytes(text, current.to, piece.to)
    if (current !== null && bytes + added <= room) {
      current.to = piece.to
      bytes += added
      continue
    }
    if (current !== null) yield current
    const from: number = current === null ? piece.from : overlapStart(text, current, repeated)
    const whole = utf8Bytes(text, from, piece.to)
    const fits = whole <= room
    current = { ...piece, from: fits ? from : piece.from }
    bytes = fits ? whole : utf8Bytes(text, piece.from, piece.to)
  }
  if (current !== null) yield current
}

/** The paragraphs, those of more than `room` bytes in parts. */
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

/** Where a cut reads best: after a sentence, else after a word, else at the limit. */
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
