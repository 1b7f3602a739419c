import { readFile, writeFile } from 'node:fs/promises'
import { changedReleases, contractingMigrations, releaseAll } from './released-migrations.ts'

/** Run as part of a release: from then on, no existing migration file may change. */
const folder = new URL('../migrations/', import.meta.url)
const list = new URL('released.json', folder)

const released = JSON.parse(await readFile(list, 'utf8'))
const problems = [
  ...(await changedReleases(folder, released)),
  ...(await contractingMigrations(folder, released)),
]
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exitCode = 1
} else {
  await writeFile(list, `${JSON.stringify(await releaseAll(folder), null, 2)}\n`)
}
