import { type Adversary, repeated } from './adversaries.ts'

/** Separators between two starts of the same expression that let both begin at a boundary. */
const SEPARATORS = ['', '-', ' ', '.', ',', '/', ':', '@', '\n', 'a', '0']
const MAX_LITERALS = 8

/** The literal pieces of a regular expression, and the characters that follow a piece in each possible class. */
function literalsIn(source: string): string[] {
  const plain = source
    .replaceAll(/\\[bBdDsSwW]|\\p\{[^}]*\}|\(\?(?:<?[!=]|:)|\{\d+(?:,\d*)?\}/g, '\0')
    .replaceAll(/\[(?:\\.|[^\]\\])*\]/g, '\0')
    .replaceAll(/\\(.)/g, '$1')
  const pieces = plain.split(/[\0()|*+?^$]+/).filter((piece) => piece !== '')
  const starts = plain.split(/[\0]+/).map((piece) => piece.replaceAll(/[()|*+?^$]/g, ''))
  return [...new Set([...pieces, ...starts.filter((piece) => piece !== '')])].slice(0, MAX_LITERALS)
}

/** Texts that repeatedly start a match of the expression and never complete it. */
export function attacksOn(source: string): Adversary[] {
  const literals = literalsIn(source)
  const repetitions = literals.flatMap((literal) =>
    SEPARATORS.flatMap((separator) => [
      repeated(`${literal}${separator}`),
      repeated(`${literal}aaaaaaaaaaaaaaaa${separator}`),
    ]),
  )
  return [
    ...repetitions,
    ...(literals.length > 1 ? [repeated(literals.join('')), repeated(literals.join('a'))] : []),
  ]
}
