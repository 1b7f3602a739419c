/** A piece of text of a page, as pdf.js reports it. Marks of tagged content have no text. */
interface TextItem {
  /** Absent for a mark. */
  str?: string
  type?: string
  /** The transformation of the page: [scale x, skew, skew, scale y, x, y]. */
  transform?: readonly number[]
  width?: number
  height?: number
  /** Whether a line ends after it. */
  hasEOL?: boolean
}

interface PlacedText {
  text: string
  /** The x of its beginning, in the direction of its line, including for rotated text. */
  x: number
  /** The y of its base line. */
  y: number
  /** The angle of its line, in radians. */
  angle: number
  width: number
  /** Size of the font. */
  em: number
}

/** A wider gap between neighbours is a space; relative to the font size. */
const SPACE = 0.1
/** The same text repeated within this distance, relative to the font size, is a shadow or simulated bold. */
const SHADOW = 0.1
/** A repetition is drawn within this many texts after the original. */
const SHADOWS_WITHIN = 6
/** Texts whose angles differ by more, in radians, are on different lines. */
const SAME_ANGLE = 0.05

/**
 * The text of a page: a space where neighbours on a line do not touch, a new line where the base line changes, and words that were
 * hyphenated at the end of a line in one piece.
 */
export function pageText(items: readonly TextItem[]): string {
  let text = ''
  let before: PlacedText | null = null
  const last: PlacedText[] = []
  for (const item of items) {
    if (item.str === undefined) continue
    if (item.transform === undefined) {
      // The position of text in an XFA form is unknown: each is a paragraph, a label or a caption.
      if (item.str.trim() !== '') text += `${withoutControls(item.str)}\n`
      continue
    }
    const placed = placedText(item)
    if (placed && last.some((one) => isShadow(one, placed))) {
      if (item.hasEOL && !text.endsWith('\n')) text += '\n'
      continue
    }
    if (placed) {
      if (before) text += between(text, before, placed)
      if (last.push(placed) > SHADOWS_WITHIN) last.shift()
    }
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
  const angle = Math.atan2(b, a)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const em = height || Math.hypot(a, b) || 1
  return { text: str, x: x * cos + y * sin, y: y * cos - x * sin, angle, width, em }
}

function isShadow(one: PlacedText, other: PlacedText): boolean {
  const far = SHADOW * Math.min(one.em, other.em)
  return (
    one.text === other.text &&
    Math.abs(one.angle - other.angle) < SAME_ANGLE &&
    Math.abs(one.x - other.x) <= far &&
    Math.abs(one.y - other.y) <= far
  )
}

function between(text: string, before: PlacedText, now: PlacedText): string {
  if (/\s$/.test(text) || /^\s/.test(now.text)) return ''
  if (Math.abs(now.angle - before.angle) > SAME_ANGLE) return '\n'
  const em = Math.max(Math.min(before.em, now.em), 0.1)
  const far = Math.abs(now.y - before.y)
  if (far > Math.max(before.em, now.em) * 0.6) return '\n'
  // Small text below a heading, at a distance of less than the heading's height.
  const isBelow = now.x < before.x + before.width - em * SPACE && now.x + now.width > before.x
  if (isBelow && far > em * 0.6) return '\n'
  const forward = now.x - (before.x + before.width)
  const backward = before.x - (now.x + now.width)
  // The larger one is the gap; the other is negative.
  return Math.max(forward, backward) > em * SPACE ? ' ' : ''
}

/**
 * Fonts without a map to Unicode yield glyph codes, which are control characters. One between letters is a space: the
 * only glyph whose name does not identify a character.
 */
function withoutControls(text: string): string {
  return text.replace(/(?![\t\n\f\r])\p{Cc}+/gu, ' ')
}

/** A soft hyphen, or a hyphen between a letter and a small letter of the next line. */
function joinHyphenated(text: string): string {
  return text.replace(/\u00ad\n?/g, '').replace(/(?<=\p{L})[-\u2010]\n(?=\p{Ll})/gu, '')
}
