import { isJsonObject } from '@troupe/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setValue } from '../commands/edit-steps.ts'
import { type KeptEdits, WorkflowEditor } from '../session/workflow-editor.ts'
import { DraftServer } from '../testing/draft-server.ts'
import { additiveEdit, firstGraph, makeEdit, type RandomEdit, randomEdit } from '../testing/random-edits.ts'
import { changesOf } from './draft-changes.ts'
import { type SyncEffect, statusOf, wakeAt } from './sync-state.ts'

type Event =
  | { kind: 'edit'; who: number; edit: RandomEdit }
  | { kind: 'type'; who: number }
  | { kind: 'wait'; ms: number }
  | { kind: 'deliver'; who: number; fate: 'ok' | 'request lost' | 'answer lost' | 'signed out' }
  | { kind: 'reload' | 'undo' | 'redo' | 'reachable' | 'news'; who: number }

const who = fc.nat(1)

function eventsOf(edit: fc.Arbitrary<RandomEdit>, isUndone: boolean): fc.Arbitrary<Event[]> {
  const simple = isUndone
    ? (['reload', 'undo', 'redo', 'reachable', 'news'] as const)
    : (['reload', 'reachable', 'news'] as const)
  const one: fc.Arbitrary<Event> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('edit' as const), who, edit }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('type' as const), who }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(6000) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('deliver' as const),
        who,
        fate: fc.constantFrom('ok', 'ok', 'ok', 'request lost', 'answer lost', 'signed out'),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom(...simple), who }) },
  )
  return fc.array(one, { maxLength: 60 })
}

/** Two users of one draft, whose clock, network and reloads are events. */
class Scene {
  readonly server = new DraftServer(firstGraph())
  readonly editors: WorkflowEditor[] = []
  readonly typed: { node: string; key: string }[] = []
  readonly waiting: SyncEffect[][] = [[], []]
  now = 0
  #ids = 0

  constructor() {
    for (const index of [0, 1]) this.editors[index] = this.#open()
  }

  #open(): WorkflowEditor {
    const { revision, graph } = this.server
    return new WorkflowEditor(
      { revision, graph },
      {
        newChangeId: () => {
          this.#ids += 1
          return `change ${this.#ids}`
        },
      },
    )
  }

  editor(index: number): WorkflowEditor {
    return this.editors[index] ?? this.#open()
  }

  play(event: Event): void {
    this.now += 10
    const at = this.now
    switch (event.kind) {
      case 'edit': {
        const { edit } = event
        this.editor(event.who).run({ label: edit.kind, at }, (tx, isRetired) => makeEdit(tx, edit, isRetired))
        break
      }
      case 'type': {
        const node = event.who === 0 ? 'start' : 'end'
        const key = `typed${this.typed.length}`
        const done = this.editor(event.who).run({ label: 'Type', at }, (tx) =>
          setValue(tx, node, key, `text ${this.typed.length}`),
        )
        if (done.ok) this.typed.push({ node, key })
        break
      }
      case 'wait':
        this.now += event.ms
        for (const editor of this.editors) editor.dispatch({ kind: 'tick', at: this.now })
        break
      case 'deliver':
        this.deliver(event.who, event.fate)
        break
      case 'reload':
        this.reload(event.who)
        break
      case 'undo':
        this.editor(event.who).undo({ labelOf: (label) => `Undo ${label}`, at })
        break
      case 'redo':
        this.editor(event.who).redo({ labelOf: (label) => `Redo ${label}`, at })
        break
      case 'reachable':
        this.editor(event.who).dispatch({ kind: 'reachable', at })
        break
      case 'news':
        this.editor(event.who).dispatch({ kind: 'news', revision: this.server.revision, at })
        break
      default:
        event satisfies never
    }
  }

  /** Delivers the next request of an editor, which may be lost, or its response. */
  deliver(index: number, fate: 'ok' | 'request lost' | 'answer lost' | 'signed out'): void {
    const editor = this.editor(index)
    const waiting = this.waiting[index] ?? []
    waiting.push(...editor.takeEffects())
    const effect = waiting.shift()
    if (!effect) return
    const at = this.now
    if (fate === 'signed out') editor.dispatch({ kind: 'signedOut', at })
    else if (fate === 'request lost') editor.dispatch({ kind: 'unreachable', at })
    else if (effect.kind === 'send') this.#save(editor, effect, fate === 'answer lost')
    else if (fate === 'answer lost') editor.dispatch({ kind: 'unreachable', at })
    else {
      const { revision } = this.server
      editor.receive(this.server.since(effect.since), { revision, at })
    }
  }

  #save(editor: WorkflowEditor, effect: SyncEffect & { kind: 'send' }, isAnswerLost: boolean): void {
    const at = this.now
    const { changeId, draftRevision } = effect.save
    const answer = this.server.save(changeId, draftRevision, changesOf(effect.save))
    if (isAnswerLost) editor.dispatch({ kind: 'unreachable', at })
    else if (answer.ok) {
      const savedAt = new Date(at).toISOString()
      editor.dispatch({ kind: 'saved', changeId, revision: answer.revision, savedAt, at })
    } else editor.dispatch({ kind: 'stale', changeId, revision: answer.revision, at })
  }

  /** The tab closes at any point; only the state stored on the device remains. */
  reload(index: number): void {
    const kept: KeptEdits = JSON.parse(JSON.stringify(this.editor(index).kept()))
    const editor = this.#open()
    const appliedChangeIds = this.server.since(kept.revision).flatMap(({ changeId }) => changeId ?? [])
    editor.resume(kept, { at: this.now, appliedChangeIds })
    this.editors[index] = editor
    this.waiting[index] = []
  }

  /** Delivers everything to both sides. */
  settle(): void {
    for (let round = 0; round < 60; round += 1) {
      for (const index of [0, 1]) {
        const editor = this.editor(index)
        const { conflicts } = editor.sync
        if (conflicts.length > 0) {
          const choices = conflicts.map(({ id }, at) => [id, at % 2 === 0 ? 'mine' : 'theirs'] as const)
          editor.decide({ choices: new Map(choices), copies: [] }, { label: 'Merge', at: this.now })
        }
        this.now += 10_000
        editor.dispatch({ kind: 'reachable', at: this.now })
        editor.dispatch({ kind: 'news', revision: this.server.revision, at: this.now })
        this.deliver(index, 'ok')
      }
    }
  }
}

