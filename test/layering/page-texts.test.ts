import { expect, test } from 'vitest'
import { pageTexts } from './page-texts.ts'
import { sourcesBelow } from './sources.ts'

test('every text of the builder is in its messages', () => {
  const pages = sourcesBelow('apps/web/src').filter(({ path, isTest }) => path.endsWith('.tsx') && !isTest)
  expect(pages.length).toBeGreaterThan(300)
  const wrong = pages.flatMap(({ path, text }) =>
    pageTexts(text).map((found) => `${path}:${found.line} ${found.text}`),
  )
  expect(wrong).toEqual([])
})

test('texts between tags and in visible or spoken attributes are found, others are not', () => {
  const source = `
const Part = ({ isOpen, name, on }) => (
  <section aria-label="Notices" className="wide">
    Skip to content
    {isOpen ? 'Close' : words.open} {on && \`Choose \${name}\`} <code>{name}</code> {'·'} m{name}
    <Field title={words.title} placeholder="https://" label={isOpen ? words.a : 'Name'} kind="primary" />
  </section>
)`
  expect(pageTexts(source).map(({ text }) => text)).toEqual([
    'Notices',
    'Skip to content',
    'Close',
    'Choose  … ',
    'Name',
  ])
})
