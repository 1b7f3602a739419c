import { type ComponentType, createElement, type LazyExoticComponent, Suspense } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('navigator', { onLine: true })
})

/** The page with the part, and the errors that its rendering reported. */
async function rendered(part: LazyExoticComponent<ComponentType>) {
  const errors: unknown[] = []
  const page = createElement('main', null, 'The page', createElement(Suspense, null, createElement(part)))
  const stream = await renderToReadableStream(page, { onError: (error) => void errors.push(error) })
  return { text: await new Response(stream).text(), errors }
}

const gone = () => Promise.reject(new Error('The server has a newer build.'))

test('an addition whose code cannot be loaded is omitted, and a part is an error of the page', async () => {
  const { lazyExtra, lazyPart } = await import('./lazy-part.ts')
  const without = await rendered(lazyExtra(gone))
  expect(without.text).toContain('The page')
  expect(without.errors).toEqual([])
  expect((await rendered(lazyPart(gone))).errors).toEqual([new Error('The server has a newer build.')])
})

test('an addition is shown once its code is there', async () => {
  const { lazyExtra } = await import('./lazy-part.ts')
  const shown = await rendered(lazyExtra(async () => () => createElement('b', null, 'More')))
  expect(shown.text).toContain('<b>More</b>')
})
