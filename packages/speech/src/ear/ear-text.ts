import { codeLeftOut } from './left-out.ts'
import { closedSentence, markupText, spokenLine, spokenPart } from './spoken-markdown.ts'

/** Maximum characters of an unfinished construct; beyond it, the construct is spoken as plain text. */
const LONGEST_PIECE = 2_000
const LONGEST_BLOCK = 20_000
/** Maximum lines and characters of code that is read aloud, such as a password. */
const READ_CODE = { lines: 2, characters: 120 }
/** Tags of thoughts that a model writes into its text. */
const THOUGHT = /^<(think|thinking|thought|reasoning)>$/i
const THOUGHT_NAMES = ['think', 'thinking', 'thought', 'reasoning']

const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** The line below the header of a table. */
const TABLE_LINE = /^[\s|:-]+$/
const FORMULA_BEGINS = /^\s*(?:\$\$|\\\[)/
/** Marks of headings, lists, quotes and tasks, or a number that may become one. */
const MARKS_ONLY = /^[\s\-*+>#\d.)[\]xX]*$/
const BLOCK_TAG =
  /^\s*<(table|ul|ol|dl|div|p|details|pre|style|script|section|article|header|footer|h[1-6]|blockquote|head|html|body)\b/i
const SPECIAL = /[`*_$\\<[\]|~&!【#]|https?:/
const OWN_SENTENCE = /^\s*(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|\|)/
const SENTENCE_END = /[.!?。！？…:;]["'”’)\]]?$/

type Block =
  | { kind: 'code'; fence: string; lines: string[] }
  | { kind: 'table'; header: readonly string[] }
  | { kind: 'html'; end: string; text: string }
  | { kind: 'formula'; end: string; text: string }

/**
 * Converts written text for a listener: no Markdown or HTML, tables as sentences of their headers and cells, the host of an address instead
 * of the address, signs instead of LaTeX, no thoughts, source numbers or pictograms. Long code is announced instead of read.
 *
 * Accepts the text in arbitrary pieces and emits each part as soon as later text cannot change it: words immediately, and a construct (a
 * link, a formula, a row) when it is complete. The output does not depend on the boundaries of the pieces. Linear in the text.
 */
export class EarText {
  readonly #language: string
  /** The part of the line that is not emitted yet. */
  #pending = ''
  #isLineStart = true
  /** The block of the current line, as context for the next line; null after a part of the line was emitted. */
  #block: Block | null = null
  /** A line that may be the header of a table. */
  #header: string | null = null
  /** Whether the line so far is a separate sentence, such as a heading. */
  #isOwnSentence = false
  /** A line of a paragraph ended without punctuation; the next line decides whether the sentence ended. */
  #isOpenLine = false
  #lastGiven = ''
  /** The space between the last part and the next, which may begin with punctuation that has no space before it. */
  #space = ''
  #thought: string | null = null
  /** An unfinished tag that may begin or end a thought. */
  #tag = ''

  /** @param language BCP 47, of the words that replace omitted parts */
  constructor(language: string) {
    this.#language = language
  }

  /** Adds the next piece of the text and returns the speakable part. */
  add(piece: string): string {
    let given = ''
    for (const letter of piece) given += this.#addOutsideThoughts(letter)
    return given
  }

  /** Returns the rest at the end of the text. */
  end(): string {
    let given = ''
    const tag = this.#tag
    this.#tag = ''
    if (this.#thought === null) for (const letter of tag) given += this.#addLetter(letter)
    if (this.#pending !== '') given += this.#endLine(this.#pending, true)
    given += this.#endBlock() + this.#endHeader()
    // A filler or an answer may follow in the same transcript.
    return given + this.#closeLine() + this.#space
  }

  #addOutsideThoughts(letter: string): string {
    if (this.#tag !== '' || letter === '<') {
      const tag = this.#tag + letter
      if (mayBeThoughtTag(tag, this.#thought)) {
        this.#tag = ''
        if (this.#thought !== null) {
          if (tag.toLowerCase() !== `</${this.#thought}>`) this.#tag = tag
          else this.#thought = null
        } else {
          const name = THOUGHT.exec(tag)?.[1]
          if (name === undefined) this.#tag = tag
          else this.#thought = name.toLowerCase()
        }
        return ''
      }
      this.#tag = ''
      // Not such a tag: the buffered characters are text, and the letter may begin another.
      let given = ''
      if (this.#thought === null)
        for (const held of tag.slice(0, -letter.length)) given += this.#addLetter(held)
      if (letter === '<') {
        this.#tag = letter
        return given
      }
      return this.#thought === null ? given + this.#addLetter(letter) : given
    }
    return this.#thought === null ? this.#addLetter(letter) : ''
  }

  #addLetter(letter: string): string {
    if (letter === '\r') return ''
    if (letter === '\n') {
      const line = this.#pending
      this.#pending = ''
      return this.#endLine(line, false)
    }
    this.#pending += letter
    const isFull = this.#pending.length >= LONGEST_PIECE
    if (!isFull && letter !== ' ' && !/[。！？]/.test(letter)) return ''
    if (this.#block !== null && this.#block.kind !== 'table')
      return isFull ? this.#endLine(this.#takePending(), true) : ''
    if (!isFull && !this.#isSettled()) return ''
    const line = this.#takePending()
    if (!this.#isLineStart) return this.#emit(line)
    const closed = this.#endBlock() + this.#endHeader()
    return closed + (OWN_SENTENCE.test(line) ? this.#closeLine() : '') + this.#emit(line)
  }

  #takePending(): string {
    const taken = this.#pending
    this.#pending = ''
    return taken
  }

  /** Whether later text cannot change how the pending part of the line is spoken. */
  #isSettled(): boolean {
    const text = this.#pending
    if (this.#isLineStart && !isPlainBeginning(text)) return false
    if (!SPECIAL.test(text.trimStart().replace(/^#{1,6}\s/, ''))) return true
    // A row of a table is known by its end.
    return !text.includes('|') && SENTENCE_END.test(text.trimEnd()) && isClosed(text)
  }

  /** Handles the end of a line, or of the text within it. */
  #endLine(line: string, isUnfinished: boolean): string {
    const block = this.#block
    if (block !== null) {
      const given = this.#goOn(block, line)
      if (given !== null) return given
    }
    if (!this.#isLineStart) return this.#emit(line) + this.#lineEnd(isUnfinished)
    if (this.#header !== null) {
      const header = this.#header
      if (TABLE_LINE.test(line) && line.includes('-') && cellsOf(line).length === cellsOf(header).length) {
        this.#header = null
        this.#block = { kind: 'table', header: cellsOf(header) }
        return this.#closeLine()
      }
    }
    const before = this.#endHeader()
    if (line.trim() === '') return before + this.#closeLine()
    const begun = this.#begin(line, isUnfinished)
    if (begun !== null) return before + this.#closeLine() + begun
    if (TABLE_LINE.test(line) && line.includes('|')) return before
    if (line.includes('|') && !isUnfinished) {
      const closed = this.#closeLine()
      this.#header = line
      return before + closed
    }
    const isOwn = OWN_SENTENCE.test(line)
    const closed = isOwn ? this.#closeLine() : ''
    return before + closed + this.#emit(line) + this.#lineEnd(isUnfinished)
  }

  /** A line that begins a block: nothing is emitted before the block is known; null for another line. */
  #begin(line: string, isUnfinished: boolean): string | null {
    const fence = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      this.#block = { kind: 'code', fence, lines: [] }
      return ''
    }
    const tag = BLOCK_TAG.exec(line)?.[1]?.toLowerCase()
    if (tag !== undefined) {
      this.#block = { kind: 'html', end: `</${tag}`, text: '' }
      return this.#goOn(this.#block, line) ?? ''
    }
    if (FORMULA_BEGINS.test(line) && !isUnfinished) {
      const end = line.trimStart().startsWith('$$') ? '$$' : '\\]'
      if (line.trim().slice(2).includes(end)) return null
      this.#block = { kind: 'formula', end, text: '' }
      return this.#goOn(this.#block, line) ?? ''
    }
    return null
  }

  /** A line within a block; null if the block ended before it. */
  #goOn(block: Block, line: string): string | null {
    switch (block.kind) {
      case 'code': {
        const closing = FENCE.exec(line)?.[1]
        const isClosed = closing?.startsWith(block.fence) && line.trim() === closing
        if (isClosed) return this.#endBlock()
        if (block.lines.length <= READ_CODE.lines) block.lines.push(line.slice(0, LONGEST_PIECE))
        return ''
      }
      case 'table': {
        if (!line.includes('|') || line.trim() === '') {
          this.#block = null
          return null
        }
        return this.#sentence(rowText(block.header, cellsOf(line)))
      }
      case 'html': {
        block.text += `${line}\n`
        const isOver = line.toLowerCase().includes(block.end)
        return isOver || block.text.length > LONGEST_BLOCK ? this.#endBlock() : ''
      }
      case 'formula': {
        const isFirst = block.text === ''
        block.text += `${line} `
        const isOver = (isFirst ? line.trim().slice(2) : line).includes(block.end)
        return isOver || block.text.length > LONGEST_PIECE ? this.#endBlock() : ''
      }
      default:
        return block satisfies never
    }
  }

  #endBlock(): string {
    const block = this.#block
    this.#block = null
    switch (block?.kind) {
      case undefined:
      case 'table':
        return ''
      case 'code': {
        const code = block.lines.join('\n').trim()
        const isShort = block.lines.length <= READ_CODE.lines && code.length <= READ_CODE.characters
        return this.#sentence(isShort ? code : codeLeftOut(this.#language))
      }
      case 'html':
        return this.#sentence(markupText(block.text))
      case 'formula': {
        const text = block.text.trim()
        return this.#sentence(spokenPart(text.endsWith(block.end) ? text : `${text}${block.end}`))
      }
      default:
        return block satisfies never
    }
  }

  /** A line with a `|` that turned out not to be a header. */
  #endHeader(): string {
    const header = this.#header
    this.#header = null
    return header === null ? '' : this.#sentence(spokenLine(header.replace(/^\s*\||\|\s*$/g, '')))
  }

  #sentence(text: string): string {
    const trimmed = text.trim()
    return trimmed === '' ? '' : this.#noted(`${closedSentence(trimmed)}\n`)
  }

  /** Emits a part of a line. */
  #emit(part: string): string {
    const isStart = this.#isLineStart
    this.#isLineStart = false
    if (isStart) {
      this.#isOwnSentence = OWN_SENTENCE.test(part)
      // A link definition is not spoken.
      if (/^\s*\[[^\]\n]{1,200}\]:\s/.test(part)) return ''
    }
    const text = isStart ? spokenLine(part) : spokenPart(part)
    if (!isStart && part.includes('|')) this.#isOwnSentence = true
    const body = text.trim()
    const ownSpace = /^\s/.test(part) ? ' ' : ''
    const space = isStart ? (this.#isOpenLine ? ' ' : '') : this.#space || ownSpace
    this.#space = /\s$/.test(part) ? ' ' : body === '' ? space : ''
    if (body === '') return ''
    if (isStart) this.#isOpenLine = false
    // Only punctuation remains of "[1]." or of a pictogram.
    const isSign = /^[.,;:!?)，、。！？]/.test(body) && !/^\s*[.,;:!?)]/.test(part)
    return this.#noted(`${isSign || body.startsWith(',') ? '' : space}${body}`)
  }

  #noted(text: string): string {
    if (text !== '') this.#lastGiven = text
    return text
  }

  #lineEnd(isUnfinished: boolean): string {
    this.#isLineStart = !isUnfinished
    const isOwn = this.#isOwnSentence
    this.#isOwnSentence = false
    this.#space = ''
    this.#isOpenLine = this.#lastGiven.trim() !== '' && !this.#lastGiven.endsWith('\n')
    return isOwn ? this.#closeLine() : ''
  }

  /** Ends the sentence of a line without punctuation. */
  #closeLine(): string {
    if (!this.#isOpenLine) return ''
    this.#isOpenLine = false
    const last = this.#lastGiven.trimEnd()
    return this.#noted(`${closedSentence(last).slice(last.length)}\n`)
  }
}

