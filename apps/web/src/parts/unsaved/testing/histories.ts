import { propertyOf } from '@troupe/contract'
import type { ConfigContent } from '@troupe/editor/values/config-content'
import { expect } from 'vitest'
import { Browser, rest, SAVED, Server } from './devices.ts'

const LOSSES = ['answer', 'request', 'late'] as const

/**
 * Browsers with separate settings, so that no key replaces another one: in the end each browser has all keys.
 */
export async function checkSettings(seed: number): Promise<void> {
  const random = randomOf(seed)
  const server = new Server()
  server.delay = () => Math.floor(random() * 400)
  const browsers = [new Browser(server), new Browser(server), new Browser(server)]
  const typed: Record<string, number> = {}
  for (let step = 0; step < 30; step += 1) {
    const at = Math.floor(random() * browsers.length)
    const browser = browsers[at]
    if (!browser) continue
    const kind = random()
    if (kind < 0.6) {
      // Each browser has settings of its own, so that no key replaces another one.
      const key = `b${at}_${Math.floor(random() * 3)}`
      typed[key] = step
      browser.type(`config.${key}`, step)
    } else if (kind < 0.7) browser.isOnline = !browser.isOnline
    else if (kind < 0.8) browser.reload()
    else if (kind < 0.9) browser.sync.news()
    else server.lost.push(LOSSES[Math.floor(random() * LOSSES.length)] ?? 'answer')
    await rest(Math.floor(random() * 2500))
  }
  await settled(server, browsers)
  const all = { instructions: 'First.', temperature: 1, ...typed }
  if (Object.keys(typed).length === 0) return
  expect([seed, ...browsers.map(({ local }) => local?.edit.mine.config)]).toEqual([seed, all, all, all])
  expect(server.row?.edit?.edit.mine.config).toEqual(all)
}

/** A rule; `nr` is its number, which is unique. */
interface Rule {
  type: string
  name?: string
  nr: number
  /** The last key of each browser. */
  [key: `b${number}`]: number
}

const rulesOf = ({ config }: ConfigContent) => config.rules as Rule[]

/**
 * Browsers that add, change, move and remove items of one list: in the end all have the same items, with each key of
 * each browser.
 *
 * @param isNamed tools with names, with saves; false: rules that look alike, without saves
 */
export async function checkLists(seed: number, isNamed: boolean): Promise<void> {
  const random = randomOf(seed)
  const below = (length: number) => Math.floor(random() * length)
  const server = new Server()
  let count = 0
  const made = (): Rule => ({
    ...(isNamed
      ? { type: 'http', name: `tool_${count}`, url: `https://t${count}.example` }
      : { type: 'pii' }),
    nr: count++,
  })
  server.saved = { ...SAVED, config: { ...SAVED.config, rules: [made(), made(), made()] } }
  server.delay = () => below(400)
  const browsers = [0, 1, 2].map(() => new Browser(server))
  for (const browser of browsers) browser.saved = server.saved
  const typed = new Map<number, Partial<Rule>>()
  const removed = new Set<number>()
  const edit = (at: number, step: number) => {
    const browser = browsers[at]
    if (!browser) return
    const rules = rulesOf(browser.shown().content)
    const [kind, index] = [random(), below(rules.length)]
    const rule = rules[index]
    if (rule === undefined || kind < 0.2) {
      browser.type('config.rules', rules.toSpliced(below(rules.length + 1), 0, made()))
    } else if (kind < 0.7) {
      typed.set(rule.nr, { ...typed.get(rule.nr), [`b${at}`]: step })
      browser.type(`config.rules.${index}.b${at}`, step)
    } else if (kind < 0.85) {
      const others = rules.toSpliced(index, 1)
      browser.type('config.rules', others.toSpliced(below(rules.length), 0, rule))
    } else {
      removed.add(rule.nr)
      browser.type(`config.rules.${index}`, undefined)
    }
  }
  for (let step = 1; step <= 30; step += 1) {
    const at = below(3)
    const browser = browsers[at]
    if (!browser) continue
    const kind = random()
    if (kind < 0.6) edit(at, step)
    else if (kind < 0.67) browser.isOnline = !browser.isOnline
    else if (kind < 0.77) browser.reload()
    else if (kind < 0.85) browser.sync.news()
    else if (kind < 0.92) server.lost.push(LOSSES[below(LOSSES.length)] ?? 'answer')
    else if (isNamed && browser.isOnline) {
      await browser.save(() => edit(at, step), random() < 0.2)
    }
    await rest(below(2500))
  }
  await settled(server, browsers)
  const [first, ...others] = browsers.map((browser) => rulesOf(browser.shown().content))
  const asked = browsers[0]?.shown().conflicts ?? []
  if (!isNamed) expect(asked).toEqual([])
  for (const other of others) expect([seed, other]).toEqual([seed, first])
  for (const [nr, keys] of typed) {
    if (removed.has(nr)) continue
    const rule = first?.find((one) => one.nr === nr)
    for (const [key, step] of Object.entries(keys)) {
      // A save here does not end earlier input elsewhere: both values, or both items, become a conflict.
      const isAsked = asked.some(
        ({ path, theirs }) =>
          (path.endsWith(key) && theirs === step) ||
          (propertyOf(theirs, 'nr') === nr && propertyOf(theirs, key) === step),
      )
      expect([seed, nr, key, isAsked || rule?.[key as 'b0']]).toEqual([seed, nr, key, isAsked || step])
    }
  }
  for (let nr = 0; nr < count; nr += 1) {
    const found = first?.filter((one) => one.nr === nr).length ?? 0
    expect([seed, nr, found]).toEqual([seed, nr, removed.has(nr) ? Math.min(found, 1) : 1])
  }
}