function expectOneDraft(scene: Scene): void {
  for (const editor of scene.editors) {
    expect(statusOf(editor.sync)).toBe('saved')
    expect(wakeAt(editor.sync)).toBeNull()
    expect(editor.sync.revision).toBe(scene.server.revision)
    expect(editor.graph).toEqual(scene.server.graph)
  }
}

test('two editors end with the draft of the server, despite all faults', () => {
  fc.assert(
    fc.property(eventsOf(randomEdit, true), (events) => {
      const scene = new Scene()
      for (const event of events) scene.play(event)
      scene.settle()
      expectOneDraft(scene)
    }),
    { numRuns: 200 },
  )
})

test('no input is lost by saves, conflicts, lost answers, reloads and sign-outs', () => {
  fc.assert(
    fc.property(eventsOf(additiveEdit, false), (events) => {
      const scene = new Scene()
      for (const event of events) scene.play(event)
      scene.settle()
      expectOneDraft(scene)
      const nodes = new Map(scene.server.graph.nodes.map((node) => [node.id, node]))
      for (const { node, key } of scene.typed) {
        const config = nodes.get(node)?.config
        expect(isJsonObject(config) && Object.hasOwn(config, key), `${node} ${key}`).toBe(true)
      }
    }),
    { numRuns: 200 },
  )
})

test('one editor with an unreliable network saves the same draft as without it', () => {
  const alone = eventsOf(randomEdit, true).map((events) => events.map((event) => ({ ...event, who: 0 })))
  fc.assert(
    fc.property(alone, (events) => {
      const scene = new Scene()
      const core = new Scene()
      for (const event of events) {
        scene.play(event)
        if (
          event.kind === 'edit' ||
          event.kind === 'type' ||
          event.kind === 'undo' ||
          event.kind === 'redo'
        ) {
          core.play(event)
        }
      }
      scene.settle()
      expect(scene.server.graph).toEqual(core.editor(0).graph)
    }),
    {
      numRuns: 200,
      // The first was found with seed 1129161801: after a reload, a new step got the id of a step that an unsaved change removes.
      examples: [
        [
          [
            { kind: 'edit', who: 0, edit: { kind: 'replace', a: 32, b: 3, c: 0 } },
            { kind: 'reload', who: 0 },
            { kind: 'edit', who: 0, edit: { kind: 'add', a: 0, b: 0, c: 0 } },
          ],
        ],
        // Found with seed 1129161803: commands read the edges of a step in the order of past changes, which a reload loses.
        [
          [
            { kind: 'edit', who: 0, edit: { kind: 'reconnect', a: 20, b: 0, c: 0 } },
            { kind: 'reload', who: 0 },
            { kind: 'edit', who: 0, edit: { kind: 'wrap', a: 7, b: 2, c: 0 } },
          ],
        ],
      ],
    },
  )
})

test('a save that failed waits as long as the server asks, five minutes at most, and keeps its text until it is saved', () => {
  const scene = new Scene()
  scene.play({ kind: 'type', who: 0 })
  scene.play({ kind: 'wait', ms: 6000 })
  const editor = scene.editor(0)
  const fail = (message: string | null, waitMs: number) =>
    editor.dispatch({ kind: 'unreachable', at: scene.now, message, waitMs })
  fail('Broken. (request r-1)', 20_000)
  expect(editor.sync.message).toBe('Broken. (request r-1)')
  expect(wakeAt(editor.sync)).toBe(scene.now + 20_000)
  fail('Later.', 86_400_000)
  expect(wakeAt(editor.sync)).toBe(scene.now + 300_000)
  fail(null, 0)
  expect(editor.sync.message).toBeNull()
  expect(wakeAt(editor.sync)).toBe(scene.now + 4000)
  scene.settle()
  expect(editor.sync).toMatchObject({ obstacle: 'none', message: null })
  expectOneDraft(scene)
})
