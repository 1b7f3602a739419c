import { findChromium, startChromium } from '@troupe/test-kit/chromium'
import { ensureWebBuilt } from '@troupe/test-kit/ensure-web-built'
import { Client } from 'pg'
import type { Page } from 'playwright-core'
import { median, quantile } from '../load/statistics.ts'
import { startChild, untilPrinted } from '../targets/child.ts'
import { dataFolder, startTroupe } from '../targets/troupe.ts'
import { measureInteractions } from './builder-interactions.ts'
import { measureStreams, STREAMING_ROLE } from './builder-streams.ts'
import { type AskOrganization, measureTraces, TRACE_ITERATION_CEILING } from './builder-traces.ts'
import type { PageRow } from './page-row.ts'

const ADMIN_TOKEN = 'bench-admin-7c1e4625f3b09ad8'
const OWNER = { email: 'owner@bench.test', name: 'Owner', password: 'correct horse battery' }
const SLUG = 'pages'
const RUNS = 100_000
/** For the last figure. */
const ALL_RUNS = 1_000_000
const ROUNDS = 10
/** Seconds of scrolling towards the last run. */
const SCROLL_SECONDS = 20
/** Lists of the navigation, each with the heading that it shows. */
const LISTS = [
  ['agents', 'Agents'],
  ['teams', 'Teams'],
  ['workflows', 'Workflows'],
  ['runs', 'Runs'],
] as const

/**
 * Opens the builder's pages in Chromium, with a server on the same machine and 100,000 runs in PostgreSQL.
 *
 * @returns null without Chromium
 */
export async function measureBuilderPages(databaseUrl: string): Promise<PageRow[] | null> {
  const chromium = findChromium()
  if (chromium === null) return null
  ensureWebBuilt()
  await using folder = await dataFolder()
  await using models = startChild('bench/src/targets/model-server.ts', [STREAMING_ROLE], {})
  const modelUrl = await untilPrinted(models, /model server at (\S+)/)
  await using troupe = await startTroupe({
    folder: folder.path,
    modelUrl: 'http://127.0.0.1:9/v1',
    databaseUrl,
    env: {
      TROUPE_ADMIN_TOKEN: ADMIN_TOKEN,
      WORKFLOW_LOOP_ITERATION_CEILING: String(TRACE_ITERATION_CEILING),
    },
  })
  const ask = operatorOf(troupe.origin)
  await seed(ask, databaseUrl)
  const browser = await startChromium(chromium)
  try {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 860 } })
    const page = await context.newPage()
    const signedIn = await page.request.post(`${troupe.origin}/api/builder/v1/session`, {
      data: { email: OWNER.email, password: OWNER.password },
      headers: { origin: troupe.origin },
    })
    if (signedIn.status() !== 200) throw new Error(`the sign-in answered ${signedIn.status()}`)
    const home = `${troupe.origin}/o/${SLUG}`
    const askHere: AskOrganization = (method, path, body) =>
      ask(method, `/organizations/${SLUG}${path}`, body)
    return [
      ...(await firstLoad(page, home)),
      ...(await navigations(page, home)),
      ...(await typing(page, home)),
      ...(await explorer(page, home)),
      ...(await measureInteractions(page, home)),
      ...(await measureTraces(page, { home, slug: SLUG, ask: askHere })),
      ...(await measureStreams(page, { home, slug: SLUG, modelUrl, ask: askHere })),
      ...(await million(page, home, databaseUrl)),
    ]
  } finally {
    await browser.close()
  }
}

