import type { Page } from 'playwright-core'
import { quantile } from '../load/statistics.ts'
import type { AskOrganization } from './builder-traces.ts'
import type { PageRow } from './page-row.ts'

const MEMBERS = 8
/** Model deltas a second, over all members. */
const DELTAS_PER_SECOND = 200
const SECONDS = 10
/** A screen shows 60 frames a second. */
const FRAME_MS = 1_000 / 60

/** The argument of the model server that makes its members write together at that pace. */
export const STREAMING_ROLE = `lanes:${DELTAS_PER_SECOND / MEMBERS}:${(DELTAS_PER_SECOND / MEMBERS) * SECONDS}`

const members = Array.from({ length: MEMBERS }, (_, at) => `member-${at + 1}`)

const bundleOf = (slug: string, modelUrl: string) =>
  JSON.stringify({
    apiVersion: 'troupe/v1',
    organizations: [
      {
        slug,
        name: slug,
        llmConfigurations: [
          {
            ...{ slug: 'streaming', name: 'Streaming', default: true, providerId: 'openai-compatible' },
            ...{ baseUrl: modelUrl, credentials: { apiKey: 'bench' } },
            models: [{ modelId: 'bench-model', contextLength: 128_000, maxOutputTokens: 4_096 }],
          },
        ],
        agents: members.map((member) => ({ slug: member, name: member, status: 'active' })),
        teams: [
          {
            ...{ slug: 'choir', name: 'Choir', mode: 'parallel' },
            toggles: { auto_member_input: false },
            lead: { managed: { instructions: 'Sum up.' } },
            members: members.map((agent) => ({ agent })),
          },
        ],
      },
    ],
  })

/**
 * Runs in every page from now on: records when bytes of a stream arrive, and when the page has changed after them.
 */
const WATCH = `(() => {
  const watched = (window.benchStream = { waiting: null, lags: [], frames: [], chunks: 0 })
  const real = window.fetch
  window.fetch = async (...request) => {
    const response = await real(...request)
    if (!response.body || !/event-stream/.test(response.headers.get('content-type') ?? '')) return response
    const noted = response.body.pipeThrough(new TransformStream({
      transform(chunk, controller) {
        watched.waiting ??= performance.now()
        watched.chunks += 1
        controller.enqueue(chunk)
      },
    }))
    const { status, headers } = response
    return new Response(noted, { status, headers })
  }
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(() => {
      if (watched.waiting === null) return
      watched.lags.push(performance.now() - watched.waiting)
      watched.waiting = null
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
})()`

/**
 * A team of eight whose members write at once, in the playground: from the arrival of bytes to the change of the page, and
 * the frames in the meantime.
 *
 * @param modelUrl a model server with {@link STREAMING_ROLE}
 */
export async function measureStreams(
  page: Page,
  { home, slug, modelUrl, ask }: { home: string; slug: string; modelUrl: string; ask: AskOrganization },
): Promise<PageRow[]> {
  await ask('POST', '/bundle/apply', { text: bundleOf(slug, modelUrl) })
  const { data } = await ask<{ data: { teamId: string }[] }>('GET', '/teams?q=Choir')
  await page.addInitScript(WATCH)
  await page.goto(`${home}/teams/${data[0]?.teamId}?tab=playground`)
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.fill('Sing, all of you.')
  await field.press('Enter')
  const seen = await page.evaluate<{ lags: number[]; frames: number[]; chunks: number }>(`(async () => {
    const watched = window.benchStream
    while (watched.chunks < 20) await new Promise(requestAnimationFrame)
    Object.assign(watched, { waiting: null, lags: [], chunks: 0 })
    const ends = performance.now() + ${(SECONDS - 2) * 1_000}
    let before = performance.now()
    while (performance.now() < ends) {
      await new Promise(requestAnimationFrame)
      watched.frames.push(performance.now() - before)
      before = performance.now()
    }
    return { lags: watched.lags, frames: watched.frames, chunks: watched.chunks }
  })()`)
  // Fewer would invalidate the measurement: a pausing stream is always on time.
  const expected = ((SECONDS - 2) * DELTAS_PER_SECOND) / 4
  if (seen.lags.length < 60 || seen.chunks < expected / MEMBERS)
    throw new Error(`the streams brought ${seen.chunks} chunks and ${seen.lags.length} changes of the page`)
  return [
    {
      what: `${MEMBERS} streams at once, arrival to change, p95`,
      reached: quantile(seen.lags, 0.95),
      atMost: FRAME_MS,
      unit: 'ms',
    },
    { what: 'the same, frames, p95', reached: quantile(seen.frames, 0.95), atMost: 2 * FRAME_MS, unit: 'ms' },
  ]
}
