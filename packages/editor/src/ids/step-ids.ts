/** Maximum characters of an id, as in graphs. */
const MAX_ID = 64
/** Maximum characters of a name, as in graphs. */
const MAX_NAME = 128

/** Whether an id or a name is taken. */
export type IsTaken = (value: string) => boolean

/** The last number given to each name. Without it, numbering many steps of one name takes quadratic time. */
export type LastNumbers = Map<string, number>

/** Whether a text can be the id of a step. */
export function isStepId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id)
}

/** A name as an id: "Größe prüfen" is `grosse-prufen`. '' when none of its characters is allowed in an id. */
export function slugOf(name: string): string {
  const plain = name
    .slice(0, MAX_NAME)
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
  return plain
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, MAX_ID)
    .replace(/-$/, '')
}

/**
 * The permanent id of a new step, derived from its first name. An id that is known to the history, pins, tests or kept runs is taken,
 * although the draft no longer has it.
 */
export function freshStepId(name: string, type: string, isTaken: IsTaken, last?: LastNumbers): string {
  return numbered(slugOf(name) || slugOf(type) || 'step', { between: '-', most: MAX_ID, isTaken, last })
}

/** An unused name: "Classify", "Classify 2". */
export function freshName(name: string, isTaken: IsTaken, last?: LastNumbers): string {
  return numbered(name, { between: ' ', most: MAX_NAME, isTaken, last })
}

/** The canonical id of an edge. Two edges with the same one would be the same edge. */
export function edgeIdOf(source: string, sourceHandle: string, target: string): string {
  return `${source}:${sourceHandle}:${target}`
}

interface Numbering {
  between: string
  most: number
  isTaken: IsTaken
  last: LastNumbers | undefined
}

function numbered(wanted: string, { between, most, isTaken, last }: Numbering): string {
  if (!isTaken(wanted)) return wanted
  // "Classify 2" becomes "Classify 3", not "Classify 2 2".
  const [, stem = wanted, number] = /^(.*?)[ -](\d{1,4})$/.exec(wanted) ?? []
  const first = number === undefined ? 2 : Number(number) + 1
  for (let n = Math.max(first, (last?.get(stem) ?? 0) + 1); ; n += 1) {
    const end = `${between}${n}`
    // Truncation may halve an emoji, which the server would refuse.
    const candidate = `${stem.slice(0, most - end.length).toWellFormed()}${end}`
    if (isTaken(candidate)) continue
    last?.set(stem, n)
    return candidate
  }
}
