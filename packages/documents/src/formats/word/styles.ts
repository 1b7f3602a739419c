import { readXml } from './read-xml.ts'

/** The properties of a paragraph style that affect the text. */
interface ParagraphStyle {
  /** 1 to 6 for a heading. */
  heading: number | null
  numId: string | null
  level: number | null
}

interface ReadStyle extends ParagraphStyle {
  basedOn: string | null
}

/** Maximum length of a chain of styles, which in a damaged document may be a cycle. */
const LONGEST_CHAIN = 20

/** Headings and lists of paragraph styles by the id of the style, including inherited ones. */
export function readStyles(xml: string): (styleId: string) => ParagraphStyle {
  const styles = new Map<string, ReadStyle>()
  let style: ReadStyle | null = null
  readXml(xml, {
    open({ name, attributes }) {
      const value = attributes.val ?? ''
      if (name === 'style') {
        style = { heading: null, numId: null, level: null, basedOn: null }
        styles.set(attributes.styleId ?? '', style)
      } else if (!style) return
      else if (name === 'basedOn') style.basedOn = value
      else if (name === 'outlineLvl') style.heading = headingOf(Number(value) + 1)
      else if (name === 'numId') style.numId = value
      else if (name === 'ilvl') style.level = Number(value) || 0
      else if (name === 'name') style.heading ??= headingOfName(value)
    },
    close(name) {
      if (name === 'style') style = null
    },
  })
  return (styleId) => {
    const found: ParagraphStyle = { heading: null, numId: null, level: null }
    let at = styles.get(styleId)
    if (!at) return { ...found, heading: headingOfName(styleId) }
    for (let steps = 0; at && steps < LONGEST_CHAIN; steps += 1) {
      found.heading ??= at.heading
      found.numId ??= at.numId
      found.level ??= at.level
      at = at.basedOn === null ? undefined : styles.get(at.basedOn)
    }
    return found
  }
}

/** `w:outlineLvl` counts from 0; 9 is body text. */
export function headingOf(level: number): number | null {
  return level >= 1 && level <= 9 ? Math.min(level, 6) : null
}

function headingOfName(name: string): number | null {
  const level = /^heading ?([1-9])$/i.exec(name)?.[1]
  if (level !== undefined) return headingOf(Number(level))
  return /^title$/i.test(name) ? 1 : null
}
