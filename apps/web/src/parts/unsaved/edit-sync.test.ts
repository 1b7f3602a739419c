import { propertyOf } from '@troupe/contract'
import type { ConfigContent } from '@troupe/editor/values/config-content'
import type { MergedContent } from '@troupe/editor/values/merge-contents'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type AgreedEdit, NOTHING_AGREED } from './after-look.ts'
import { configEditSince, mergedEdits } from './brought-back.ts'
import { EditSync, type SyncOutcome } from './edit-sync.ts'
import { type ConfigEdit, editAfterSave, editOnTop, editWithChange, type KeptEdit } from './kept-edit.ts'
import type { SavedContent } from './saved-content.ts'

const SAVED: SavedContent = {
  ...{ name: 'Support', description: null, config: { instructions: 'First.', temperature: 1 } },
  ...{ versionId: 'v1', versionNumber: 1, changedBy: { name: 'Eva' } },
  ...{ updatedAt: '2026-11-29T18:00:00Z', usedBy: [] },
}

/** The unsaved changes of one person, with the rules of `keepUnsavedChanges`: see `apps/server/test/builder/unsaved-changes.test.ts`. */
class Server {
  row: AgreedEdit<KeptEdit> | null = null
  /** The next requests or responses that are lost. */
  lost: ('answer' | 'request')[] = []
  writes = 0
  saved = SAVED
  /** Milliseconds of a request and of its response. */
  delay = () => 10

  async keep({
    changeId,
    replaces,
    edit,
  }: {
    changeId: string
    replaces: string | null
    edit: ConfigEdit | null
  }) {
    await this.#wait()
    const lost = this.lost.shift()
    if (lost === 'request') return 'unreachable'
    const outcome = this.#store({ changeId, edit }, replaces)
    await this.#wait()
    return lost === 'answer' ? 'unreachable' : outcome
  }

  /** A save of an agent: the unsaved changes that it contains end with it. */
  save({ name, description, config }: ConfigContent, changeId: string | null): SavedContent {
    const versionNumber = this.saved.versionNumber + 1
    this.saved = { ...this.saved, name, description, config, versionNumber, versionId: `v${versionNumber}` }
    if (changeId !== null && this.row?.changeId === changeId)
      this.row = { changeId: `after ${changeId}`, edit: null }
    return this.saved
  }

  async look(): Promise<AgreedEdit<KeptEdit> | null> {
    await this.#wait()
    const { row } = this
    await this.#wait()
    return row
  }

  #store(row: AgreedEdit<KeptEdit>, replaces: string | null): SyncOutcome {
    const known = this.row?.changeId
    if (known !== undefined && known !== replaces && known !== row.changeId) return 'conflict'
    this.writes += 1
    this.row = row
    return 'stored'
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.delay()))
  }
}

const NOT_SAVED = { result: null, settledAs: null }
let ids = 0

/** A browser with one open editor. */
class Browser {
  local: ConfigEdit | null = null
  agreed: AgreedEdit<KeptEdit> = NOTHING_AGREED
  saved = SAVED
  isOnline = true
  isShown = true
  sync: EditSync<KeptEdit>
  readonly #server: Server

  constructor(server: Server) {
    this.#server = server
    this.sync = this.#open()
  }

  /** A reload or a crash: the stored state remains. */
  reload(): void {
    this.sync.flush(true)
    this.sync = this.#open()
  }

  type(path: string, value: unknown): void {
    const { edit, base } = this.local ?? { edit: null, base: null }
    this.local = editWithChange({ edit, base, saved: this.saved }, path, value) ?? this.local
    this.sync.edited()
  }

  discard(): void {
    this.local = null
    this.sync.edited()
  }

  /** The saved state with the edit. */
  shown(): MergedContent {
    const { edit, base } = this.local ?? { edit: null, base: null }
    return editOnTop(edit, base, this.saved)
  }