/**
 * Browsers that type in the same settings, with saves: in the end all show the same values, and none of them is a value
 * that was seen and then replaced. Of two values that were typed without knowledge of each other, either may win.
 */
export async function checkShared(seed: number): Promise<void> {
  const random = randomOf(seed)
  const below = (length: number) => Math.floor(random() * length)
  const server = new Server()
  const keys = ['x', 'y', 'z']
  server.saved = { ...SAVED, config: Object.fromEntries(keys.map((key) => [key, `${key}0`])) }
  server.delay = () => below(400)
  const browsers = [0, 1, 2].map(() => new Browser(server))
  for (const browser of browsers) browser.saved = server.saved
  /** The values that a browser has shown and then replaced. */
  const replaced = new Set<unknown>()
  const edit = (browser: Browser, step: number) => {
    const key = keys[below(keys.length)] ?? ''
    replaced.add(browser.shown().content.config[key])
    browser.type(`config.${key}`, `${key}${step}`)
  }
  for (let step = 1; step <= 30; step += 1) {
    const browser = browsers[below(3)]
    if (!browser) continue
    const kind = random()
    if (kind < 0.5) edit(browser, step)
    else if (kind < 0.58) browser.isOnline = !browser.isOnline
    else if (kind < 0.66) browser.reload()
    else if (kind < 0.76) browser.sync.news()
    else if (kind < 0.88) server.lost.push(LOSSES[below(LOSSES.length)] ?? 'answer')
    else if (browser.isOnline)
      await browser.save(random() < 0.5 ? () => edit(browser, step) : undefined, random() < 0.2)
    await rest(below(2500))
  }
  await settled(server, browsers)
  const [first, ...others] = browsers.map((browser) => browser.shown())
  for (const other of others) expect([seed, other.content]).toEqual([seed, first?.content])
  const asked = first?.conflicts.map(({ path }) => path) ?? []
  for (const key of keys) {
    const value = first?.content.config[key]
    expect([seed, value, replaced.has(value) && !asked.includes(`config.${key}`)]).toEqual([
      seed,
      value,
      false,
    ])
  }
}

/** Every browser is online and reads what the others have. */
async function settled(server: Server, browsers: readonly Browser[]): Promise<void> {
  server.lost = []
  await rest()
  for (let round = 0; round < 4; round += 1) {
    for (const browser of browsers) {
      browser.isOnline = true
      browser.saved = server.saved
      await browser.read()
    }
  }
}

/** Numbers from 0 to 1, the same for each seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
