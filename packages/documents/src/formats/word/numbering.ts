import { readXml } from './read-xml.ts'

/** One level of a list. */
interface ListLevel {
  format: string
  /** Such as `%1.%2`. */
  text: string
  start: number
}

const LEVELS = 9

/** The numbers and bullets of lists, counted in the order of the paragraphs. */
export class ListLabels {
  /** The levels of each list by its `numId`. */
  readonly #lists: ReadonlyMap<string, { key: string; levels: ReadonlyMap<number, ListLevel> }>
  readonly #counts = new Map<string, number[]>()

  constructor(numberingXml: string) {
    this.#lists = readLists(numberingXml)
  }

  /** The label of the next paragraph of a list, followed by a space; '' when the list has none. */
  next(numId: string, level: number): string {
    const list = this.#lists.get(numId)
    const own = list?.levels.get(level)
    if (!list || !own) return ''
    // Lists of one abstract definition continue each other's numbers.
    const counts = this.#counts.get(list.key) ?? Array<number>(LEVELS).fill(0)
    this.#counts.set(list.key, counts)
    const startOf = (at: number) => list.levels.get(at)?.start ?? 1
    counts[level] = (counts[level] ?? 0) + 1
    counts.fill(0, level + 1)
    if (own.format === 'none') return ''
    if (own.format === 'bullet') return '- '
    const label = own.text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1
      const count = startOf(at) + Math.max((counts[at] ?? 0) - 1, 0)
      return numberAs(list.levels.get(at)?.format ?? 'decimal', count)
    })
    return label === '' ? '' : `${label} `
  }
}

function readLists(xml: string) {
  const abstract = new Map<string, Map<number, ListLevel>>()
  const lists = new Map<string, { key: string; levels: ReadonlyMap<number, ListLevel> }>()
  let levels: Map<number, ListLevel> | null = null
  let level: ListLevel | null = null
  let numId: string | null = null
  readXml(xml, {
    open({ name, attributes }) {
      const value = attributes.val ?? ''
      if (name === 'abstractNum') {
        levels = new Map()
        abstract.set(attributes.abstractNumId ?? '', levels)
      } else if (name === 'lvl' && levels) {
        level = { format: 'decimal', text: '', start: 1 }
        levels.set(Number(attributes.ilvl ?? 0), level)
      } else if (name === 'num') numId = attributes.numId ?? null
      else if (name === 'abstractNumId' && numId !== null) {
        lists.set(numId, { key: value, levels: abstract.get(value) ?? new Map() })
      } else if (level && name === 'start') level.start = Number(value) || 0
      else if (level && name === 'numFmt') level.format = value
      else if (level && name === 'lvlText') level.text = value
    },
    close(name) {
      if (name === 'lvl') level = null
      if (name === 'abstractNum') levels = null
      if (name === 'num') numId = null
    },
  })
  return lists
}

const ROMAN: readonly (readonly [string, number])[] = [
  ...([
    ['m', 1000],
    ['cm', 900],
    ['d', 500],
    ['cd', 400],
  ] as const),
  ...([
    ['c', 100],
    ['xc', 90],
    ['l', 50],
    ['xl', 40],
  ] as const),
  ...([
    ['x', 10],
    ['ix', 9],
    ['v', 5],
    ['iv', 4],
    ['i', 1],
  ] as const),
]

function numberAs(format: string, count: number): string {
  if (format === 'lowerLetter') return letters(count)
  if (format === 'upperLetter') return letters(count).toUpperCase()
  if (format === 'lowerRoman') return roman(count)
  if (format === 'upperRoman') return roman(count).toUpperCase()
  if (format === 'decimalZero') return String(count).padStart(2, '0')
  return String(count)
}

/** Word's numbering: z is followed by aa, then bb. */
function letters(count: number): string {
  if (count < 1) return '0'
  const letter = String.fromCharCode(97 + ((count - 1) % 26))
  return letter.repeat(Math.min(Math.ceil(count / 26), 20))
}

function roman(count: number): string {
  let text = ''
  let left = Math.min(Math.max(count, 0), 9_999)
  for (const [letter, value] of ROMAN) {
    while (left >= value) {
      text += letter
      left -= value
    }
  }
  return text || '0'
}