  /** Saves as `use-config-draft.ts` does; input in the meantime remains an edit. */
  async save(typeMeanwhile: () => void): Promise<void> {
    await this.sync.during(async () => {
      this.saved = this.#server.saved
      const from = this.saved
      const { content: sent, conflicts } = this.shown()
      if (this.local === null || conflicts.length > 0) return NOT_SAVED
      const { changeId } = this.agreed
      typeMeanwhile()
      await rest(this.#server.delay())
      // A colleague's save is newer: the user saves again.
      if (this.#server.saved !== from) return NOT_SAVED
      const answer = this.#server.save(sent, changeId)
      const { edit: later, base: of } = this.local ?? { edit: null, base: null }
      this.local = editAfterSave({ edit: later, base: of, saved: this.saved }, sent, from, answer)
      this.saved = answer
      return { result: null, settledAs: changeId === null ? null : `after ${changeId}` }
    })
  }

  value(key: string): unknown {
    return this.local?.edit.mine.config[key]
  }

  #open(): EditSync<KeptEdit> {
    const opened = new EditSync({
      look: async () => {
        if (!this.isOnline) throw 'unreachable'
        return this.#server.look()
      },
      keep: async (write) => (this.isOnline ? this.#server.keep(write) : 'unreachable'),
      readSaved: async () => {
        this.saved = this.#server.saved
      },
      local: () => this.local,
      setLocal: (edit) => {
        this.local = edit
      },
      agreed: () => this.agreed,
      setAgreed: (agreed) => {
        this.agreed = agreed
      },
      merge: (edits) => mergedEdits(edits, this.saved),
      since: (edit, former) => configEditSince(edit, former, this.saved),
      isOthers: () => false,
      isShown: () => this.isShown,
      newId: () => `c${++ids}`,
      now: () => Date.now(),
    })
    opened.news()
    return opened
  }
}

const rest = (ms = 60_000) => vi.advanceTimersByTimeAsync(ms)

/**
 * On a phone without a network, a temperature is typed, while the desk discards the instructions that both
 * know.
 */
async function typedOnAfterDiscard(): Promise<{ phone: Browser; server: Server }> {
  const server = new Server()
  const [desk, phone] = [new Browser(server), new Browser(server)]
  await rest()
  desk.type('config.instructions', 'Typed.')
  await rest()
  phone.sync.news()
  await rest()
  phone.isOnline = false
  phone.type('config.temperature', 0)
  desk.discard()
  await rest()
  phone.isOnline = true
  phone.sync.news()
  await rest()
  return { phone, server }
}

describe('the edit of an agent', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is written a second after the last key, and is in the next browser', async () => {
    const server = new Server()
    const [desk, phone] = [new Browser(server), new Browser(server)]
    await rest(500)
    desk.type('config.instructions', 'Typed.')
    await rest(900)
    expect(server.writes).toBe(0)
    await rest(200)
    expect(server.row?.edit?.edit.mine.config.instructions).toBe('Typed.')
    phone.sync.news()
    await rest(100)
    expect(phone.value('instructions')).toBe('Typed.')
    expect(server.writes).toBe(1)
  })

  test('typed in two browsers is merged, and both have it', async () => {
    const server = new Server()
    const [desk, phone] = [new Browser(server), new Browser(server)]
    await rest()
    desk.type('config.instructions', 'Of the desk.')
    phone.type('config.temperature', 0)
    await rest()
    desk.sync.news()
    phone.sync.news()
    await rest()
    for (const browser of [desk, phone]) {
      expect(browser.local?.edit.mine.config).toEqual({ instructions: 'Of the desk.', temperature: 0 })
    }
  })

  test('discarded in one browser is removed from the other one, and an offline one does not restore it', async () => {
    const server = new Server()
    const [desk, phone] = [new Browser(server), new Browser(server)]
    await rest()
    desk.type('config.instructions', 'Typed.')
    await rest()
    phone.sync.news()
    await rest()
    phone.isOnline = false
    desk.discard()
    await rest()
    phone.reload()
    phone.isOnline = true
    phone.sync.news()
    await rest()
    expect([phone.local, server.row?.edit]).toEqual([null, null])
  })

