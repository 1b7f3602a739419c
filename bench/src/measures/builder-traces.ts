import type { Page } from 'playwright-core'
import { median } from '../load/statistics.ts'
import type { PageRow } from './page-row.ts'

const ITERATIONS = 1_000
/** Nodes of each iteration. */
const STEPS = 10
/** The ceiling that the long run requires of the server: `WORKFLOW_LOOP_ITERATION_CEILING`. */
export const TRACE_ITERATION_CEILING = ITERATIONS
const NODE_ROWS = STEPS * ITERATIONS + 2
const VALUE_MB = 4
const ROUNDS = 5
const DEADLINE_MS = 180_000

/** Asks an operation of the organization's builder API as the operator. */
export type AskOrganization = <Answer>(method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer>

const steps = Array.from({ length: STEPS }, (_, at) => at + 1)
const stepLine = (at: number) =>
  `            - { id: step${at}, type: edit-fields, name: Step ${at}, parentId: repeat, config: { rows: [{ name: n, value: "{{ loop.index }}" }] } }`
const edgeLine = (at: number) => `            - { id: s${at}, source: step${at - 1}, target: step${at} }`

/** A body has at most 1 MB, so the node returns its list four times. */
const copies = ['a', 'b', 'c', 'd'].map((name) => `{ name: ${name}, value: "{{ trigger.rows }}" }`)

const BUNDLE = (slug: string) => `apiVersion: troupe/v1
organizations:
  - slug: ${slug}
    name: ${slug}
    workflows:
      - slug: long
        name: Long
        publish: true
        graph:
          nodes:
            - { id: start, type: manual-trigger, name: Start }
            - { id: repeat, type: loop, name: Repeat, config: { mode: count, count: ${ITERATIONS} } }
${steps.map(stepLine).join('\n')}
          edges:
            - { id: e1, source: start, target: repeat }
            - { id: e2, source: repeat, sourceHandle: body, target: step1 }
${steps.slice(1).map(edgeLine).join('\n')}
      - slug: large
        name: Large
        publish: true
        graph:
          nodes:
            - { id: start, type: manual-trigger, name: Start }
            - { id: keep, type: edit-fields, name: Keep, config: { rows: [${copies.join(', ')}] } }
          edges: [{ id: e1, source: start, target: keep }]
`

/**
 * Opens the traces of two workflow runs that really ran: one with 10,000 rows, and one with a node whose output has 4 MB, of
 * which a trace shows the first 64 K characters.
 *
 * @param home address of the organization in the builder
 */
export async function measureTraces(
  page: Page,
  { home, slug, ask }: { home: string; slug: string; ask: AskOrganization },
): Promise<PageRow[]> {
  await ask('POST', '/bundle/apply', { text: BUNDLE(slug) })
  const long = await ranWorkflow(ask, 'Long', {})
  const row = { sku: 'A-1047', name: 'Enamel mug, 350 ml', price: 12.5, tags: ['kitchen', 'gift'] }
  const count = Math.floor((VALUE_MB * 1_000_000 * 0.95) / copies.length / (JSON.stringify(row).length + 1))
  const large = await ranWorkflow(ask, 'Large', { rows: Array.from({ length: count }, () => row) })
  const trace = await opening(
    page,
    `${home}/runs/${long}`,
    `document.querySelector('main table tbody tr[data-index]')`,
  )
  const value = await opening(
    page,
    `${home}/runs/${large}`,
    `document.querySelector('[role=dialog]')?.textContent?.includes('A-1047')`,
    `[...document.querySelectorAll('main tbody tr[data-index]')].find((row) => row.textContent.includes('Keep'))`,
  )
  return [
    { what: `trace of ${NODE_ROWS} rows, opened, p50`, reached: trace.opened, atMost: 1_000, unit: 'ms' },
    { what: 'the same, longest task', reached: trace.longest, atMost: 100, unit: 'ms' },
    {
      what: `values of a node of ${VALUE_MB} MB, opened, p50`,
      reached: value.opened,
      atMost: 500,
      unit: 'ms',
    },
    { what: 'the same, longest task', reached: value.longest, atMost: 100, unit: 'ms' },
  ]
}

/** Runs the published workflow of this name to its end and returns the id of the run. */
async function ranWorkflow(ask: AskOrganization, name: string, payload: object): Promise<string> {
  const { data } = await ask<{ data: { workflowId: string }[] }>('GET', `/workflows?q=${name}`)
  const workflowId = data[0]?.workflowId ?? ''
  const { executionId } = await ask<{ executionId: string }>('POST', `/workflows/${workflowId}/runs`, {
    payload,
  })
  const deadline = performance.now() + DEADLINE_MS
  while (performance.now() < deadline) {
    const { status } = await ask<{ status: string }>('GET', `/runs/${executionId}`)
    if (status === 'completed') return executionId
    if (status !== 'queued' && status !== 'running') throw new Error(`${name} ended as ${status}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`${name} did not end within ${DEADLINE_MS / 1_000} s`)
}

/**
 * Loads a page several times: milliseconds until `condition` holds, and the longest task of the page, in the median. With
 * `pressed`, an element, the time begins with its press, and the tasks before it do not count.
 */
async function opening(
  page: Page,
  url: string,
  condition: string,
  pressed: string | null = null,
): Promise<{ opened: number; longest: number }> {
  const opened: number[] = []
  const longest: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    await page.goto('about:blank')
    await page.goto(url)
    const [time, task] = await page.evaluate<[number, number]>(`new Promise(async (resolve) => {
      let longest = 0
      let began = 0
      const pressed = () => ${pressed}
      if (${pressed !== null}) {
        while (!pressed()) await new Promise(requestAnimationFrame)
        // What the page loads ahead comes first.
        await new Promise((then) => setTimeout(then, 1_500))
        began = performance.now()
        pressed().click()
      }
      new PerformanceObserver((list) => {
        for (const { startTime, duration } of list.getEntries())
          if (startTime >= began) longest = Math.max(longest, duration)
      }).observe({ type: 'longtask', buffered: true })
      const look = () => {
        if (!(${condition})) return requestAnimationFrame(look)
        const time = performance.now() - began
        // What the page still does after the first rows counts as well.
        setTimeout(() => resolve([time, longest]), 500)
      }
      look()
    })`)
    // The first round loads the scripts.
    if (round === 0) continue
    opened.push(time)
    longest.push(task)
  }
  return { opened: median(opened), longest: median(longest) }
}
