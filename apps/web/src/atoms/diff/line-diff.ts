import { diffArrays } from 'diff'

/** One line of a comparison. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Above this many added and removed parts, the middle is replaced as a whole: the time grows with their square. */
const MOST_EDITS = 1_000

/** The lines of two texts as one list, with the fewest changes (Myers' algorithm). */
export function lineDiff(before: string, after: string): DiffLine[] {
  return sequenceDiff(before === '' ? [] : before.split('\n'), after === '' ? [] : after.split('\n'))
}

/**
 * The words of two texts as one list. Only words are aligned: each carries its following space, because spaces are equal everywhere
 * and would align unrelated words. A changed space after an unchanged word is a separate change.
 */
export function wordDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [spacedWords(before), spacedWords(after)]
  let [old, now] = [0, 0]
  return sequenceDiff(
    a.map(({ word }) => word),
    b.map(({ word }) => word),
  ).flatMap(({ kind, text }): DiffLine[] => {
    const formerSpace = kind === 'added' ? '' : (a[old++]?.space ?? '')
    const space = kind === 'removed' ? '' : (b[now++]?.space ?? '')
    if (kind === 'removed') return [{ kind, text: text + formerSpace }]
    if (kind === 'added' || space === formerSpace) return partOf(kind, text + space)
    return [...partOf('same', text), ...partOf('removed', formerSpace), ...partOf('added', space)]
  })
}

const partOf = (kind: DiffLine['kind'], text: string): DiffLine[] => (text === '' ? [] : [{ kind, text }])

/** Words and signs with the space after each; the first one is empty, for a space at the start. */
function spacedWords(text: string): { word: string; space: string }[] {
  const words = [{ word: '', space: '' }]
  for (const part of text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []) {
    const last = words.at(-1)
    if (last && /^\s/u.test(part)) last.space = part
    else words.push({ word: part, space: '' })
  }
  return words
}

function sequenceDiff(a: readonly string[], b: readonly string[]): DiffLine[] {
  const changes = diffArrays([...a], [...b], { maxEditLength: MOST_EDITS })
  if (changes === undefined) return replacedMiddle(a, b)
  return changes.flatMap(({ added, removed, value }) =>
    linesOf(added ? 'added' : removed ? 'removed' : 'same', value),
  )
}

/** The common start and end of two sequences, and all between them as replaced. */
function replacedMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return [
    ...linesOf('same', a.slice(0, start)),
    ...linesOf('removed', a.slice(start, a.length - end)),
    ...linesOf('added', b.slice(start, b.length - end)),
    ...linesOf('same', a.slice(a.length - end)),
  ]
}

function linesOf(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }))
}

/** A run of equal lines that is not shown, by its length. */
export interface DiffGap {
  kind: 'gap'
  lines: number
}

/** The comparison without long runs of equal lines, except for `around` lines beside each change. */
export function withoutSame(lines: readonly DiffLine[], around: number): (DiffLine | DiffGap)[] {
  const near = new Uint8Array(lines.length)
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') near.fill(1, Math.max(0, index - around), index + around + 1)
  })
  const shown: (DiffLine | DiffGap)[] = []
  lines.forEach((line, index) => {
    if (near[index]) shown.push(line)
    else {
      const last = shown.at(-1)
      if (last?.kind === 'gap') last.lines += 1
      else shown.push({ kind: 'gap', lines: 1 })
    }
  })
  return shown
}