  test('typed on after a discard elsewhere is kept', async () => {
    const { phone, server } = await typedOnAfterDiscard()
    expect(phone.value('temperature')).toBe(0)
    expect(server.row?.edit?.edit.mine.config.temperature).toBe(0)
  })

  test.each([
    { title: 'another value', x: 2 },
    { title: 'the value before', x: 0 },
  ])('continued elsewhere restores no older value after a save of $title', async ({ x }) => {
    const server = new Server()
    server.saved = { ...SAVED, config: { x: 0, y: 0, z: 0 } }
    const [desk, phone] = [new Browser(server), new Browser(server)]
    for (const browser of [desk, phone]) browser.saved = server.saved
    await rest()
    desk.type('config.x', 1)
    desk.type('config.z', 1)
    await rest()
    phone.sync.news()
    await rest()
    phone.isOnline = false
    phone.type('config.y', 5)
    // Reset since: newer input, too.
    phone.type('config.z', 0)
    desk.type('config.x', x)
    const saving = desk.save(() => undefined)
    await rest()
    await saving
    phone.isOnline = true
    phone.sync.news()
    await rest()
    desk.sync.news()
    await rest()
    for (const browser of [desk, phone]) {
      expect(browser.shown()).toMatchObject({ content: { config: { x, y: 5, z: 0 } }, conflicts: [] })
    }
  })

  test('that was discarded elsewhere keeps only later input', async () => {
    const { phone } = await typedOnAfterDiscard()
    expect(phone.shown().content.config).toEqual({ instructions: 'First.', temperature: 0 })
  })

  test.each([
    { title: 'a save', end: (desk: Browser) => desk.save(() => undefined), left: { x: 2, y: 5, z: 0 } },
    { title: 'a discard', end: async (desk: Browser) => desk.discard(), left: { x: 0, y: 5, z: 0 } },
  ])('that another device writes just before $title here keeps only its input', async ({ end, left }) => {
    const server = new Server()
    server.saved = { ...SAVED, config: { x: 0, y: 0, z: 0 } }
    const [desk, phone] = [new Browser(server), new Browser(server)]
    for (const browser of [desk, phone]) browser.saved = server.saved
    await rest()
    desk.type('config.x', 1)
    desk.type('config.z', 1)
    await rest()
    phone.sync.news()
    await rest()
    phone.type('config.y', 5)
    // Reset since: newer input, too.
    phone.type('config.z', 0)
    await rest()
    desk.type('config.x', 2)
    const ending = end(desk)
    await rest()
    await ending
    for (const browser of [desk, phone, desk]) {
      browser.saved = server.saved
      browser.sync.news()
      await rest()
    }
    for (const browser of [desk, phone]) {
      expect(browser.shown()).toMatchObject({ content: { config: left }, conflicts: [] })
    }
  })

  test('that another device writes after it has read a save here stays as a whole', async () => {
    const server = new Server()
    server.saved = { ...SAVED, config: { x: 0, y: 0 } }
    const [desk, phone] = [new Browser(server), new Browser(server)]
    for (const browser of [desk, phone]) browser.saved = server.saved
    await rest()
    desk.type('config.x', 1)
    await rest()
    desk.type('config.x', 2)
    desk.isOnline = false
    const saving = desk.save(() => undefined)
    await rest()
    await saving
    phone.sync.news()
    await rest()
    // The agreed value of the saved edit, typed again.
    phone.type('config.x', 1)
    await rest()
    desk.isOnline = true
    desk.sync.news()
    await rest()
    for (const browser of [desk, phone]) {
      expect(browser.shown()).toMatchObject({ content: { config: { x: 1, y: 0 } }, conflicts: [] })
    }
  })

