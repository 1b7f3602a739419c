import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureImage } from '../../src/sql/pglite/database-image.ts'
import { copyImage, filesOf } from '../../src/sql/pglite/image-files.ts'
import { imagePath } from '../../src/sql/pglite/image-key.ts'
import { fillNewFolder, isNewFolder } from '../../src/sql/pglite/new-folder.ts'
import { CACHE, MIGRATIONS, startSmall } from './small-schema.ts'

const silent = () => {}
const intoNothing = { directory: silent, file: silent }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-image-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A cache folder of this test with a copy of the image. */
async function ownCache(): Promise<{ cache: string; image: string }> {
  const image = await ensureImage({ cache: CACHE, migrations: MIGRATIONS, notice: silent })
  const cache = join(folder, 'cache')
  cpSync(image, join(cache, basename(image)), { recursive: true })
  return { cache, image: join(cache, basename(image)) }
}

const identifier = 'select system_identifier::text as id from pg_control_system()'

it('new databases in memory and in a folder are copies of one image, and have the schema already', async () => {
  const ids = new Set<string>()
  for (const directory of [null, null, folder]) {
    await using pglite = await startSmall(directory)
    const { rows } = await pglite.query<{ id: string }>(identifier)
    ids.add(rows[0]?.id ?? '')
    expect((await pglite.query('select tag from troupe_migrations')).rows).toEqual([{ tag: '0000_things' }])
    expect((await pglite.query('select id from things')).rows).toEqual([])
  }
  expect(ids.size).toBe(1)
})

it('another migration, or another text of one, is another image', async () => {
  const [first] = MIGRATIONS
  const second = { tag: '0001_second', sql: 'select 1' }
  const changed = { tag: '0000_things', sql: `${first?.sql};` }
  const paths = [MIGRATIONS, [...MIGRATIONS, second], [changed], []].map((some) => imagePath(CACHE, some))
  expect(new Set(await Promise.all(paths)).size).toBe(paths.length)
})

describe('a damaged image is detected and rebuilt', () => {
  const damages: [string, (image: string) => void][] = [
    ['a file was cut off', (image) => truncateSync(join(filesOf(image), 'global', 'pg_control'), 100)],
    ['a file is missing', (image) => rmSync(join(filesOf(image), 'PG_VERSION'))],
    ['a byte is another', (image) => writeFileSync(join(filesOf(image), 'PG_VERSION'), '99\n')],
    ['the list of its files is cut off', (image) => truncateSync(join(image, 'manifest.json'), 10)],
  ]
  it.each(damages)('%s', async (_, damage) => {
    const { image } = await ownCache()
    damage(image)
    expect(() => copyImage(image, intoNothing)).toThrow(/image/)
    expect(() => fillNewFolder(folder, image)).toThrow(/image/)
    expect(readdirSync(folder)).toEqual(['cache'])
  })
})

it('an image requested by two processes concurrently is made once, and leftovers of killed ones are removed', async () => {
  const cache = join(folder, 'cache')
  mkdirSync(join(cache, 'draft-of-a-killed-process'), { recursive: true })
  const wanted = { cache, migrations: MIGRATIONS, notice: silent }
  const images = await Promise.all([ensureImage(wanted), ensureImage(wanted)])
  expect(readdirSync(cache).sort()).toEqual([basename(images[0]), 'image.lock'])
  expect(images[1]).toBe(images[0])
}, 120_000)

it('an empty folder of a volume is filled; files other than a database are untouched', () => {
  mkdirSync(join(folder, 'pglite'))
  mkdirSync(join(folder, 'pglite.draft-of-a-killed-process'))
  expect(isNewFolder(folder)).toBe(true)
  expect(readdirSync(folder)).toEqual(['pglite'])
  writeFileSync(join(folder, 'pglite', 'pg_hba.conf'), '')
  expect(() => isNewFolder(folder)).toThrow('has files in it, but no complete database')
  expect(existsSync(join(folder, 'pglite', 'pg_hba.conf'))).toBe(true)
})
