import { expect, onTestFinished, test } from 'vitest'
import { onDraftNews } from './draft-news.ts'
import { holdDraft, uncommittedDraft } from './uncommitted-drafts.ts'

test.each([
  ['gave it up', null],
  ['typed on', { value: 'newer', base: '1' }],
])('an unwritten edit of this page is dropped when another tab %s', async (_, draft) => {
  const tab = new BroadcastChannel('troupe-drafts')
  onTestFinished(() => tab.close())
  holdDraft('a', { value: 'typed here', base: '1' })
  holdDraft('b', { value: 'of another place', base: '1' })
  const news = new Promise((told) => onTestFinished(onDraftNews('a', told)))
  tab.postMessage({ place: 'a', draft })
  expect(await news).toEqual(draft)
  expect(uncommittedDraft('a')).toBeUndefined()
  expect(uncommittedDraft('b')).toEqual({ value: 'of another place', base: '1' })
})
