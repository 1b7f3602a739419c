import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** A migration that a release contained, in the order of the journal. */
export interface ReleasedMigration {
  tag: string
  /** Of the file's bytes, in hex. */
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
