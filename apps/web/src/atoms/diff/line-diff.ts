/** One line of a comparison. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Above this many cells of the table, only the common start and end are found, and the rest is replaced as a whole. */
const MOST_CELLS = 2_000_000

/** The lines of two texts as one list, with the fewest changes (longest common subsequence). */
export function lineDiff(before: string, after: string): DiffLine[] {
  return sequenceDiff(before === '' ? [] : before.split('\n'), after === '' ? [] : after.split('\n'))
}

/** The words of two texts as one list; spaces are words of their own. */
export function wordDiff(before: string, after: string): DiffLine[] {
  const words = (text: string) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
  return sequenceDiff(words(before), words(after))
}

function sequenceDiff(a: readonly string[], b: readonly string[]): DiffLine[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const same = (texts: readonly string[]) => texts.map((text): DiffLine => ({ kind: 'same', text }))
  return [
    ...same(a.slice(0, start)),
    ...middleDiff(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ]
}

function middleDiff(a: readonly string[], b: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text })
  const added = (text: string): DiffLine => ({ kind: 'added', text })
  if (a.length * b.length > MOST_CELLS) return [...a.map(removed), ...b.map(added)]
  // Numbers are compared in place of texts, of which many can differ only at their end.
  const numbers = new Map<string, number>()
  const numbered = (texts: readonly string[]) =>
    Uint32Array.from(texts, (text) => {
      const number = numbers.get(text) ?? numbers.size
      numbers.set(text, number)
      return number
    })
  const [left, right] = [numbered(a), numbered(b)]
  const width = b.length + 1
  // lengths[i * width + j]: the longest common subsequence of a from i and b from j.
  const lengths = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (left[i] === right[j]) {
      lines.push({ kind: 'same', text: a[i] ?? '' })
      i += 1
      j += 1
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      lines.push(removed(a[i] ?? ''))
      i += 1
    } else {
      lines.push(added(b[j] ?? ''))
      j += 1
    }
  }
  return [...lines, ...a.slice(i).map(removed), ...b.slice(j).map(added)]
}

/** A run of equal lines that is not shown, by its length. */
export interface DiffGap {
  kind: 'gap'
  lines: number
}

/** The comparison with long runs of equal lines left out, but for `around` lines beside each change. */
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
