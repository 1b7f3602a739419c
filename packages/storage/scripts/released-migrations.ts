import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** A migration that a release contained, in the order of the journal. */
export interface ReleasedMigration {
  tag: string
  /** SHA-256 of the file's bytes, hex. */
  sha256: string
}

interface Journal {
  entries: { idx: number; tag: string }[]
}

/** The migrations in a folder with their hashes, in the order of the journal; `sha256` is null for a missing file. */
async function hashedMigrations(folder: URL): Promise<{ tag: string; sha256: string | null }[]> {
  const journal: Journal = JSON.parse(await readFile(new URL('meta/_journal.json', folder), 'utf8'))
  return Promise.all(
    journal.entries
      .toSorted((a, b) => a.idx - b.idx)
      .map(async ({ tag }) => {
        const bytes = await readFile(new URL(`${tag}.sql`, folder)).catch(() => null)
        return { tag, sha256: bytes && createHash('sha256').update(bytes).digest('hex') }
      }),
  )
}

/**
 * The problems of a folder's released migrations, one sentence each; empty if there are none. `folder` is a URL that
 * ends with a slash. A released file must not change, move or disappear, because databases of users have already
 * applied it.
 */
export async function changedReleases(
  folder: URL,
  released: readonly ReleasedMigration[],
): Promise<string[]> {
  const present = await hashedMigrations(folder)
  return released.flatMap(({ tag, sha256 }, n) => {
    if (present[n]?.tag !== tag) return [`Released migration ${tag} is no longer number ${n} of the journal.`]
    if (present[n].sha256 === null) return [`The file of released migration ${tag} is missing.`]
    if (present[n].sha256 !== sha256) return [`Released migration ${tag} was changed: add a new one instead.`]
    return []
  })
}

/** All migrations of a folder as a list of released ones. Throws if a file of the journal is missing. */
export async function releaseAll(folder: URL): Promise<ReleasedMigration[]> {
  const present = await hashedMigrations(folder)
  return present.map(({ tag, sha256 }) => {
    if (sha256 === null) throw new Error(`The file of migration ${tag} is missing.`)
    return { tag, sha256 }
  })
}

/** Statements that take away or restrict something that the previous release may still read or write. */
const CONTRACTING: readonly [pattern: RegExp, what: string][] = [
  [/\bDROP\s+(TABLE|COLUMN|FUNCTION|VIEW|TYPE|SEQUENCE)\b/i, 'takes away'],
  [/\bRENAME\b/i, 'renames'],
  [/\bDROP\s+EXPRESSION\b/i, 'no longer computes'],
  [/\bSET\s+NOT\s+NULL\b/i, 'requires a value'],
  [/\bSET\s+DATA\s+TYPE\b|\bALTER\s+COLUMN\s+\S+\s+TYPE\b/i, 'changes a type'],
  [/\bADD\s+COLUMN\b(?![\s\S]*\b(DEFAULT|GENERATED)\b)[\s\S]*\bNOT\s+NULL\b/i, 'requires a new column'],
]

/**
 * The statements of migrations since the last release that would break that release while it still runs beside the new
 * one, one line each. A migration whose first line is `-- contracts what 1.2.0 no longer uses` is exempt: it names the
 * release that stopped using the removed parts.
 */
export async function contractingMigrations(
  folder: URL,
  released: readonly ReleasedMigration[],
): Promise<string[]> {
  // Before the first release, no older program can run beside the new one.
  if (released.length === 0) return []
  const added = (await hashedMigrations(folder)).slice(released.length)
  const texts = await Promise.all(
    added.map(async ({ tag }) => ({ tag, sql: await readFile(new URL(`${tag}.sql`, folder), 'utf8') })),
  )
  return texts
    .filter(({ sql }) => !/^-- contracts what \d+\.\d+\.\d+ no longer uses\n/.test(sql))
    .flatMap(({ tag, sql }) => sql.split('--> statement-breakpoint').flatMap((one) => contracted(tag, one)))
}

function contracted(tag: string, statement: string): string[] {
  const text = statement.replaceAll(/^\s*--.*$/gm, '').trim()
  const found = CONTRACTING.find(([pattern]) => pattern.test(text))
  return found ? [`Migration ${tag} ${found[1]}: ${text.split('\n')[0]}`] : []
}
