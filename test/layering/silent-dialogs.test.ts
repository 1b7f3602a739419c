import { expect, test } from 'vitest'
import { silentDialogs } from './silent-dialogs.ts'
import { sourcesBelow } from './sources.ts'

/** In the frame of every page: the note would be part of the builder's first load, whose budget has no room for it. */
const IN_FIRST_LOAD = [
  'apps/web/src/app/shell/organization-shell.tsx KeysDialog',
  'apps/web/src/app/shell/use-sign-out.tsx SignOutQuestion',
]

test('a dialog whose code is loaded with its first press shows that it is opening', () => {
  const pages = sourcesBelow('apps/web/src').filter(({ path, isTest }) => path.endsWith('.tsx') && !isTest)
  expect(pages.length).toBeGreaterThan(300)
  const silent = pages.flatMap(({ path, text }) => silentDialogs(text).map((name) => `${path} ${name}`))
  expect(silent).toEqual(IN_FIRST_LOAD)
})

test('a dialog is answered by its nearest boundary', () => {
  const source = `
const OneDialog = lazyPart(async () => (await import('./one.tsx')).OneDialog)
const TwoDialog = lazyPart(async () => (await import('./two.tsx')).TwoDialog)
const RowSheet = lazyPart(async () => (await import('./row.tsx')).RowSheet)
const Chart = lazyPart(async () => (await import('./chart.tsx')).Chart)
const Page = () => (
  <>
    <LazyDialog>{isOpen && <OneDialog />}</LazyDialog>
    <LazyDialog><Suspense><TwoDialog /></Suspense></LazyDialog>
    <Suspense><Chart /><RowSheet /><LazyDialog><TwoDialog /></LazyDialog></Suspense>
    <StaticDialog />
  </>
)`
  expect(silentDialogs(source)).toEqual(['TwoDialog', 'RowSheet'])
})
