/**
 * A value of an answer as lines to read and to compare: one key a line, texts of several lines as blocks. It resembles
 * YAML but is not: nothing is escaped.
 */
export function readableText(value: unknown): string {
  return linesOf(value, 0).join('\n')
}

const INDENT = '  '

/** The value without null, empty lists and empty objects; for completely new values. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value)
    .map(([key, item]): [string, unknown] => [key, withoutEmpty(item)])
    .filter(([, item]) => !isEmpty(item))
  return Object.fromEntries(kept)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function linesOf(value: unknown, depth: number): string[] {
  const pad = INDENT.repeat(depth)
  if (Array.isArray(value)) return value.flatMap((item) => entryLines(`${pad}-`, item, depth))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => entryLines(`${pad}${key}:`, item, depth))
  }
  return `${value ?? ''}`.split('\n').map((line) => `${pad}${line}`)
}

function entryLines(head: string, value: unknown, depth: number): string[] {
  if (value === null || value === undefined) return [`${head} –`]
  if (Array.isArray(value) && value.length === 0) return [`${head} []`]
  const isBlock = typeof value === 'object' || (typeof value === 'string' && value.includes('\n'))
  if (head.endsWith('-') && typeof value === 'object') {
    const [first = '', ...rest] = linesOf(value, depth + 1)
    return [`${head} ${first.trimStart()}`, ...rest]
  }
  if (!isBlock) return [`${head} ${String(value)}`]
  return [head, ...linesOf(value, depth + 1)]
}
