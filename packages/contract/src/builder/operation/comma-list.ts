import { Type } from 'typebox'

/** A query parameter with several of `values`, separated by commas: parameters given twice are refused. */
export function CommaList(values: readonly string[], description: string) {
  const one = `(?:${values.join('|')})`
  return Type.String({
    maxLength: 500,
    pattern: `^${one}(?:,${one})*$`,
    patternMessage: `must be a list, separated by commas, of: ${values.join(', ')}`,
    description: `${description} Several are separated by commas.`,
  })
}
