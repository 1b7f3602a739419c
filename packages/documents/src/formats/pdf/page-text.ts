/** A piece of text of a page, as pdf.js reports it. Marks of tagged content have no text. */
interface TextItem {
  /** Absent for a mark. */
  str?: string
  type?: string
  /** Of the page: [scale x, skew, skew, scale y, x, y]. */
  transform?: readonly number[]
  width?: number
  height?: number
  /** Whether a line ends behind it. */
  hasEOL?: boolean
}

interface PlacedText {
  text: string
  x: number
  y: number
  width: number
  /** Size of the font. */
  em: number
}

/** A wider gap between neighbours is a space, in parts of the size of the font. */
const SPACE = 0.1

/**
 * The text of a page: a space where neighbours on a line do not touch, a new line where the base line changes, and words that were
 * hyphenated at the end of a line in one piece.
 */
export function pageText(items: readonly TextItem[]): string {
  let text = ''
  let before: PlacedText | null = null
  for (const item of items) {
    if (item.str === undefined) continue
    const placed = placedText(item)
    if (placed && before) text += between(text, before, placed)
    text += withoutControls(item.str)
    if (placed) before = placed
    if (item.hasEOL) {
      text += '\n'
      before = null
    }
  }
  return joinHyphenated(text)
}

function placedText({ str = '', transform, width = 0, height = 0 }: TextItem): PlacedText | null {
  if (str.trim() === '' || !transform) return null
  const [a = 0, b = 0, , , x = 0, y = 0] = transform
  // Rotated text is compared by nothing but its order.
  if (Math.abs(b) > Math.abs(a) * 0.01) return null
  return { text: str, x, y, width, em: height || Math.abs(a) || 1 }
}

function between(text: string, before: PlacedText, now: PlacedText): string {
  if (/\s$/.test(text) || /^\s/.test(now.text)) return ''
  const em = Math.max(Math.min(before.em, now.em), 0.1)
  if (Math.abs(now.y - before.y) > Math.max(before.em, now.em) * 0.6) return '\n'
  const forward = now.x - (before.x + before.width)
  const backward = before.x - (now.x + now.width)
  // One of both is the distance; the other is negative by both widths.
  return Math.max(forward, backward) > em * SPACE ? ' ' : ''
}

/** Fonts without a map to Unicode bring the codes of their glyphs, which are control characters. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, (control) => ('\t\n\f\r'.includes(control) ? control : ''))
}

/** A soft hyphen, or a hyphen between a letter and a small letter of the next line. */
function joinHyphenated(text: string): string {
  return text.replace(/\u00ad\n?/g, '').replace(/(?<=\p{L})[-\u2010]\n(?=\p{Ll})/gu, '')
}
