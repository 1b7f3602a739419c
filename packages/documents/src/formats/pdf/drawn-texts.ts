/** The drawing of a page, as pdf.js reports it: functions by their numbers. */
interface Drawing {
  fnArray: readonly number[]
  argsArray: readonly unknown[]
}

interface DrawingFunctions {
  beginAnnotation: number
  endAnnotation: number
  showText: number
}

/** A wider gap within one text operation is a space; in thousandths of the font size. */
const SPACE = 200

/** The texts drawn by annotations, by annotation id: the text operations, separated by spaces. */
export function drawnTexts(drawing: Drawing, functions: DrawingFunctions): Map<string, string> {
  const texts = new Map<string, string>()
  let id: string | null = null
  for (const [index, called] of drawing.fnArray.entries()) {
    const args = drawing.argsArray[index]
    const first: unknown = Array.isArray(args) ? args[0] : null
    if (called === functions.beginAnnotation) id = typeof first === 'string' ? first : null
    else if (called === functions.endAnnotation) id = null
    else if (called === functions.showText && id !== null && Array.isArray(first)) {
      texts.set(id, `${texts.get(id) ?? ''} ${first.map(lettersOf).join('')}`)
    }
  }
  return texts
}

/** A glyph, or an offset of the next one: backwards if positive. */
function lettersOf(shown: unknown): string {
  if (typeof shown === 'number') return shown < -SPACE ? ' ' : ''
  if (typeof shown !== 'object' || shown === null || !('unicode' in shown)) return ''
  return typeof shown.unicode === 'string' ? shown.unicode : ''
}
