import { setValue } from '@troupe/editor/commands/edit-steps'
import type { KeptEdits } from '@troupe/editor/session/workflow-editor'
import { changesOf } from '@troupe/editor/sync/draft-changes'
import { node } from '@troupe/editor/testing/draft'
import { DraftServer } from '@troupe/editor/testing/draft-server'
import type { Graph } from '@troupe/graph'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DraftCalls, DraftSaveOutcome } from './draft-calls.ts'
import { DraftSession } from './draft-session.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const GRAPH: Graph = { nodes: [node('a'), node('b')], edges: [] }

type Fate = 'answered' | 'request lost' | 'answer lost' | 'signed out' | { refused: string }

/** A server by the rules of saves, with a simulated network; {@link DraftServer} names its source. */
class Network implements DraftCalls {
  readonly server = new DraftServer(GRAPH)
  fate: Fate = 'answered'
  sent: string[] = []
  wholeReads = 0

  async save({ changeId, draftRevision, patches, places }: Parameters<DraftCalls['save']>[0]) {
    this.sent.push(changeId)
    await Promise.resolve()
    const { fate } = this
    if (fate === 'request lost') return { kind: 'unreachable' } satisfies DraftSaveOutcome
    if (fate === 'signed out') return { kind: 'signedOut' } satisfies DraftSaveOutcome
    if (typeof fate === 'object') return { kind: 'refused', message: fate.refused } satisfies DraftSaveOutcome
    const answer = this.server.save(changeId, draftRevision, changesOf({ patches, places }))
    if (fate === 'answer lost') return { kind: 'unreachable' } satisfies DraftSaveOutcome
    const { revision } = answer
    if (answer.ok)
      return { kind: 'saved', revision, savedAt: '', isDraftPublished: false } satisfies DraftSaveOutcome
    const changeIds = answer.changesSince.flatMap(({ changeId }) => changeId ?? [])
    const since = { revision, saves: answer.changesSince, changeIds, author: null, isDraftPublished: null }
    return { kind: 'stale', since } satisfies DraftSaveOutcome
  }

  async changesSince(revision: number): ReturnType<DraftCalls['changesSince']> {
    if (this.fate === 'request lost') return { kind: 'unreachable' }
    const saves = this.server.since(revision)
    const changeIds = saves.flatMap(({ changeId }) => changeId ?? [])
    const isDraftPublished = false
    return {
      kind: 'since',
      since: { revision: this.server.revision, saves, changeIds, author: null, isDraftPublished },
    }
  }

  async whole(): ReturnType<DraftCalls['whole']> {
    this.wholeReads += 1
    const { revision, graph } = this.server
    return { kind: 'whole', draft: { revision, graph, author: null, isDraftPublished: false } }
  }
}

