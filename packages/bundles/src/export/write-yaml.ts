import { type BundleOrganization, leftOutLine } from '@troupe/contract'
import { Document, isMap, isScalar, type Node, visit } from 'yaml'
import { escapeVariables } from '../read/variables.ts'

const HEAD = ` A Troupe bundle without secrets. Applying it to its origin changes nothing, because omitted things are kept.
 On another installation, keys without a secret get a new one, the credentials named in comments must be set, and
 documents that have neither text nor url need a path.`

/**
 * Line breaks of texts are never folded. `yaml` 2.9.1 loses them if an adjacent line consists of spaces: in folded
 * blocks, and in long texts between double quotes that begin with one.
 */
const LAYOUT = { lineWidth: 110, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }

/** Slugs of LLM configurations that have credentials, by the id of the configuration. */
export type CredentialNames = ReadonlyMap<string, readonly string[]>

/**
 * Characters that YAML does not allow unescaped (controls and noncharacters), and those that only some readers treat as
 * line breaks or a byte order mark.
 */
const UNPRINTABLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/
const EVERY_UNPRINTABLE = new RegExp(UNPRINTABLE, 'g')

/**
 * Writes a bundle as readable YAML that every reader of YAML 1.1 or 1.2 understands in the same way: no anchors, long
 * texts as blocks, hints where a secret is omitted.
 */
export function writeYaml(
  organizations: readonly BundleOrganization[],
  credentialNames: CredentialNames,
): string {
  const document = new Document(
    { apiVersion: 'troupe/v1', organizations },
    { aliasDuplicateObjects: false, version: '1.2' },
  )
  const leftOut = leftOutLine(organizations.flatMap(withoutContents))
  document.commentBefore = leftOut === null ? HEAD : `${HEAD}\n\n ${leftOut}`
  visit(document, {
    Scalar(key, node) {
      // Variables are never interpolated in keys.
      if (key !== 'key' && typeof node.value === 'string') node.value = escapeVariables(node.value)
      if (typeof node.value !== 'string') return
      if (needsQuotes(node.value)) node.type = 'QUOTE_DOUBLE'
      else if (node.value.includes('\n')) node.type = 'BLOCK_LITERAL'
    },
  })
  addHints(document, credentialNames)
  return document.toString(LAYOUT).replaceAll(EVERY_UNPRINTABLE, escaped)
}

/** Uploaded documents and long skills, whose contents are not included in a bundle. */
function withoutContents({ knowledgeBases = [], skills = [] }: BundleOrganization): string[] {
  const documents = knowledgeBases.flatMap(({ slug, documents = [] }) =>
    documents
      .filter(({ text, url, path }) => text === undefined && url === undefined && path === undefined)
      .map(({ name }) => `document ${name ?? ''} of ${slug}`),
  )
  const long = skills.filter(({ files, path }) => files === undefined && path === undefined)
  return [...documents, ...long.map(({ slug }) => `files of the skill ${slug}`)]
}

/**
 * Whether a text is only safe between double quotes, where every character can be escaped: a block would lose the
 * spaces of blank lines, and not every reader accepts a tab in a plain text.
 */
function needsQuotes(text: string): boolean {
  return UNPRINTABLE.test(text) || !/\S/.test(text) || (text.includes('\t') && !text.includes('\n'))
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function addHints(document: Document, credentialNames: CredentialNames): void {
  visit(document, {
    Map(_key, node) {
      const id = node.get('id')
      const names = typeof id === 'string' ? credentialNames.get(id) : undefined
      const address = node.items.find(({ key }) => isScalar(key) && key.value === 'address')
      const auth = node.get('auth')
      if (address && isMap(auth)) {
        auth.commentBefore = ` password: "\${${screaming(`${node.get('slug')}`)}_PASSWORD}"`
        return
      }
      const hosts = node.items.find(({ key }) => isScalar(key) && key.value === 'hosts')
      if (hosts && isScalar(hosts.key)) {
        hosts.key.commentBefore = ` secret: "\${${screaming(`${node.get('slug')}`)}_SECRET}"`
        return
      }
      const models = node.items.find(({ key }) => isScalar(key) && key.value === 'models')
      if (!names || !models || !isMap(node)) return
      const prefix = `${node.get('slug')}`.toUpperCase().replaceAll('-', '_')
      const pairs = names.map((name) => `${name}: "\${${prefix}_${screaming(name)}}"`)
      const key = models.key as Node
      key.commentBefore = ` credentials: { ${pairs.join(', ')} }`
    },
  })
}

/** `apiKey` → `API_KEY`. */
function screaming(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
}
