import { fromBufferPromise } from 'yauzl'
import { inflated } from '../../archives/inflated.ts'
import { readXml, type XmlElement } from './read-xml.ts'

/** The parts of a Word document as XML text; a part that the document lacks is ''. */
export interface DocxParts {
  body: string
  styles: string
  numbering: string
  footnotes: string
  endnotes: string
  comments: string
  headers: string[]
  footers: string[]
}

/**
 * The parts by their relationships, wherever they are in the archive, whose sizes have been checked.
 *
 * @param maxBytes of one part
 * @throws Error when there is no main document
 */
export async function docxParts(bytes: Buffer, maxBytes: number): Promise<DocxParts> {
  const files = await xmlFiles(bytes, maxBytes)
  const main = relationships(files, '', '_rels/.rels').find(({ type }) => type === 'officeDocument')?.path
  const path = main ?? 'word/document.xml'
  const body = files.get(path)
  if (body === undefined) throw new Error('the archive has no Word document')
  const slash = path.lastIndexOf('/') + 1
  const [folder, name] = [path.slice(0, slash), path.slice(slash)]
  const related = relationships(files, folder, `${folder}_rels/${name}.rels`)
  const all = (type: string) =>
    related.filter((one) => one.type === type).flatMap((one) => files.get(one.path) ?? [])
  const one = (type: string) => all(type)[0] ?? ''
  return {
    body,
    styles: one('styles'),
    numbering: one('numbering'),
    footnotes: one('footnotes'),
    endnotes: one('endnotes'),
    comments: one('comments'),
    headers: all('header'),
    footers: all('footer'),
  }
}

async function xmlFiles(bytes: Buffer, maxBytes: number): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true })
  const files = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const path: string = entry.fileName
    if (!/\.(?:xml|rels)$/i.test(path)) continue
    const chunks: Buffer[] = []
    for await (const chunk of inflated(zip, entry, maxBytes)) chunks.push(chunk)
    files.set(path, decodeXml(Buffer.concat(chunks)))
  }
  return files
}

/** XML of an Office document is UTF-8, or UTF-16 with its mark. */
function decodeXml(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder('utf-8').decode(bytes)
}

/** Targets inside of the archive; the last segment of a type is the same in the transitional and the strict form. */
function relationships(files: ReadonlyMap<string, string>, folder: string, path: string) {
  const found: { type: string; path: string }[] = []
  readXml(files.get(path) ?? '', {
    open({ name, attributes }: XmlElement) {
      if (name !== 'Relationship' || attributes.TargetMode === 'External') return
      const target = attributes.Target ?? ''
      found.push({
        type: attributes.Type?.split('/').at(-1) ?? '',
        path: target.startsWith('/') ? target.slice(1) : resolved(folder + target),
      })
    },
  })
  return found
}

function resolved(path: string): string {
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}
