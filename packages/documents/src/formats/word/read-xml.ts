import { SaxesParser } from 'saxes'

/** An element with local names: Office documents choose their prefixes freely. */
export interface XmlElement {
  name: string
  attributes: Record<string, string | undefined>
}

/** What happens while XML is read. */
export interface XmlHandlers {
  open(element: XmlElement): void
  close?(name: string): void
  text?(text: string): void
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Characters that the parser gets at once. */
const PIECE = 64 * 1024

/**
 * Reads XML from its beginning to its end. Faults are passed over, as Office does with many of them; entities of a document type are
 * not resolved.
 *
 * @param isOver asked between pieces of 64 KB: true ends the reading
 */
export function readXml(xml: string, { open, close, text }: XmlHandlers, isOver = () => false): void {
  const parser = new SaxesParser({ xmlns: false, position: false })
  parser.on('error', () => {})
  parser.on('opentag', ({ name, attributes }) => {
    const local: Record<string, string> = Object.create(null)
    for (const [key, value] of Object.entries(attributes)) local[localName(key)] = String(value)
    open({ name: localName(name), attributes: local })
  })
  if (close) parser.on('closetag', ({ name }) => close(localName(name)))
  if (text) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  for (let at = 0; at < xml.length && !isOver(); at += PIECE) parser.write(xml.slice(at, at + PIECE))
  parser.close()
}
