import { existsSync, readFileSync } from 'node:fs'

/** The characters after the title of a test in its file. */
const TITLE_ENDS = [`',`, '`,', `'(`]
const LINK = /\[((?:[^\][]|\[[^\][]*\])+)\]\((\.\.\/[^)\s]+\.test\.ts)\)/g
const textOf = (file: URL) => readFileSync(file, 'utf8')

/** The rows of Markdown tables, without headers and separators. */
export function tableRows(text: string): string[] {
  return text
    .split('\n')
    .filter((line, index, lines) => /^\| ?[^-|]/.test(line) && !/^\|-/.test(lines[index + 1] ?? ''))
}

/** The links to tests, `[title](../path.test.ts)`, whose file does not exist or has no test of exactly this title. */
export function missingTests(page: URL, row: string): string[] {
  const links = [...row.matchAll(LINK)]
  if (links.length === 0) return [row]
  return links
    .filter(([, name = '', path = '']) => {
      const file = new URL(path, page)
      // Compares the complete title: a longer one with the same beginning is another test.
      return !existsSync(file) || !TITLE_ENDS.some((end) => textOf(file).includes(`${name}${end}`))
    })
    .map(([link]) => link)
}

/** The linked files with a disabled test. */
export function filesWithDisabledTests(page: URL, text: string): string[] {
  const files = new Set([...text.matchAll(LINK)].map(([, , path = '']) => path))
  return [...files].filter((path) => /\b(test|it|describe)\.(skip|todo)\(/.test(textOf(new URL(path, page))))
}
