import { Parser } from 'htmlparser2'
import { decodeMarkup } from './decode-text.ts'
import type { ParsedText } from './unreadable.ts'

/** Elements whose content is no text for readers. */
const SKIPPED: ReadonlySet<string> = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'title', 'textarea', 'select'],
])
/** Elements that stand within a line; every other one begins a new block. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
/** A page may begin in its head and never end it: these elements end it. */
const IN_HEAD: ReadonlySet<string> = new Set([
  'head',
  'meta',
  'link',
  'base',
  'title',
  'style',
  'script',
  'noscript',
])
const PIECE = 64 * 1024

/**
 * The readable text of a web page: headings are marked as in Markdown, rows of tables are lines with tabs between their cells, items
 * of lists begin with a dash, and other blocks are separated by empty lines.
 */
export function parseHtml(bytes: Buffer, maxCharacters: number): ParsedText {
  const html = decodeMarkup(bytes)
  const reader = new PageReader()
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      onclosetag: (name) => reader.close(name),
      ontext: (text) => reader.text(text),
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  let at = 0
  for (; at < html.length && reader.length <= maxCharacters; at += PIECE)
    parser.write(html.slice(at, at + PIECE))
  parser.end()
  const text = reader.whole()
  return { text, isCut: at < html.length || text.length > maxCharacters }
}

class PageReader {
  length = 0
  readonly #pieces: string[] = []
  #skipped: string | null = null
  #skippedDepth = 0
  #pre = 0
  #cells = 0
  /** Separators that were asked for since the last text; the strongest counts. */
  #gap = ''

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#skipped !== null) {
      if (name === this.#skipped) this.#skippedDepth += 1
      return
    }
    if (SKIPPED.has(name) || 'hidden' in attributes) {
      // A void element has no end.
      if (name === 'input') return
      this.#skipped = name
      this.#skippedDepth = 1
      return
    }
    if (name === 'pre') this.#pre += 1
    if (name === 'br') return this.#ask(this.#cells > 0 ? ' ' : '\n')
    if (name === 'tr') {
      this.#ask('\n')
      this.#cells = 0
      return
    }
    if (name === 'td' || name === 'th') {
      if (this.#cells > 0) this.#ask('\t')
      this.#cells += 1
      return
    }
    if (name === 'table') return this.#ask('\n\n')
    if (name === 'li') {
      this.#ask('\n')
      this.#say('- ')
      return
    }
    this.#block(name)
    const level = /^h([1-6])$/.exec(name)?.[1]
    if (level !== undefined && this.#cells === 0) this.#say(`${'#'.repeat(Number(level))} `)
    if (name === 'img' && attributes.alt) this.text(` ${attributes.alt} `)
  }

  close(name: string): void {
    if (this.#skipped !== null) {
      if (name === this.#skipped) this.#skippedDepth -= 1
      if (this.#skippedDepth === 0) this.#skipped = null
      return
    }
    if (name === 'pre') this.#pre = Math.max(0, this.#pre - 1)
    if (name === 'table') {
      this.#cells = 0
      this.#ask('\n\n')
    } else if (name === 'tr' || name === 'li') this.#ask('\n')
    else if (name !== 'td' && name !== 'th' && name !== 'br') this.#block(name)
  }

  text(text: string): void {
    if (this.#skipped !== null) return
    const shown = this.#pre > 0 ? text : text.replace(/[\t\n\r\f ]+/g, ' ')
    if (shown.trim() === '' && this.#pre === 0) {
      if (shown !== '' && this.#gap === '' && !this.#endsWithSpace()) this.#gap = ' '
      return
    }
    this.#say(shown)
  }

  whole(): string {
    return this.#pieces
      .join('')
      .replace(/[ \t]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  }

  #block(name: string): void {
    if (INLINE.has(name) || IN_HEAD.has(name)) return
    this.#ask(this.#cells > 0 ? ' ' : '\n\n')
  }

  #ask(gap: string): void {
    const strength = [' ', '\t', '\n', '\n\n']
    if (strength.indexOf(gap) > strength.indexOf(this.#gap)) this.#gap = gap
  }

  #say(text: string): void {
    const isFirst = this.#pieces.length === 0
    const gap = isFirst ? '' : this.#gap
    const piece = gap + (gap !== '' || this.#endsWithSpace() ? text.trimStart() : text)
    this.#gap = ''
    this.#pieces.push(piece)
    this.length += piece.length
  }

  #endsWithSpace(): boolean {
    const last = this.#pieces.at(-1)
    return last === undefined || /\s$/.test(last)
  }
}