function operatorOf(origin: string): AskOrganization {
  return async (method, path, body) => {
    const response = await fetch(`${origin}/api/builder/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return JSON.parse(await response.text())
  }
}

/** An organization with an owner, an agent and runs of 90 days. */
async function seed(ask: AskOrganization, databaseUrl: string): Promise<void> {
  const { organizationId } = await ask<{ organizationId: string }>('POST', '/organizations', {
    ...{ slug: SLUG, name: 'Pages', owner: OWNER },
  })
  const { agentId, versionId } = await ask<{ agentId: string; versionId: string }>(
    'POST',
    `/organizations/${SLUG}/agents`,
    { name: 'Writer' },
  )
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `insert into sessions (id, organization_id, kind, entity_id, session_id, user_id, last_seq)
        values (gen_random_uuid(), $1, 'agent', $2, 'bench', '', $3)`,
      [organizationId, agentId, ALL_RUNS],
    )
    await addRuns(client, { organizationId, versionId, count: RUNS })
  } finally {
    await client.end()
  }
}

/** Adds runs of the last 90 days to the session of the bench. */
async function addRuns(
  client: Client,
  { organizationId, versionId, count }: { organizationId: string; versionId: string; count: number },
): Promise<void> {
  await client.query(
    `insert into runs (id, organization_id, kind, entity_id, entity_version_id, session_row_id, session_seq, source, status,
        success, input, content, user_id, include_messages, input_tokens, output_tokens, created_at, started_at, completed_at)
      select gen_random_uuid(), s.organization_id, 'agent', s.entity_id, $2, s.id, first.seq + n, 'api_stream', 'completed',
        true, repeat('x', 200), repeat('y', 400), '', false, 900, 100, at, at, at + interval '2 seconds'
      from sessions s, generate_series(1, $3::int) n,
        lateral (select now() - interval '90 days' * (1 - n::float8 / $3::int) as at) moment,
        (select coalesce(max(session_seq), 0) as seq from runs where organization_id = $1) first
      where s.organization_id = $1`,
    [organizationId, versionId, count],
  )
  await client.query('analyze runs')
}

/** The first page of the explorer in an organization of 1,000,000 runs, as requested by the page. */
async function million(page: Page, home: string, databaseUrl: string): Promise<PageRow[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ organizationId: string; versionId: string }>(
      `select organization_id as "organizationId", entity_version_id as "versionId" from runs where kind = 'agent' limit 1`,
    )
    const [{ organizationId, versionId } = { organizationId: '', versionId: '' }] = rows
    await addRuns(client, { organizationId, versionId, count: ALL_RUNS - RUNS })
    await client.query('vacuum analyze runs')
  } finally {
    await client.end()
  }
  await page.goto(`${home}/runs`)
  const asked = await page.evaluate<number[]>(`(async () => {
    const asked = () => performance.getEntriesByType('resource').filter(({ name }) => /\\/runs\\?/.test(name))
    while (asked().length === 0) await new Promise(requestAnimationFrame)
    const [{ name }] = asked()
    const times = []
    for (let round = 0; round < ${ROUNDS}; round += 1) {
      const began = performance.now()
      await (await fetch(name)).json()
      times.push(performance.now() - began)
    }
    return times
  })()`)
  return [
    { what: 'runs, first page of 1,000,000, p95', reached: quantile(asked, 0.95), atMost: 150, unit: 'ms' },
  ]
}

const HEADING = (title: string) =>
  `document.querySelector('main h1')?.textContent?.trim() === ${JSON.stringify(title)}`

/** Waits in the page, frame by frame, and returns the milliseconds since `began`, a time of the page. */
const UNTIL = (condition: string, began: string) => `new Promise((resolve) => {
  const look = () => (${condition}) ? resolve(performance.now() - (${began})) : requestAnimationFrame(look)
  look()
})`

async function firstLoad(page: Page, home: string): Promise<PageRow[]> {
  await page.goto(home)
  await page.evaluate(UNTIL(`document.querySelector('main h1')`, '0'))
  const bytes = await page.evaluate<number>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  )
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.reload()
    times.push(await page.evaluate<number>(UNTIL(`document.querySelector('main h1')`, '0')))
  }
  return [
    { what: 'first load, scripts as sent', reached: bytes / 1_024, atMost: 200, unit: 'KB' },
    { what: 'warm start to Home, p50', reached: median(times), atMost: 1_000, unit: 'ms' },
  ]
}

/** Presses the links of the navigation: the first round loads pages and answers, later ones have them. */
async function navigations(page: Page, home: string): Promise<PageRow[]> {
  await page.goto(home)
  await page.evaluate(UNTIL(`document.querySelector('main h1')`, '0'))
  const press = (path: string, title: string) =>
    page.evaluate<number>(`(() => {
      const began = performance.now()
      document.querySelector('nav a[href$="/o/${SLUG}/${path}"]').click()
      return ${UNTIL(`${HEADING(title)} && document.querySelector('main table, main h2')`, 'began')}
    })()`)
  const first: number[] = []
  const later: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [path, title] of LISTS) (round === 0 ? first : later).push(await press(path, title))
  }
  return [
    { what: 'navigation, not cached, p95', reached: quantile(first, 0.95), atMost: 400, unit: 'ms' },
    { what: 'navigation, cached, p95', reached: quantile(later, 0.95), atMost: 100, unit: 'ms' },
  ]
}

/** Types a question into the search of a list; each key until the frame after it. */
async function typing(page: Page, home: string): Promise<PageRow[]> {
  await page.goto(`${home}/agents`)
  const field = page.getByRole('searchbox').first()
  await field.focus()
  await page.evaluate(`window.benchKeys = []; addEventListener('keydown', ({ timeStamp }) => {
    requestAnimationFrame(() => setTimeout(() => window.benchKeys.push(performance.now() - timeStamp)))
  }, true)`)
  await field.pressSequentially('which agent writes the weekly report', { delay: 40 })
  const keys = await page.evaluate<number[]>('window.benchKeys')
  return [{ what: 'typing, key to paint, p95', reached: quantile(keys, 0.95), atMost: 50, unit: 'ms' }]
}

/** Opens the runs and scrolls down as fast as the page follows; a gap is a frame that comes late or shows no row. */
async function explorer(page: Page, home: string): Promise<PageRow[]> {
  await page.goto(`${home}/runs`)
  const first = await page.evaluate<number>(UNTIL(`document.querySelector('main tbody tr[data-index]')`, '0'))
  const scrolled = await page.evaluate<{ gap: number; elements: number; rows: number }>(`(async () => {
    const ends = performance.now() + ${SCROLL_SECONDS * 1_000}
    let [gap, elements, rows, shown] = [0, 0, 0, performance.now()]
    while (performance.now() < ends) {
      window.scrollBy(0, 600)
      await new Promise(requestAnimationFrame)
      const visible = [...document.querySelectorAll('main tbody tr[data-index]')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect()
        return bottom > 0 && top < innerHeight
      })
      gap = Math.max(gap, performance.now() - shown)
      if (visible.length > 0) shown = performance.now()
      elements = Math.max(elements, document.getElementsByTagName('*').length)
      rows = Math.max(rows, ...visible.map(({ dataset }) => Number(dataset.index) + 1))
    }
    return { gap, elements, rows }
  })()`)
  return [
    { what: 'runs, first rows of 100,000', reached: first, atMost: 1_000, unit: 'ms' },
    { what: 'runs, longest gap while scrolling', reached: scrolled.gap, atMost: 300, unit: 'ms' },
    { what: 'runs, most elements', reached: scrolled.elements, atMost: 3_000, unit: 'elements' },
    { what: `runs, rows passed in ${SCROLL_SECONDS} s`, reached: scrolled.rows, atMost: RUNS, unit: 'rows' },
  ]
}