/** The complete output of {@link EarText} for a text. */
export function earText(text: string, language: string): string {
  const ear = new EarText(language)
  return `${ear.add(text)}${ear.end()}`.trim()
}

/** Whether `tag` can be continued to a tag that begins a thought, or to the end of the open thought. */
function mayBeThoughtTag(tag: string, open: string | null): boolean {
  const small = tag.toLowerCase()
  const names = open === null ? THOUGHT_NAMES.map((name) => `<${name}>`) : [`</${open}>`]
  return names.some((name) => name.startsWith(small))
}

/** Whether the beginning of a line is text and not the mark of a block. */
function isPlainBeginning(text: string): boolean {
  if (MARKS_ONLY.test(text) || text.includes('|')) return false
  const begin = text.trimStart()
  return !/^(?:`{3}|~{3}|\$\$|\\\[|<|\[|-{3}|={3}|\*{3})/.test(begin)
}

/** Whether every link, code, formula and tag of a piece is complete. */
function isClosed(text: string): boolean {
  const count = (sign: string) => text.split(sign).length - 1
  const isOpen = (begin: string, end: string) => text.lastIndexOf(begin) > text.lastIndexOf(end)
  if (count('`') % 2 !== 0 || count('[') !== count(']') || count('$$') % 2 !== 0) return false
  if (isOpen('](', ')') || isOpen('【', '】') || isOpen('\\(', '\\)') || isOpen('\\[', '\\]')) return false
  if (isOpen('<', '>') && /^<[a-z/!]/i.test(text.slice(text.lastIndexOf('<')))) return false
  return !hasOpenFormula(text)
}

/** Whether a `$` that can begin a formula has no partner. */
function hasOpenFormula(text: string): boolean {
  let isOpen = false
  const signs = text.split('$')
  for (const [at, behind] of signs.slice(1).entries()) {
    if (isOpen) isOpen = /\s$/.test(signs[at] ?? '')
    else isOpen = /^[^\s\d]/.test(behind)
  }
  return isOpen
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => spokenPart(cell.replaceAll('\\|', '|').trim()).trim())
}

function rowText(header: readonly string[], cells: readonly string[]): string {
  return cells
    .map((cell, at) => {
      const name = header[at] ?? ''
      return cell === '' || name === '' ? cell : `${name}: ${cell}`
    })
    .filter((cell) => cell !== '')
    .join(', ')
}
