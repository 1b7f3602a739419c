import { isJsonObject, isSecretName, REDACTED, redactText, shortened } from '@troupe/contract'
import { textOf } from './plain.ts'

/** Limits of the text of a Note, so that a large export does not double in size. */
const MAX_LINES = 60
const MAX_VALUE = 500
const MAX_CODE = 20_000
const MAX_DEPTH = 4

/** Settings whose values are code, with the language for their code blocks. */
const CODE_KEYS: Readonly<Record<string, string>> = {
  jsCode: 'js',
  functionCode: 'js',
  pythonCode: 'python',
  code: '',
  query: 'sql',
  template: '',
  html: 'html',
  command: 'sh',
}

/** Names of the key in an entry of a list of pairs, such as headers. */
const PAIR_NAMES = ['name', 'key', 'header']

const isPairOfSecret = (value: Record<string, unknown>) =>
  PAIR_NAMES.some((name) => typeof value[name] === 'string' && isSecretName(value[name]))

/** Lines such as `Authorization: abc` in texts with headers. */
const HEADER_LINE = /^([\w-]{1,100}) {0,10}:.*$/

/** A text of an export with possible secrets removed. */
export function withoutSecrets(text: string): string {
  return redactText(text, [])
    .split('\n')
    .map((line) => {
      const [, name = ''] = HEADER_LINE.exec(line) ?? []
      return isSecretName(name) ? `${name}: ${REDACTED}` : line
    })
    .join('\n')
}

/** A code block with a fence that does not occur in the code. */
function fenced(code: string, language: string): string {
  const ticks = [...code.matchAll(/`{3,200}/g)].reduce((most, [run]) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(ticks + 1)
  return `${fence}${language}\n${shortened(withoutSecrets(code), MAX_CODE)}\n${fence}`
}

/**
 * The settings of a node as text: one line for each, code in fenced blocks, secrets left out. Long values are truncated with an ellipsis,
 * and further lines are counted.
 */
export function settingsText(settings: Record<string, unknown>): string {
  const lines: string[] = []
  const codes: string[] = []
  let more = 0
  const say = (line: string) => {
    if (lines.length < MAX_LINES) lines.push(line)
    else more += 1
  }
  const walk = (value: unknown, path: string, depth: number) => {
    if (value === null || value === undefined || value === '') return
    const key = path.slice(path.lastIndexOf('.') + 1)
    if (isSecretName(key) || key === 'api_key') return say(`- ${path}: ${REDACTED}`)
    const language = typeof value === 'string' && Object.hasOwn(CODE_KEYS, key) ? CODE_KEYS[key] : undefined
    if (language !== undefined && textOf(value).includes('\n')) {
      codes.push(fenced(textOf(value), language))
    } else if (typeof value !== 'object') {
      const text = withoutSecrets(textOf(value)).replaceAll(/\s+/g, ' ')
      say(`- ${path}: ${shortened(text, MAX_VALUE)}`)
    } else if (depth >= MAX_DEPTH) {
      say(`- ${path}: …`)
    } else if (isJsonObject(value) && isPairOfSecret(value)) {
      say(`- ${path}.${textOf(value.name ?? value.key ?? value.header)}: ${REDACTED}`)
    } else {
      for (const [inner, part] of Object.entries(value)) {
        walk(part, path === '' ? inner : `${path}.${inner}`, depth + 1)
      }
    }
  }
  walk(settings, '', 0)
  if (more > 0) lines.push(`- and ${more} more settings`)
  return [lines.join('\n'), ...codes].filter((part) => part !== '').join('\n\n')
}

/** The text of a Note: a sentence, then the settings. */
export function noteText(sentence: string, type: string, settings: Record<string, unknown>): string {
  const said = settingsText(settings)
  return [`${sentence}\n\nType: \`${type.replaceAll('`', "'")}\``, said]
    .filter((part) => part !== '')
    .join('\n\n')
}
