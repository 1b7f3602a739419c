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

/** A wider gap in a text that is shown at once is a space, in thousandths of the size of the font. */
const SPACE = 200

/** The texts that annotations draw, by the ids of the annotations: each text that is shown at once, with spaces between them. */
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

/** A glyph, or a number that moves the next one: back when it is positive. */
function lettersOf(shown: unknown): string {
  if (typeof shown === 'number') return shown < -SPACE ? ' ' : ''
  if (typeof shown !== 'object' || shown === null || !('unicode' in shown)) return ''
  return typeof shown.unicode === 'string' ? shown.unicode : ''
}
