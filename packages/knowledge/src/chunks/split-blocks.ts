/** A heading or a paragraph of a text. */
export interface Block {
  /** Offsets in the text; white space around the block is omitted. */
  from: number
  to: number
  /** The level of a Markdown heading, 1 to 6; 0 for a paragraph. */
  level: number
  /** 1-based page on which the block starts: form feeds separate pages. null in a text without pages. */
  page: number | null
}

/** Separates the pages of a text. */
export const PAGE_BREAK = '\f'

/** The level of a line that is a Markdown heading: one to six `#` and a space. */
function headingLevel(line: string): number {
  let level = 0
  while (level < 7 && line[level] === '#') level += 1
  return level > 0 && level < 7 && line[level] === ' ' ? level : 0
}

/** The headings and paragraphs of a text in order, generated lazily. Paragraphs end at an empty line, a heading or a page break. */
export function* splitBlocks(text: string): Generator<Block> {
  let page = text.includes(PAGE_BREAK) ? 1 : null
  let open: Block | null = null
  for (let from = 0; from < text.length; ) {
    let end = from
    while (end < text.length && text[end] !== '\n' && text[end] !== PAGE_BREAK) end += 1
    const line = text.slice(from, end)
    const trimmed = line.trim()
    const start = from + line.length - line.trimStart().length
    const level = headingLevel(trimmed)
    if (open && (trimmed === '' || level > 0)) {
      yield open
      open = null
    }
    const block: Block = { from: start, to: start + trimmed.length, level, page }
    if (level > 0) yield block
    else if (open) open.to = block.to
    else if (trimmed !== '') open = block
    if (text[end] === PAGE_BREAK) {
      if (open) yield open
      open = null
      page = (page ?? 1) + 1
    }
    from = end + 1
  }
  if (open) yield open
}
