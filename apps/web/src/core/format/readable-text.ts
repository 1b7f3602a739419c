/**
 * A value of an answer as lines to read and to compare: one key a line, texts of several lines as blocks. It looks like YAML and
 * is none: nothing is escaped.
 */
export function readableText(value: unknown): string {
  return linesOf(value, 0).join('\n')
}

const INDENT = '  '

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
  if (!isBlock) return [`${head} ${String(value)}`]
  return [head, ...linesOf(value, depth + 1)]
}
