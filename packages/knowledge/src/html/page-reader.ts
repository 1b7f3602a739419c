/** Elements without readable text. */
const SKIPPED: ReadonlySet<string> = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'title', 'textarea', 'select'],
])
/** Inline elements; every other one begins a new block. */
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

/** Collects the text of a page while its elements open and close. */
export class PageReader {
  #text = ''
  #isFirst = true
  #endsWithSpace = true
  #skipped: string | null = null
  #skippedDepth = 0
  #pre = 0
  #cells = 0
  /** The strongest separator requested since the last text. */
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
    if (name === 'br') {
      this.#ask(this.#cells > 0 ? ' ' : '\n')
      return
    }
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
    if (name === 'table') {
      this.#ask('\n\n')
      return
    }
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
      if (shown !== '' && this.#gap === '' && !this.#endsWithSpace) this.#gap = ' '
      return
    }
    this.#say(shown)
  }

  /** The text since the last call. */
  take(): string {
    const taken = this.#text
    this.#text = ''
    return taken
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
    const gap = this.#isFirst ? '' : this.#gap
    const piece = gap !== '' || this.#endsWithSpace ? text.trimStart() : text
    this.#gap = ''
    if (piece === '') return
    // White space at the end of a line is insignificant.
    if (gap.startsWith('\n')) this.#text = this.#text.trimEnd()
    this.#text += gap + piece
    this.#isFirst = false
    this.#endsWithSpace = /\s$/.test(piece)
  }
}