  test.each([
    'answer',
    'request',
  ] as const)('with a lost %s is written again, and nothing reverts', async (lost) => {
    const server = new Server()
    const desk = new Browser(server)
    await rest()
    server.lost = [lost, lost]
    desk.type('config.instructions', 'One')
    await rest(1015)
    desk.type('config.instructions', 'Two')
    await rest()
    expect([desk.value('instructions'), server.row?.edit?.edit.mine.config.instructions]).toEqual([
      'Two',
      'Two',
    ])
    expect(desk.agreed).toEqual(server.row)
  })

  test('of a server that knows nothing stays, and is written again: edits of earlier builds, too', async () => {
    const server = new Server()
    const desk = new Browser(server)
    await rest()
    desk.type('config.instructions', 'Typed.')
    await rest()
    server.row = null
    desk.reload()
    await rest()
    expect([desk.value('instructions'), server.row]).toEqual(['Typed.', desk.agreed])
  })

  test('in a hidden page takes nothing, and a conflict waits until it is shown', async () => {
    const server = new Server()
    const [desk, hidden] = [new Browser(server), new Browser(server)]
    await rest()
    hidden.isShown = false
    hidden.type('config.temperature', 0)
    desk.type('config.instructions', 'Typed.')
    desk.sync.flush()
    await rest()
    expect(hidden.value('instructions')).toBe('First.')
    hidden.isShown = true
    hidden.sync.news()
    await rest()
    expect(hidden.local?.edit.mine.config).toEqual({ instructions: 'Typed.', temperature: 0 })
  })

  test('that a closing page has not written is written immediately', async () => {
    const server = new Server()
    const desk = new Browser(server)
    await rest()
    desk.type('config.instructions', 'Last words.')
    desk.sync.flush(true)
    await rest(100)
    expect(server.row?.edit?.edit.mine.config.instructions).toBe('Last words.')
  })

  test('is written by no request during a save, and the rest after it', async () => {
    const server = new Server()
    const desk = new Browser(server)
    await rest()
    desk.type('config.instructions', 'Typed.')
    await desk.sync.during(async () => {
      desk.type('config.temperature', 0)
      await rest(3000)
      expect(server.writes).toBe(0)
      return NOT_SAVED
    })
    await rest()
    expect(server.writes).toBe(1)
  })

  test('loses no input of any browser, despite lost and late messages', { timeout: 60_000 }, async () => {
    for (let seed = 1; seed <= 150; seed += 1) {
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
        else server.lost.push(random() < 0.5 ? 'answer' : 'request')
        await rest(Math.floor(random() * 2500))
      }
      server.lost = []
      for (let round = 0; round < 3; round += 1) {
        for (const browser of browsers) {
          browser.isOnline = true
          browser.sync.news()
          await rest()
        }
      }
      const all = { instructions: 'First.', temperature: 1, ...typed }
      if (Object.keys(typed).length === 0) continue
      expect([seed, ...browsers.map(({ local }) => local?.edit.mine.config)]).toEqual([seed, all, all, all])
      expect(server.row?.edit?.edit.mine.config).toEqual(all)
    }
  })
})

/** A rule; `nr` is its number, which is unique. */
interface Rule {
  type: string
  name?: string
  nr: number
  /** The last key of each browser. */
  [key: `b${number}`]: number
}

describe.each([
  { title: 'rules that look alike, without saves', isNamed: false },
  { title: 'tools with names, with saves', isNamed: true },
])('lists of $title', ({ isNamed }) => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const rulesOf = ({ config }: ConfigContent) => config.rules as Rule[]

  test('are one document in the end, with each edit of each browser', { timeout: 120_000 }, async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
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
        else if (kind < 0.92) server.lost.push(random() < 0.5 ? 'answer' : 'request')
        else if (isNamed && browser.isOnline) {
          await browser.save(() => edit(at, step))
        }
        await rest(below(2500))
      }
      server.lost = []
      for (let round = 0; round < 4; round += 1) {
        for (const browser of browsers) {
          browser.isOnline = true
          browser.saved = server.saved
          browser.sync.news()
          await rest()
        }
      }
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
  })
})

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
