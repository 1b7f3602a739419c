import { ListLabels } from './numbering.ts'
import { readXml, type XmlElement } from './read-xml.ts'
import { headingOf, readStyles } from './styles.ts'

/** The styles and lists of a document. */
export interface WordContext {
  styleOf: ReturnType<typeof readStyles>
  labels: ListLabels
}

export function wordContext(styles: string, numbering: string): WordContext {
  return { styleOf: readStyles(styles), labels: new ListLabels(numbering) }
}

/** A container of paragraphs: the document, a cell, a text box or a note. */
type Place = string[]

interface Paragraph {
  text: string
  heading: number | null
  numId: string | null
  level: number
}

interface Table {
  place: Place
  rows: string[]
  cells: Place[] | null
}

/** Characters of the symbol fonts from which Word inserts symbols. */
const SYMBOLS: Readonly<Record<string, string>> = {
  ...{ F0FE: '☑', F0FD: '☒', F0FC: '✓', F0FB: '✗', F0A8: '☐', F06F: '☐', F0A3: '☐', F052: '☑', F053: '☒' },
  ...{ F0B7: '•', F0A7: '▪', F0E0: '→', F0E8: '→', F0DF: '←' },
}

/** Elements whose content is ignored: deleted and moved text, field codes, and fallbacks for older programs. */
const SKIPPED: ReadonlySet<string> = new Set(['delText', 'instrText', 'delInstrText', 'moveFrom', 'Fallback'])

const OFF: ReadonlySet<string> = new Set(['0', 'false', 'off'])

/**
 * Reads the parts of a document, each with {@link WordText.read}; the length limit applies to all of them
 * together.
 */
export class WordText {
  readonly #context: WordContext
  readonly #maxCharacters: number
  #length = 0

  constructor(context: WordContext, maxCharacters: number) {
    this.#context = context
    this.#maxCharacters = maxCharacters
  }

  get isFull(): boolean {
    return this.#length > this.#maxCharacters
  }

  /** Paragraphs, headings with `#`, and tables with a line for each row and tabs between cells. */
  read(xml: string): string[] {
    return [...this.#notes(xml, null).values()].flat()
  }

  /** The blocks of each note or comment by its label. */
  readNotes(xml: string, kind: 'footnote' | 'endnote' | 'comment'): Map<string, string[]> {
    return this.#notes(xml, kind)
  }

  #notes(xml: string, kind: string | null): Map<string, string[]> {
    const root: Place = []
    const notes = new Map<string, Place>()
    if (kind === null) notes.set('', root)
    const places: Place[] = [root]
    const paragraphs: Paragraph[] = []
    const tables: Table[] = []
    let skipped = 0
    let isText = false
    let checkBox: { isChecked: boolean } | null = null
    const { styleOf, labels } = this.#context

    const say = (text: string) => {
      const paragraph = paragraphs.at(-1)
      if (paragraph && skipped === 0) paragraph.text += text
    }
    const endParagraph = () => {
      const ended = paragraphs.pop()
      if (!ended) return
      const { text, heading, numId, level } = ended
      if (text.trim() === '') return
      const label = numId === null || numId === '0' ? '' : labels.next(numId, level)
      const isHeading = heading !== null && tables.length === 0
      const block = `${isHeading ? `${'#'.repeat(heading)} ` : ''}${label}${isHeading ? text.replaceAll('\n', ' ').trim() : text.trim()}`
      this.#length += block.length
      places.at(-1)?.push(block)
    }
    const open = (element: XmlElement) => {
      const { name, attributes } = element
      if (SKIPPED.has(name)) skipped += 1
      if (skipped > 0) return
      const paragraph = paragraphs.at(-1)
      switch (name) {
        case 'p':
          paragraphs.push({ text: '', heading: null, numId: null, level: 0 })
          return
        case 'pStyle': {
          if (!paragraph) return
          const style = styleOf(attributes.val ?? '')
          paragraph.heading = style.heading
          paragraph.numId = style.numId
          paragraph.level = style.level ?? 0
          return
        }
        case 'outlineLvl':
          if (paragraph) paragraph.heading = headingOf(Number(attributes.val) + 1)
          return
        case 'numId':
          if (paragraph) paragraph.numId = attributes.val ?? null
          return
        case 'ilvl':
          if (paragraph) paragraph.level = Number(attributes.val) || 0
          return
        case 't':
          isText = true
          return
        case 'tab':
          // Tab stops of a paragraph have the same name, and a position.
          if (attributes.pos === undefined) say('\t')
          return
        case 'ptab':
          return say('\t')
        case 'br':
        case 'cr':
          return say('\n')
        case 'noBreakHyphen':
          return say('-')
        case 'sym':
          return say(SYMBOLS[attributes.char?.toUpperCase() ?? ''] ?? '')
        case 'checkBox':
          checkBox = { isChecked: false }
          return
        case 'default':
        case 'checked':
          if (checkBox) checkBox.isChecked = !OFF.has(attributes.val ?? '1')
          return
        case 'den':
          return say('/')
        case 'sup':
          return say('^')
        case 'sub':
          return say('_')
        case 'footnoteReference':
          return say(`[^${attributes.id ?? ''}]`)
        case 'endnoteReference':
          return say(`[^e${attributes.id ?? ''}]`)
        case 'tbl':
          tables.push({ place: places.at(-1) ?? root, rows: [], cells: null })
          return
        case 'tr': {
          const table = tables.at(-1)
          if (table) table.cells = []
          return
        }
        case 'tc': {
          const cell: Place = []
          tables.at(-1)?.cells?.push(cell)
          places.push(cell)
          return
        }
        case 'txbxContent':
          // A text box is a place beside the paragraph that holds it.
          places.push(places.at(-1) ?? root)
          return
        default:
          if (name === kind) {
            const note: Place = []
            notes.set(
              kind === 'comment' ? `${attributes.author ?? ''}#${notes.size}` : (attributes.id ?? ''),
              note,
            )
            places.push(note)
          }
      }
    }
    const close = (name: string) => {
      if (SKIPPED.has(name)) {
        skipped = Math.max(0, skipped - 1)
        return
      }
      if (skipped > 0) return
      if (name === 't') isText = false
      else if (name === 'p') endParagraph()
      else if (name === 'checkBox' && checkBox) {
        say(checkBox.isChecked ? '☑' : '☐')
        checkBox = null
      } else if (name === 'tc' || name === 'txbxContent' || name === kind) places.pop()
      else if (name === 'tr') endRow(tables.at(-1))
      else if (name === 'tbl') {
        const table = tables.pop()
        if (table && table.rows.length > 0) table.place.push(table.rows.join('\n'))
      }
    }
    const text = (part: string) => {
      if (isText) say(part)
    }
    readXml(xml, { open, close, text }, () => this.isFull)
    return notes
  }
}

/** A row of several cells becomes a line; a single cell is layout, so its paragraphs are kept. */
function endRow(table: Table | undefined): void {
  const cells = table?.cells
  if (!table || !cells) return
  table.cells = null
  if (cells.length === 1) {
    if (cells[0]?.length) table.rows.push(cells[0].join('\n\n'))
    return
  }
  const line = cells.map((cell) => cell.join(' ').replace(/\s+/g, ' ').trim()).join('\t')
  if (line.trim() !== '') table.rows.push(line)
}
