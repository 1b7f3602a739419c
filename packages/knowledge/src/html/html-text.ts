import { Parser } from 'htmlparser2'
import { PageReader } from './page-reader.ts'

/** Characters parsed without a pause; other work may run between two pieces. */
const PIECE = 64 * 1024

/**
 * The readable text of an HTML page in successive pieces: headings are marked as in Markdown, rows of tables are lines with tabs between
 * their cells, list items begin with a dash, and other blocks are separated by empty lines. Takes one pass.
 */
export function* htmlText(html: string): Generator<string> {
  const reader = new PageReader()
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    onclosetag: (name) => reader.close(name),
    ontext: (text) => reader.text(text),
  })
  for (let at = 0; at < html.length; at += PIECE) {
    parser.write(html.slice(at, at + PIECE))
    const piece = reader.take()
    if (piece !== '') yield piece
  }
  parser.end()
  const last = reader.take()
  if (last !== '') yield last
}
