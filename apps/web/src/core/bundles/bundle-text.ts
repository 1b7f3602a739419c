/** Hints about the text of a bundle in the browser; the server parses it properly. */

/** Maximum characters of a text that is examined after each change. */
const LONGEST_EXAMINED = 1_000_000
const COMMENT = /^[ \t]*#.*$/gm
const VARIABLE = /(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g
/** A comment of an export where a secret was omitted: `# credentials: { apiKey: "${MAIN_API_KEY}" }`. */
const LEFT_OUT = /^([ \t]*)# ((?:secret|credentials): .*\$\{[A-Za-z_][A-Za-z0-9_]*\}.*)$/gm
const SECRET_KEY =
  /secret|password|passphrase|token|credential|authorization|cookie|(?:api|access|subscription|private|auth)[-_]?key/i
const PAIR =
  /(?<![\w-])["']?([A-Za-z][\w-]*)["']?[ \t]*:[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"'[{,}#|>][^,}\n]*)/g
/** A key with its value on the lines below: as a block, as nested keys, or plain. */
const KEY = /^([ \t-]*)["']?([A-Za-z][\w-]*)["']?[ \t]*:(.*)$/
/** The end of such a line: empty, a block, or an object. */
const OPENINGS = new Set(['', '|', '>', '{'])
const HEADERS_OF_ONE_LINE = /["']?headers["']?[ \t]*:[ \t]*\{/

/** The names of the variables that a bundle needs, in the order of the text; comments do not count. */
export function variablesIn(text: string): string[] {
  const names = [...text.replaceAll(COMMENT, '').matchAll(VARIABLE)].flatMap(([, name]) => name ?? [])
  return [...new Set(names)]
}

/** The number of secrets omitted by an export. */
export function leftOutIn(text: string): number {
  return text.match(LEFT_OUT)?.length ?? 0
}

/** The text with variables in place of the secrets that an export has left out. */
export function withLeftOut(text: string): string {
  return text.replaceAll(LEFT_OUT, '$1$2')
}

/**
 * Whether the text seems to contain a secret: a literal value after a key such as `apiKey`, below one, or in any
 * header. It errs on the side of yes, because a text with secrets is not kept on the device; a text too long to examine
 * counts as one.
 */
export function hasWrittenSecrets(text: string): boolean {
  if (text.length > LONGEST_EXAMINED) return true
  const lines = text
    .replaceAll(COMMENT, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  let headersAt: number | null = null
  for (const [index, line] of lines.entries()) {
    if (headersAt !== null && columnOf(line) <= headersAt) headersAt = null
    const ownHeaders = line.search(HEADERS_OF_ONE_LINE)
    for (const { index: at, 1: key = '', 2: value = '' } of line.matchAll(PAIR)) {
      const isHeader = headersAt !== null || (ownHeaders !== -1 && at > ownHeaders)
      if ((isHeader || SECRET_KEY.test(key)) && isWritten(key, value)) return true
    }
    const [, before = '', key = '', after = ''] = KEY.exec(line) ?? []
    const rest = after.trim()
    if (!OPENINGS.has(rest.slice(0, 1))) continue
    if (key === 'headers') headersAt = before.length
    else if (SECRET_KEY.test(key) && isSecretBelow(key, before.length, rest, lines[index + 1] ?? ''))
      return true
  }
  return false
}

/** Whether the line below a key has its value, or one of its written keys; below a list there are named items. */
function isSecretBelow(key: string, column: number, opening: string, below: string): boolean {
  if (columnOf(below) <= column || below.includes('${')) return false
  if (/^[|>]/.test(opening)) return true
  const isText = !/^\s*(?:-\s|["']?[A-Za-z][\w-]*["']?[ \t]*:)/.test(below)
  const isOwnKey = /^credentials$/i.test(key) && /^[ \t]+["']?\w+["']?:[ \t]*\S/.test(below)
  return isText || isOwnKey
}

const columnOf = (line: string) => line.search(/[^ \t-]/)

/** Lines of a text, from 1; '' beyond its end. */
export function lineAt(text: string, line: number): string {
  let start = 0
  for (let n = 1; n < line; n += 1) {
    const end = text.indexOf('\n', start)
    if (end === -1) return ''
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? undefined : end)
}

/** Names of credentials (`credential: crm`) and numbers (`max_tokens: 100`) are not secrets. */
function isWritten(key: string, value: string): boolean {
  const plain = value.trim().replace(/^["']|["']$/g, '')
  if (plain === '' || plain.includes('${') || /^(?:null|true|false|~|[\d.]+)$/.test(plain)) return false
  return !/credential$|credential_id$/i.test(key)
}