/** A tab with a draft of the server, and the storage that outlives it. */
function open(network: Network, stored: { edits: KeptEdits | null } = { edits: null }) {
  const { graph, revision } = network.server
  const session = new DraftSession(
    { draft: JSON.parse(JSON.stringify(graph)), draftRevision: revision },
    {
      calls: network,
      kept: {
        keepEdits: async (_tab, edits) => {
          stored.edits = JSON.parse(JSON.stringify(edits))
          return true
        },
        keepHistory: () => Promise.resolve(),
      },
      now: () => Date.now(),
      tab: () => Promise.resolve('tab'),
      tabNow: () => 'tab',
    },
  )
  const type = (id: string, key: string, text: string) =>
    session.act((editor, at) => editor.run({ label: 'Type', at }, (tx) => setValue(tx, id, key, text)))
  return { session, type, stored }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const configOf = ({ server }: Network, id: string) => server.graph.nodes.find((one) => one.id === id)?.config

test('typing is saved automatically after a pause, in one request', async () => {
  const network = new Network()
  const { session, type } = open(network)
  type('a', 'text', 'h')
  type('a', 'text', 'hi')
  expect(session.status).toBe('unsaved')
  await pass(999)
  expect(network.sent).toHaveLength(0)
  await pass(2)
  expect(session.status).toBe('saved')
  expect(configOf(network, 'a')).toEqual({ text: 'hi' })
  expect(network.sent).toHaveLength(1)
})

test('views of all steps follow typing after a rest, every other edit at once, and a save not before typing rests', async () => {
  const network = new Network()
  const { session } = open(network)
  const typed = (text: string) =>
    session.act(
      (editor, at) => editor.run({ label: 'Type', at }, (tx) => setValue(tx, 'a', 'text', text)),
      'typing',
    )
  const shown = () => session.shown.get().graph?.nodes.find(({ id }) => id === 'a')?.config
  let times = 0
  session.shown.subscribe(() => {
    times += 1
  })
  // Typing without a pause, for longer than the delay of a save.
  for (let key = 0; key < 80; key += 1) {
    typed(`${key}`)
    await pass(100)
  }
  expect(network.sent.length).toBeGreaterThan(0)
  expect(times).toBe(0)
  expect(session.editor.node('a')?.config).toEqual({ text: '79' })
  expect(session.isIdle).toBe(false)
  await pass(60)
  expect(times).toBe(1)
  expect(shown()).toEqual({ text: '79' })
  typed('80')
  // Another edit also renders earlier typing.
  session.act((editor, at) => editor.run({ label: 'Set', at }, (tx) => setValue(tx, 'b', 'text', 'set')))
  expect(shown()).toEqual({ text: '80' })
  session.undo()
  expect(session.shown.get().graph).toBe(session.graph)
  typed('81')
  // The field loses the focus: a following command uses the name of the step as typed.
  session.showTyped()
  expect(shown()).toEqual({ text: '81' })
  await pass(2000)
  expect(session.shown.get()).toMatchObject({ status: 'saved', revision: network.server.revision })
})

test('a save with a lost response is resent with its id, and counts once', async () => {
  const network = new Network()
  const { session, type } = open(network)
  network.fate = 'answer lost'
  type('a', 'text', 'hi')
  await pass(1001)
  expect(session.status).toBe('unreachable')
  type('a', 'more', 'typed on')
  network.fate = 'answered'
  await pass(5000)
  expect(session.status).toBe('saved')
  expect(new Set(network.sent).size).toBe(network.sent.length - 1)
  expect(network.server.saves).toHaveLength(2)
  expect(configOf(network, 'a')).toEqual({ text: 'hi', more: 'typed on' })
})

test('a colleague’s earlier save is merged from the refusal alone', async () => {
  const network = new Network()
  const [mine, theirs] = [open(network), open(network)]
  theirs.type('a', 'theirs', 'x')
  await pass(1001)
  mine.type('a', 'mine', 'y')
  await pass(1001)
  expect(mine.session.status).toBe('saved')
  expect(configOf(network, 'a')).toEqual({ theirs: 'x', mine: 'y' })
  expect(network.wholeReads).toBe(0)
})

test('nothing is sent during a conflict, and the choice is a change like any other', async () => {
  const network = new Network()
  const [mine, theirs] = [open(network), open(network)]
  theirs.type('a', 'text', 'theirs')
  await pass(1001)
  mine.type('a', 'text', 'mine')
  await pass(20_000)
  const { session } = mine
  expect(session.status).toBe('conflict')
  expect(configOf(network, 'a')).toEqual({ text: 'theirs' })
  const choices = session.editor.sync.conflicts.map(({ id }) => [id, 'mine'] as const)
  session.act((editor, at) =>
    editor.decide({ choices: new Map(choices), copies: [] }, { label: 'Decide', at }),
  )
  await pass(2000)
  expect(session.status).toBe('saved')
  expect(configOf(network, 'a')).toEqual({ text: 'mine' })
})

test('an expired sign-in keeps everything until the person has signed in again', async () => {
  const network = new Network()
  const { session, type, stored } = open(network)
  network.fate = 'signed out'
  type('a', 'text', 'hi')
  await pass(60_000)
  expect(session.status).toBe('signedOut')
  expect(network.sent).toHaveLength(1)
  expect(stored.edits?.sent?.patches ?? stored.edits?.queued).not.toEqual([])
  network.fate = 'answered'
  session.dispatch({ kind: 'reachable', at: Date.now() })
  await pass(1)
  expect(session.status).toBe('saved')
  expect(configOf(network, 'a')).toEqual({ text: 'hi' })
})

test('a refusal has a reason, and the next change retries with all of them', async () => {
  const network = new Network()
  const { session, type } = open(network)
  network.fate = { refused: 'The draft is too large.' }
  type('a', 'text', 'hi')
  await pass(1001)
  expect([session.status, session.editor.sync.message]).toEqual(['refused', 'The draft is too large.'])
  network.fate = 'answered'
  type('b', 'text', 'there')
  await pass(1001)
  expect(session.status).toBe('saved')
  expect([configOf(network, 'a'), configOf(network, 'b')]).toEqual([{ text: 'hi' }, { text: 'there' }])
})

test.each([
  'request lost',
  'answer lost',
] as const)('a crashed tab with a %s is resumed, and its change can be undone', async (fate) => {
  const network = new Network()
  const first = open(network)
  network.fate = fate
  first.type('a', 'text', 'hi')
  await pass(1600)
  const kept = first.stored.edits
  first.session.act((editor) => editor.takeEffects())
  network.fate = 'answered'
  const { session } = open(network)
  const known = network.server.saves.flatMap(({ changeId }) => changeId ?? [])
  if (kept) session.resume(kept, known)
  await pass(5000)
  expect(session.status).toBe('saved')
  expect(configOf(network, 'a')).toEqual({ text: 'hi' })
  const taken = session.undo()
  // The gesture of the save, which the audit log shows.
  expect(session.editor.sync.gesture).toBe(`Undone: ${taken?.label}`)
  await pass(5000)
  expect(configOf(network, 'a')).toEqual({})
  const again = session.redo()
  expect(session.editor.sync.gesture).toBe(`Redone: ${again?.label}`)
})

test('the rest of another tab is one change on top of a colleague’s save', async () => {
  const network = new Network()
  const crashed = open(network)
  network.fate = 'request lost'
  crashed.type('a', 'crashed', 'x')
  await pass(1600)
  const kept = crashed.stored.edits
  network.fate = 'answered'
  const colleague = open(network)
  colleague.type('a', 'theirs', 'y')
  colleague.session.flush()
  await pass(1)
  const { session } = open(network)
  session.adopt([...(kept?.sent?.patches ?? []), ...(kept?.queued ?? [])], 'Take over')
  await pass(1001)
  expect(session.history.commands.map(({ label }) => label)).toEqual(['Take over'])
  expect(configOf(network, 'a')).toMatchObject({ crashed: 'x', theirs: 'y' })
})

test('a test and a publish wait until everything is saved, or cannot be', async () => {
  const network = new Network()
  const { session, type } = open(network)
  type('a', 'text', 'hi')
  const settled = session.settled()
  await pass(1)
  expect(await settled).toBe('saved')
  network.fate = 'request lost'
  type('a', 'text', 'ho')
  const lost = session.settled()
  await pass(1)
  expect(await lost).toBe('unreachable')
})

test('a publish of this tab’s saved draft is recognized, and an older response is not', async () => {
  const network = new Network()
  const { session, type } = open(network)
  type('a', 'text', 'hi')
  await pass(1001)
  const heard = { draft: { nodes: [], edges: [] }, updatedBy: null, updatedAt: '', isDraftPublished: true }
  session.hear({ ...heard, draftRevision: session.revision - 1 })
  expect(session.saved?.isDraftPublished).toBe(false)
  session.hear({ ...heard, draftRevision: session.revision })
  expect(session.saved?.isDraftPublished).toBe(true)
  expect(session.status).toBe('saved')
})
