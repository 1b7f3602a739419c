import { readFileSync, statSync } from 'node:fs'

/** Secrets and settings are short: a larger file is the wrong one. */
const LARGEST_BYTES = 64 * 1024

/** Values of variables by name, and one message for each that cannot be read. */
export interface VariablesRead {
  values: Record<string, string | undefined>
  problems: string[]
}

/**
 * The given variables of an environment. Each may also be in a file named by `NAME_FILE`, as container platforms provide secrets;
 * surrounding white space is removed. A variable that has both, or whose file cannot be read, has a problem and no value.
 */
export function readVariables(
  names: readonly string[],
  source: Readonly<Record<string, string | undefined>>,
): VariablesRead {
  const problems: string[] = []
  const values = names.map((name): [string, string | undefined] => {
    const path = source[`${name}_FILE`]?.trim()
    if (!path) return [name, source[name]]
    if (source[name]?.trim()) {
      problems.push(`${name} and ${name}_FILE are both set. Remove one of the two.`)
      return [name, undefined]
    }
    try {
      const stat = statSync(path)
      if (!stat.isFile()) throw new Error('it is not a file')
      if (stat.size > LARGEST_BYTES) throw new Error('it is larger than 64 KB')
      const text = readFileSync(path, 'utf8').trim()
      if (text === '') throw new Error('it is empty')
      return [name, text]
    } catch (error) {
      problems.push(`${name}_FILE names ${path}, which cannot be used: ${reasonOf(error)}.`)
      return [name, undefined]
    }
  })
  return { values: Object.fromEntries(values), problems }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!('code' in error)) return error.message
  if (error.code === 'ENOENT') return 'there is no such file'
  if (error.code === 'EACCES') return `this user (${process.getuid?.() ?? 'unknown'}) may not read it`
  return String(error.code)
}
