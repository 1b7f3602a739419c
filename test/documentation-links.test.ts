import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { headingAnchors, linksOf } from './links-of-markdown.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGES = globSync(
  [
    '*.md',
    'docs/**/*.md',
    '.github/*.md',
    'deploy/*.md',
    '{bench,examples}/*.md',
    '{apps,packages,clients,examples}/*/*.md',
  ],
  { cwd: ROOT },
)

/** The reason why a link of a page is broken; null: it leads to a file or folder, and its anchor to a heading. */
function fault(page: string, link: string): string | null {
  const [path = '', anchor] = decodeURI(link).split('#')
  const file = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), path)
  if (!file.startsWith(ROOT)) return 'leaves the repository'
  if (!existsSync(file)) return 'no such file'
  if (anchor === undefined) return null
  if (statSync(file).isDirectory()) return 'a folder has no headings'
  // Anchors of other files are line numbers, which become outdated.
  if (!file.endsWith('.md')) return 'an anchor in a file that is not Markdown'
  return headingAnchors(readFileSync(file, 'utf8')).has(anchor) ? null : 'no such heading'
}

test('every relative link of the documentation leads to a file, and its anchor to a heading', () => {
  expect(PAGES.length).toBeGreaterThan(200)
  const links = PAGES.flatMap((page) =>
    linksOf(readFileSync(join(ROOT, page), 'utf8')).map((link) => ({ page, link })),
  )
  expect(links.length).toBeGreaterThan(500)
  const wrong = links.flatMap(({ page, link }) => {
    const found = fault(page, link)
    return found === null ? [] : [`${page}: ${link}: ${found}`]
  })
  expect(wrong).toEqual([])
})

/** The how-tos, each with the most files that a developer edits for its change. */
const HOW_TOS: Readonly<Record<string, number>> = {
  'docs/how-to/add-a-node-type.md': 4,
  'docs/how-to/add-a-tool-type.md': 8,
  'docs/how-to/add-a-page.md': 6,
  'docs/how-to/add-a-model-provider.md': 4,
  'docs/how-to/add-a-column.md': 10,
}

/** The files of a how-to's table *Files*: those that its example adds are new. */
function filesOf(page: string): { path: string; isNew: boolean }[] {
  const [, table = ''] = readFileSync(join(ROOT, page), 'utf8').split(/^## Files$/m)
  const [rows = ''] = table.split(/^## /m)
  return Array.from(rows.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm), ([, path = '', change = '']) => ({
    path,
    isNew: change.startsWith('new: '),
  }))
}

test.for(Object.entries(HOW_TOS))('%s lists at most %i files to edit, which exist but for the new ones', ([
  page,
  most,
]) => {
  const files = filesOf(page)
  expect(files.length).toBeGreaterThan(3)
  expect(files.length).toBeLessThanOrEqual(most)
  const wrong = files.filter(({ path, isNew }) => existsSync(join(ROOT, path)) === isNew)
  expect(wrong).toEqual([])
})

test('every file named by a how-to exists, or is one that it adds', () => {
  const pages = globSync('docs/how-to/*.md', { cwd: ROOT }).map((page) => page.replaceAll('\\', '/'))
  expect(pages.toSorted()).toEqual(Object.keys(HOW_TOS).toSorted())
  const added = new Set(pages.flatMap(filesOf).flatMap(({ path, isNew }) => (isNew ? [path] : [])))
  const named = pages.flatMap((page) =>
    Array.from(
      readFileSync(join(ROOT, page), 'utf8').matchAll(/`((?:apps|packages|test|docs)\/[^`\s]+)`/g),
      ([, path = '']) => path,
    ),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((path) => !added.has(path) && !existsSync(join(ROOT, path)))).toEqual([])
})

test('links are found in texts, pictures and definitions, and not in code', () => {
  const text = [
    'See [a](a.md), ![b](pictures/b.png "B") and [c `x[0]`](<c d.md#e>).',
    '[reference]: ../f.md',
    '<img src="g.png"> <a href="h.md#i">',
    '`[no](no.md)` and [out](https://example.com) and [mail](mailto:a@b.c)',
    '```md',
    '[no](no.md)',
    '```',
  ].join('\n')
  expect(linksOf(text)).toEqual(['a.md', 'pictures/b.png', 'c d.md#e', '../f.md', 'g.png', 'h.md#i'])
})

test('anchors are generated from headings as on GitHub', () => {
  const text = [
    '# The `npm test` command, explained',
    '## Adding things',
    '## Adding things',
    '```sh',
    '# no heading',
    '```',
    '### [Links](a.md) & “quotes”',
  ].join('\n')
  expect([...headingAnchors(text)]).toEqual([
    'the-npm-test-command-explained',
    'adding-things',
    'adding-things-1',
    'links--quotes',
  ])
})
