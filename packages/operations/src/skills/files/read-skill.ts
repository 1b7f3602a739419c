import { MAX_SKILL_BYTES, MAX_SKILL_FILES, SKILL_NAME } from '@troupe/contract'
import { isClutter, pathProblem, topFolder } from './file-paths.ts'
import { type Frontmatter, readFrontmatter } from './frontmatter.ts'
import type { SkillProblem } from './skill-problem.ts'

const FILE = 'SKILL.md'
const LONGEST_DESCRIPTION = 1_024
const LONGEST_COMPATIBILITY = 500
const MOST_TOOLS = 100
const KEYS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
])

/** A file of a skill. */
export interface SkillFile {
  path: string
  /** null for a file that is not text: models cannot read it. */
  text: string | null
  sizeBytes: number
  /** SHA-256 of its bytes, hex. */
  contentHash: string
}

/** A skill as its folder describes it. */
export interface SkillFolder {
  name: string
  description: string
  /** The remaining tools after it is loaded; null: all. */
  allowedTools: string[] | null
  /** By path. */
  files: SkillFile[]
}

/** A skill, or all of its problems. */
export type ReadSkill = { ok: true; skill: SkillFolder } | { ok: false; problems: SkillProblem[] }

/**
 * Reads the files of a skill by their paths. They may all be in one folder, whose name is then that of the skill.
 * Linear in the files.
 */
export function readSkill(given: readonly SkillFile[]): ReadSkill {
  const uploaded = given.filter(({ path }) => !isClutter(path))
  const paths = uploaded.map(({ path }) => path)
  const folder = paths.includes(FILE) ? null : topFolder(paths)
  const files = uploaded
    .map((file) => (folder === null ? file : { ...file, path: file.path.slice(folder.length + 1) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  const misplaced = sizeProblems(files)
  const main = files.find(({ path }) => path === FILE)
  if (!main) misplaced.push({ file: FILE, line: null, message: 'is missing' })
  else if (main.text === null) misplaced.push({ file: FILE, line: null, message: 'must be UTF-8 text' })
  if (misplaced.length > 0 || !main || main.text === null) return { ok: false, problems: misplaced }
  const frontmatter = readFrontmatter(main.text)
  if (!frontmatter.ok) return frontmatter
  const fields = readFields(frontmatter, folder)
  return fields.ok ? { ok: true, skill: { ...fields.values, files } } : fields
}

function sizeProblems(files: readonly SkillFile[]): SkillProblem[] {
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const tooMuch =
    files.length > MAX_SKILL_FILES
      ? `comes with more than ${MAX_SKILL_FILES} files`
      : total > MAX_SKILL_BYTES
        ? `comes with files of more than ${MAX_SKILL_BYTES / 1024 / 1024} MB`
        : null
  if (tooMuch !== null) return [{ file: FILE, line: null, message: tooMuch }]
  return files.flatMap(({ path }) => {
    const message = pathProblem(path)
    return message === null ? [] : [{ file: path, line: null, message }]
  })
}

type Values = Pick<SkillFolder, 'name' | 'description' | 'allowedTools'>
type Fields = { ok: true; values: Values } | { ok: false; problems: SkillProblem[] }

function readFields({ values, lineOf }: Extract<Frontmatter, { ok: true }>, folder: string | null): Fields {
  const problems: SkillProblem[] = []
  const report = (key: string, message: string) =>
    problems.push({ file: FILE, line: lineOf(key), message: `${key} ${message}` })
  const text = (key: string, longest: number, isRequired: boolean): string => {
    const value = values.get(key)
    if (value === undefined && !values.has(key)) {
      if (isRequired) report(key, 'is required')
      return ''
    }
    if (typeof value === 'string' && value.trim() !== '' && value.length <= longest) return value.trim()
    report(key, `must be a text of 1 to ${longest} characters`)
    return ''
  }
  for (const key of values.keys()) {
    if (!KEYS.has(key)) report(key, `is not a key of the frontmatter; it has ${[...KEYS].join(', ')}`)
  }
  const name = text('name', 64, true)
  if (name !== '' && !SKILL_NAME.test(name)) {
    report('name', 'must have 1 to 64 lower-case letters, digits and inner hyphens')
  } else if (name !== '' && folder !== null && folder !== name) {
    report('name', `must be the name of its folder, ${folder.slice(0, 64)}`)
  }
  const description = text('description', LONGEST_DESCRIPTION, true)
  text('license', LONGEST_DESCRIPTION, false)
  text('compatibility', LONGEST_COMPATIBILITY, false)
  const metadata = values.get('metadata') ?? {}
  if (typeof metadata !== 'object' || Array.isArray(metadata)) report('metadata', 'must be keys and values')
  const tools = values.has('allowed-tools') ? toolNames(values.get('allowed-tools')) : null
  if (tools === undefined) {
    report('allowed-tools', `must name at most ${MOST_TOOLS} tools, in a list or separated by spaces`)
  }
  if (problems.length > 0) return { ok: false, problems }
  return { ok: true, values: { name, description, allowedTools: tools ?? null } }
}

/** Names separated by spaces or commas, or in a list; undefined for other values. */
function toolNames(value: unknown): string[] | undefined {
  const names = typeof value === 'string' ? value.split(/[\s,]+/) : value
  if (!Array.isArray(names)) return undefined
  const found: unknown[] = names.filter((name) => name !== '')
  const isList = found.every((name): name is string => typeof name === 'string' && name.length <= 64)
  return isList && found.length <= MOST_TOOLS ? found : undefined
}
