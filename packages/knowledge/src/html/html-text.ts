/** Elements whose content is no text. */
const SKIPPED: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head'])
/** Elements within a line; every other one begins a new paragraph. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
)
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}
const LONGEST_ENTITY = 10
/** Characters after which other work may run. */
const PIECE = 64 * 1024

/**
 * The readable text of an HTML page in pieces that follow each other: tags, scripts and comments are left out, headings
 * are marked as in Markdown, and blocks are separated by empty lines. Takes one pass over the page.
 */
export function* htmlText(html: string): Generator<string> {
  let piece = ''
  let skipped: string | null = null
  for (let at = 0; at < html.length; ) {
    if (piece.length >= PIECE) {
      yield piece
      piece = ''
    }
    if (skipped !== null) {
      const close = html.indexOf('</', at)
      const tag = close === -1 ? { name: skipped, end: html.length } : tagAt(html, close)
      if (tag.name === skipped) skipped = null
      at = tag.end
      continue
    }
    if (!beginsTag(html, at)) {
      const next = html.indexOf('<', at + 1)
      const end = Math.min(next === -1 ? html.length : next, at + PIECE)
      piece += plain(html.slice(at, end))
      at = end
      continue
    }
    const tag = tagAt(html, at)
    if (!tag.closes && SKIPPED.has(tag.name)) skipped = tag.name
    else piece += separator(tag)
    at = tag.end
  }
  if (piece !== '') yield piece
}

interface Tag {
  /** In lower case; '' for comments and declarations. */
  name: string
  closes: boolean
  end: number
}

/** A `<` before anything but a name is text. */
function beginsTag(html: string, at: number): boolean {
  const next = html[at + 1] ?? ''
  return html[at] === '<' && ('/!?'.includes(next) ? next !== '' : isNameCharacter(next.charCodeAt(0)))
}

function tagAt(html: string, at: number): Tag {
  if (html.startsWith('<!--', at)) return { name: '', closes: false, end: after(html, '-->', at + 4) }
  const closes = html[at + 1] === '/'
  const start = closes ? at + 2 : at + 1
  let end = start
  while (end < start + 20 && isNameCharacter(html.charCodeAt(end))) end += 1
  return { name: html.slice(start, end).toLowerCase(), closes, end: after(html, '>', end) }
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from)
  return at === -1 ? html.length : at + mark.length
}

/** A letter or a digit; false at the end of the page. */
function isNameCharacter(code: number): boolean {
  const letter = code | 0x20
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

function separator({ name, closes }: Tag): string {
  if (name === 'br') return '\n'
  if (name === '' || INLINE.has(name)) return ''
  const level = name.length === 2 && name[0] === 'h' ? Number(name[1]) : 0
  return level >= 1 && level <= 6 && !closes ? `\n\n${'#'.repeat(level)} ` : '\n\n'
}

/** Text between two tags: white space is one space, and the usual entities are decoded. */
function plain(text: string): string {
  const line = text.split(/\s+/).join(' ')
  if (!line.includes('&')) return line
  const [first = '', ...rest] = line.split('&')
  return first + rest.map(decoded).join('')
}

function decoded(part: string): string {
  const end = part.slice(0, LONGEST_ENTITY).indexOf(';')
  const name = end === -1 ? '' : part.slice(0, end)
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCode = name.startsWith('#') && code > 0 && code <= 0x10ffff
  const character = isCode ? String.fromCodePoint(code).toWellFormed() : ENTITIES[name]
  return character === undefined ? `&${part}` : character + part.slice(end + 1)
}
