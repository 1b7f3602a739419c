import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import type { SkillProblem } from './skill-problem.ts'

const FILE = 'SKILL.md'
const LONGEST = 4 * 1024
/** Limits the recursion depth of the YAML parser. */
const MOST_BRACKETS = 100
const MOST_FAULTS = 20
/** Lines before the first line of the YAML. */
const OPENING_LINES = 1

/** The values between the `---` lines of a SKILL.md, with the line of each. */
export type Frontmatter =
  | { ok: true; values: ReadonlyMap<string, unknown>; lineOf(key: string): number }
  | { ok: false; problems: SkillProblem[] }

const problem = (line: number | null, message: string): Frontmatter => ({
  ok: false,
  problems: [{ file: FILE, line, message }],
})

/** Reads the frontmatter of a SKILL.md. */
export function readFrontmatter(text: string): Frontmatter {
  const unmarked = text.startsWith('\ufeff') ? text.slice(1) : text
  const opening = /^---[ \t]*\r?\n/.exec(unmarked)
  if (!opening) return problem(1, 'must begin with a line --- and the frontmatter')
  const body = unmarked.slice(opening[0].length)
  const close = /^---[ \t]*$/m.exec(body.slice(0, LONGEST).replaceAll('\r', ' '))
  if (!close) return problem(1, `has no line --- that ends the frontmatter within ${LONGEST} characters`)
  const yaml = body.slice(0, close.index)
  const brackets = yaml.match(/[[\]{}]/g)?.length ?? 0
  if (brackets > MOST_BRACKETS)
    return problem(1, `has more than ${MOST_BRACKETS} brackets in its frontmatter`)
  return parse(yaml)
}

function parse(yaml: string): Frontmatter {
  const counter = new LineCounter()
  const lineAt = (offset: number) => OPENING_LINES + counter.linePos(offset).line
  const document = parseDocument(yaml, {
    lineCounter: counter,
    version: '1.2',
    schema: 'core',
    merge: false,
    // The parser compares keys pairwise, which is quadratic.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  })
  const faults = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    file: FILE,
    line: lineAt(pos[0]),
    message: `is not valid YAML: ${message}`,
  }))
  if (faults.length > 0) return { ok: false, problems: faults.slice(0, MOST_FAULTS) }
  if (!isMap(document.contents)) return problem(OPENING_LINES + 1, 'must be keys and values')
  const values = new Map<string, unknown>()
  const lines = new Map<string, number>()
  for (const { key, value } of document.contents.items) {
    const name = isScalar(key) ? String(key.value) : ''
    const line = isNode(key) ? lineAt(key.range?.[0] ?? 0) : OPENING_LINES + 1
    if (values.has(name)) return problem(line, `has the key ${name} twice`)
    lines.set(name, line)
    values.set(name, isNode(value) ? plain(document, value) : null)
  }
  return { ok: true, values, lineOf: (name) => lines.get(name) ?? 1 }
}

/** The value of a YAML node; undefined for a node with aliases, which may expand to more than the text. */
function plain(document: Document, node: Node): unknown {
  try {
    return node.toJS(document, { maxAliasCount: 0 })
  } catch {
    return undefined
  }
}
