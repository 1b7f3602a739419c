import { SaxesParser } from 'saxes'

/** An element with local names: Office documents choose their prefixes freely. */
export interface XmlElement {
  name: string
  attributes: Record<string, string | undefined>
}

/** Callbacks of the parser. */
export interface XmlHandlers {
  open(element: XmlElement): void
  close?(name: string): void
  text?(text: string): void
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Characters passed to the parser at once. */
const PIECE = 64 * 1024

/**
 * Reads XML from its beginning to its end. Errors are skipped, as Office does with many; DTD entities are not expanded.
 *
 * @param isOver called between pieces of 64 KB: true stops the parser
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
