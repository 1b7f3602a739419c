import { readFile } from 'node:fs/promises'
import type { Migration } from './sql/migrate/migrate.ts'

const FOLDER = new URL('../migrations/', import.meta.url)

interface Journal {
  entries: { idx: number; tag: string }[]
}

/** The migrations of this program, in order; a tag is the name of the file without its extension. */
export async function knownMigrations(): Promise<Migration[]> {
  const journal = JSON.parse(await readFile(new URL('meta/_journal.json', FOLDER), 'utf8')) as Journal
  const tags = journal.entries.toSorted((a, b) => a.idx - b.idx).map((entry) => entry.tag)
  return Promise.all(
    tags.map(async (tag) => ({ tag, sql: await readFile(new URL(`${tag}.sql`, FOLDER), 'utf8') })),
  )
}
