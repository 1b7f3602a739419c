import { readFile } from 'node:fs/promises'

const FOLDER = new URL('../../migrations/', import.meta.url)

/** One step of the schema. */
export interface Migration {
  /** File name without its ending: `0000_initial`. */
  tag: string
  sql: string
}

interface Journal {
  entries: { idx: number; tag: string }[]
}

/** The migrations of this program, in order. */
export async function knownMigrations(): Promise<Migration[]> {
  const journal = JSON.parse(await readFile(new URL('meta/_journal.json', FOLDER), 'utf8')) as Journal
  const tags = journal.entries.toSorted((a, b) => a.idx - b.idx).map((entry) => entry.tag)
  return Promise.all(
    tags.map(async (tag) => ({ tag, sql: await readFile(new URL(`${tag}.sql`, FOLDER), 'utf8') })),
  )
}
