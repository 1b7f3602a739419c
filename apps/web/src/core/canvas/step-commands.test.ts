import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DraftDocument } from '@troupe/editor/document/draft-document'
import { type Transaction, transact } from '@troupe/editor/document/transaction'
import { outlineOf } from '@troupe/editor/outline/outline'
import type { Graph, GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { expect, test } from 'vitest'
import { shownKeys } from '../../infrastructure/keys/key-map.ts'
import { commandWords } from '../messages/en/workflows/canvas.ts'
import { commandAt, placeOfRow } from './outline-places.ts'
import { type Answers, commandOf, STEP_COMMANDS, type StepCommandId } from './step-commands.ts'

const node = (id: string, type: string, more: Partial<GraphNode> = {}): GraphNode => ({
  ...{ id, type, name: id.toUpperCase(), parentId: null, position: { x: 0, y: 0 }, config: {} },
  ...more,
})
const edge = (source: string, target: string, sourceHandle = 'out') => ({
  ...{ id: `${source}:${sourceHandle}:${target}`, source, sourceHandle, target },
})

/** A typical triage: a decision, two branches, a Loop, and an unconnected step. */
const GRAPH: Graph = {
  nodes: [
    node('start', 'manual-trigger'),
    node('choice', 'if-else'),
    node('yes', 'edit-fields'),
    node('no', 'edit-fields'),
    node('each', 'loop'),
    node('inner', 'edit-fields', { parentId: 'each' }),
    node('end', 'edit-fields'),
    node('alone', 'edit-fields'),
  ],
  edges: [
    edge('start', 'choice'),
    edge('choice', 'yes', 'true'),
    edge('choice', 'no', 'false'),
    edge('yes', 'each'),
    edge('each', 'inner', 'body'),
    edge('each', 'end', 'done'),
  ],
}

interface Case {
  /** The key of a row of the list. */
  row: string
  answers?: Answers
  /** Its change, for readers of this test; the whole draft is compared. */
  makes: readonly string[]
}

/** A case for every command that the list also has: a command without one does not compile. */
const CASES: Readonly<Record<Exclude<StepCommandId, 'align' | 'tidy'>, Case>> = {
  add: { row: 'yes', answers: { type: 'classify' }, makes: ['+classify', 'yes out classify'] },
  insert: { row: 'end', answers: { type: 'classify' }, makes: ['+classify', 'each done classify'] },
  connect: { row: 'no', answers: { target: 'end' }, makes: ['no out end'] },
  disconnect: { row: 'no', answers: {}, makes: ['-choice false no'] },
  trigger: { row: 'start', answers: { type: 'recurrence' }, makes: ['+recurrence', 'recurrence out choice'] },
  note: { row: 'yes', makes: ['+note'] },
  replace: { row: 'yes', answers: { type: 'ai-prompt' }, makes: ['yes:ai-prompt'] },
  duplicate: { row: 'yes', makes: ['+yes-2'] },
  disable: { row: 'yes', makes: ['yes disabled'] },
  remove: { row: 'yes', makes: ['-yes', 'choice true each'] },
  wrap: { row: 'yes', makes: ['+loop', 'loop body yes', 'choice true loop'] },
  unwrap: { row: 'each', makes: ['-each', 'yes out inner', 'inner out end'] },
  frame: { row: 'alone', answers: { frame: 'each' }, makes: ['alone@each'] },
  earlier: { row: 'each', makes: ['choice true each', 'each done yes'] },
  later: { row: 'yes', makes: ['choice true each', 'each done yes'] },
}

const SHAPE = ({ type, config }: GraphNode) => {
  const definition = NODE_TYPES.get(type)
  return { role: definition?.role ?? ('pure' as const), handles: definition?.handles(config) ?? ['out'] }
}

/** The visible parts of a draft: steps with their type, Loop and state, and connections. */
function factsOf({ nodes, edges }: Graph): Set<string> {
  return new Set([
    ...nodes.map(({ id }) => `+${id}`),
    ...nodes.map(({ id, type }) => `${id}:${type}`),
    ...nodes.flatMap(({ id, parentId }) => (parentId === null ? [] : `${id}@${parentId}`)),
    ...nodes.flatMap(({ id, disabled }) => (disabled ? `${id} disabled` : [])),
    ...edges.map(({ source, sourceHandle, target }) => `${source} ${sourceHandle} ${target}`),
  ])
}

function run(command: StepCommandId, ids: readonly string[], answers: Answers): Graph {
  const document = new DraftDocument(GRAPH)
  const found = commandOf(command)
  expect(found.fault(document, ids), command).toBeNull()
  expect(found.ask(document, ids, answers), `${command} asks`).toBeNull()
  const parts = { ids, answers, isRetired: () => false, places: new Map() }
  const outcome = transact(document, (tx: Transaction) => found.run(tx, parts))
  expect(outcome, command).toMatchObject({ ok: true })
  return document.graph()
}

test('every command has the same effect at its list row as on the step selected on the canvas', () => {
  const outline = outlineOf(GRAPH, SHAPE)
  for (const [id, { row, answers = {}, makes }] of Object.entries(CASES)) {
    const command = id as keyof typeof CASES
    const atRow = commandAt(placeOfRow(outline, row), command)
    const inList = run(command, atRow.ids, { ...atRow.answers, ...answers })
    expect(inList, command).toEqual(run(command, [row], answers))
    const facts = factsOf(inList)
    for (const fact of makes) {
      const [isThere, wanted] = fact.startsWith('-') ? [false, fact.slice(1)] : [true, fact]
      const found = facts.has(wanted) || facts.has(`+${wanted}`)
      expect(found, `${command}: ${fact}`).toBe(isThere)
    }
  }
})

test('commands that only move steps are on the canvas alone, and all others are in both views', () => {
  expect(STEP_COMMANDS.filter(({ view }) => view === 'canvas').map(({ id }) => id)).toEqual(['align', 'tidy'])
  expect(
    STEP_COMMANDS.filter(({ view }) => view === 'both')
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(Object.keys(CASES).toSorted())
})

test('keys are assigned once, and none is used by the shell or missing on some keyboards', () => {
  const keys = STEP_COMMANDS.flatMap((command) => command.keys)
  expect(new Set(keys).size).toBe(keys.length)
  // The shell's and the page's: search, help, lists, run, rename; the map's own: select, move, zoom, fit.
  const taken = ['/', '?', 'j', 'k', '[', ']', '.', 'g', 'r', 'e', 'x', 'm', '+', '-', '1', '2', 'f']
  expect(keys.filter((key) => taken.includes(key))).toEqual([])
  for (const key of keys) expect(key).toMatch(/^(shift\+)?[a-z]$|^alt\+arrow(up|down)$|^delete$|^backspace$/)
  for (const { id } of STEP_COMMANDS) expect(commandWords.titles[id]).not.toBe('')
})

test('the guide has the keys of every command', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../../docs/guides/editor.md'), 'utf8')
  for (const { id, keys, view } of STEP_COMMANDS) {
    const title = `${commandWords.titles[id].replace('…', '')}${view === 'canvas' ? ' (canvas)' : ''}`
    expect(guide).toContain(`| ${title} | ${shownKeys(keys[0] ?? '', false)} |`)
  }
})

test('at a branch of a choice a step is added or connected at that output, and nothing is done with the choice itself', () => {
  const outline = outlineOf(GRAPH, SHAPE)
  const choice = outline.rows.find((row) => row.kind === 'step' && row.node.id === 'choice')
  const branch = choice?.kind === 'step' ? choice.children[1] : undefined
  const place = placeOfRow(outline, branch?.id ?? '')
  expect(place).toEqual({ kind: 'branch', nodeId: 'choice', handle: 'false' })
  const added = commandAt(place, 'add')
  expect(added).toEqual({ ids: ['choice'], answers: { handle: 'false' } })
  expect(factsOf(run('add', added.ids, { ...added.answers, type: 'classify' }))).toContain(
    'choice false classify',
  )
  for (const { id } of STEP_COMMANDS) {
    if (id !== 'add' && id !== 'connect') expect(commandAt(place, id).ids, id).toEqual([])
  }
  expect(placeOfRow(outline, 'alone')).toEqual({ kind: 'step', nodeId: 'alone' })
  expect(placeOfRow(outline, 'gone')).toEqual({ kind: 'none' })
})

test('a trigger that a search for a new step finds starts the workflow instead of following the step', () => {
  const question = commandOf('add').ask(new DraftDocument(GRAPH), ['yes'], {})
  const searched = question?.groups.filter(({ isSearched }) => isSearched).flatMap(({ choices }) => choices)
  expect(searched?.map(({ id }) => id)).toContain('http-request')
  const listed = question?.groups.filter(({ isSearched }) => !isSearched).flatMap(({ choices }) => choices)
  expect(listed?.map(({ id }) => id)).not.toContain('http-request')
  const facts = factsOf(run('add', ['yes'], { type: 'http-request' }))
  expect(facts).toContain('http-request out choice')
  expect(facts).not.toContain('yes out http-request')
})
