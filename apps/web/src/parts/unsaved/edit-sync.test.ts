import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Browser, rest, SAVED, Server, saved, twoDevices } from './testing/devices.ts'
import { checkLists, checkSettings, checkShared } from './testing/histories.ts'

/**
 * On a phone without a network, a temperature is typed, while the desk discards the instructions that both
 * know.
 */
async function typedOnAfterDiscard(): Promise<{ phone: Browser; server: Server }> {
  const { server, desk, phone } = await twoDevices()
  desk.type('config.instructions', 'Typed.')
  await rest()
  await phone.read()
  phone.isOnline = false
  phone.type('config.temperature', 0)
  desk.discard()
  await rest()
  phone.isOnline = true
  await phone.read()
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
    const { desk, phone } = await twoDevices()
    desk.type('config.instructions', 'Of the desk.')
    phone.type('config.temperature', 0)
    await rest()
    desk.sync.news()
    await phone.read()
    for (const browser of [desk, phone]) {
      expect(browser.local?.edit.mine.config).toEqual({ instructions: 'Of the desk.', temperature: 0 })
    }
  })

  test('discarded in one browser is removed from the other one, and an offline one does not restore it', async () => {
    const { server, desk, phone } = await twoDevices()
    desk.type('config.instructions', 'Typed.')
    await rest()
    await phone.read()
    phone.isOnline = false
    desk.discard()
    await rest()
    phone.reload()
    phone.isOnline = true
    await phone.read()
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
    const { desk, phone } = await twoDevices({ x: 0, y: 0, z: 0 })
    desk.type('config.x', 1)
    desk.type('config.z', 1)
    await rest()
    await phone.read()
    phone.isOnline = false
    phone.type('config.y', 5)
    // Reset since: newer input, too.
    phone.type('config.z', 0)
    desk.type('config.x', x)
    await saved(desk)
    phone.isOnline = true
    await phone.read()
    await desk.read()
    for (const browser of [desk, phone]) {
      expect(browser.shown()).toMatchObject({ content: { config: { x, y: 5, z: 0 } }, conflicts: [] })
    }
  })

  test('that was discarded elsewhere keeps only later input', async () => {
    const { phone } = await typedOnAfterDiscard()
    expect(phone.shown().content.config).toEqual({ instructions: 'First.', temperature: 0 })
  })

  test.each([
    { title: 'a save', end: (desk: Browser) => desk.save(), left: { x: 2, y: 5, z: 0 } },
    { title: 'a discard', end: async (desk: Browser) => desk.discard(), left: { x: 0, y: 5, z: 0 } },
  ])('that another device writes just before $title here keeps only its input', async ({ end, left }) => {
    const { server, desk, phone } = await twoDevices({ x: 0, y: 0, z: 0 })
    desk.type('config.x', 1)
    desk.type('config.z', 1)
    await rest()
    await phone.read()
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
      await browser.read()
    }
    for (const browser of [desk, phone]) {
      expect(browser.shown()).toMatchObject({ content: { config: left }, conflicts: [] })
    }
  })

  test('that another device writes after it has read a save here stays as a whole', async () => {
    const { desk, phone } = await twoDevices({ x: 0, y: 0 })
    desk.type('config.x', 1)
    await rest()
    desk.type('config.x', 2)
    desk.isOnline = false
    await saved(desk)
    await phone.read()
    // The agreed value of the saved edit, typed again.
    phone.type('config.x', 1)
    await rest()
    desk.isOnline = true
    await desk.read()
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
    const { builtOn, ...stored } = server.row ?? expect.fail('nothing is stored')
    expect([desk.agreed, builtOn]).toEqual([{ ...stored, isOwn: true }, []])
  })

  test.each([
    { title: 'a setting', before: 0, lost: 1, after: 2 },
    {
      ...{ title: 'an item that the write has added', before: [] },
      ...{ lost: [{ type: 'pii', action: 'mask' }], after: [{ type: 'pii', action: 'block' }] },
    },
    {
      title: 'an item that the write has removed',
      before: [{ type: 'pii' }],
      lost: [],
      after: [{ type: 'pii' }],
    },
  ])('whose stored write got no answer gives way to a later change of $title elsewhere', async (values) => {
    const { server, desk, phone } = await twoDevices({ x: values.before, y: 0 })
    server.lost = ['answer']
    desk.type('config.x', values.lost)
    await rest(1015)
    desk.isOnline = false
    // Typed since the write.
    desk.type('config.y', 5)
    await rest()
    await phone.read()
    phone.type('config.x', values.after)
    await rest()
    // More writes of one browser do not hide the one that it has read.
    phone.type('config.z', 1)
    await rest()
    desk.reload()
    desk.isOnline = true
    await desk.read()
    await phone.read()
    for (const browser of [desk, phone]) {
      expect(browser.shown().content.config).toEqual({ x: values.after, y: 5, z: 1 })
    }
  })

  test('whose stored write got no answer gives way to a save of a later value elsewhere', async () => {
    const { server, desk, phone } = await twoDevices({ x: 0 })
    server.lost = ['answer']
    desk.type('config.x', 1)
    await rest(1015)
    desk.isOnline = false
    await phone.read()
    phone.type('config.x', 2)
    await saved(phone)
    desk.isOnline = true
    await desk.read()
    expect(desk.shown()).toMatchObject({ content: { config: { x: 2 } }, conflicts: [] })
  })

  test('whose discard got no answer does not end what was typed after it elsewhere', async () => {
    const { server, desk, phone } = await twoDevices({ x: 0 })
    desk.type('config.x', 1)
    await rest()
    await phone.read()
    server.lost = ['answer']
    desk.discard()
    await rest(1015)
    desk.isOnline = false
    await phone.read()
    expect(phone.local).toBeNull()
    phone.type('config.x', 1)
    await rest()
    desk.isOnline = true
    await desk.read()
    for (const browser of [desk, phone]) expect(browser.shown().content.config).toEqual({ x: 1 })
  })

  test('whose stored write is repeated after the sign-in has expired gives way to a later value elsewhere', async () => {
    const server = new Server()
    server.saved = { ...SAVED, config: { x: 0 } }
    const [desk, phone] = [new Browser(server), new Browser(server)]
    for (const browser of [desk, phone]) browser.saved = server.saved
    await rest()
    server.lost = ['answer']
    desk.isShown = false
    desk.type('config.x', 1)
    await rest(1015)
    const expired = vi.spyOn(server, 'keep').mockResolvedValue('signedOut')
    await rest()
    expect(expired).toHaveBeenCalledOnce()
    expired.mockRestore()
    phone.sync.news()
    await rest()
    phone.type('config.x', 2)
    await rest()
    desk.isShown = true
    desk.sync.news()
    await rest()
    expect(desk.shown().content.config).toEqual({ x: 2 })
    expect(server.row?.edit?.edit.mine.config).toEqual({ x: 2 })
  })

  test('whose write arrives after a later look is recognized', async () => {
    const server = new Server()
    server.saved = { ...SAVED, config: { x: 0, y: 0 } }
    const desk = new Browser(server)
    desk.saved = server.saved
    await rest()
    desk.type('config.y', 1)
    await rest()
    server.lost = ['late', 'request', 'request']
    desk.type('config.x', 1)
    await rest(1015)
    desk.type('config.x', 0)
    await rest()
    // An event reports that the edit has changed.
    await desk.read()
    expect(desk.shown().content.config).toEqual({ x: 0, y: 1 })
    expect(server.row?.edit?.edit.mine.config).toEqual({ x: 0, y: 1 })
  })

  test.each([
    { title: 'two saves here', isReload: false },
    { title: 'two saves here and a reload', isReload: true },
  ])('that another device writes before $title keeps only its input', async ({ isReload }) => {
    const { server, desk, phone } = await twoDevices({ x: 0, y: 0 })
    desk.type('config.x', 1)
    await rest()
    await phone.read()
    phone.type('config.y', 5)
    await rest()
    // The saves arrive, but the reads of the edit fail.
    desk.isOnline = false
    for (const x of [2, 3]) {
      desk.type('config.x', x)
      await saved(desk)
    }
    if (isReload) desk.reload()
    desk.isOnline = true
    for (const browser of [desk, phone, desk]) {
      browser.saved = server.saved
      await browser.read()
    }
    for (const browser of [desk, phone]) {
      expect(browser.shown()).toMatchObject({ content: { config: { x: 3, y: 5 } }, conflicts: [] })
    }
  })

  test('that another device writes twice around a save here keeps only its input', async () => {
    const { server, desk, phone } = await twoDevices({ x: 0, y: 0, z: 0 })
    desk.type('config.x', 1)
    await rest()
    await phone.read()
    phone.type('config.y', 5)
    await rest()
    phone.isOnline = false
    phone.type('config.z', 7)
    desk.type('config.x', 2)
    const saving = desk.save(() => desk.type('config.w', 1))
    await saving
    // The desk reads the first write, and cannot tell the server what has ended before the second one arrives.
    server.lost = ['request']
    await rest(15)
    phone.isOnline = true
    phone.sync.flush()
    await rest()
    for (const browser of [desk, phone, desk]) {
      browser.saved = server.saved
      await browser.read()
    }
    for (const browser of [desk, phone]) {
      expect(browser.shown()).toMatchObject({
        content: { config: { x: 2, y: 5, z: 7, w: 1 } },
        conflicts: [],
      })
    }
  })

  test('that was saved twice elsewhere in the meantime keeps what was typed here', async () => {
    const { desk, phone } = await twoDevices({ x: 0, y: 0 })
    desk.type('config.x', 1)
    await rest()
    await phone.read()
    phone.isOnline = false
    phone.type('config.y', 5)
    for (const x of [2, 3]) {
      desk.type('config.x', x)
      await saved(desk)
    }
    phone.isOnline = true
    await phone.read()
    expect(phone.shown()).toMatchObject({ content: { config: { x: 3, y: 5 } }, conflicts: [] })
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
    const { changeId, edit } = desk.agreed
    expect([desk.value('instructions'), server.row]).toEqual(['Typed.', { changeId, edit, builtOn: [] }])
  })

  test('in a hidden page takes nothing, and a conflict waits until it is shown', async () => {
    const { desk, phone: hidden } = await twoDevices()
    hidden.isShown = false
    hidden.type('config.temperature', 0)
    desk.type('config.instructions', 'Typed.')
    desk.sync.flush()
    await rest()
    expect(hidden.value('instructions')).toBe('First.')
    hidden.isShown = true
    await hidden.read()
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
      return null
    })
    await rest()
    expect(server.writes).toBe(1)
  })

  test('loses no input of any browser, despite lost and late messages', { timeout: 60_000 }, async () => {
    for (let seed = 1; seed <= 150; seed += 1) await checkSettings(seed)
  })

  test('never has a value that somebody has typed over', { timeout: 60_000 }, async () => {
    for (let seed = 1; seed <= 150; seed += 1) await checkShared(seed)
  })
})

describe.each([
  { title: 'rules that look alike, without saves', isNamed: false },
  { title: 'tools with names, with saves', isNamed: true },
])('lists of $title', ({ isNamed }) => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('are one document in the end, with each edit of each browser', { timeout: 120_000 }, async () => {
    for (let seed = 1; seed <= 300; seed += 1) await checkLists(seed, isNamed)
  })
})
