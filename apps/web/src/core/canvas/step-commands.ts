import { duplicate } from '@troupe/editor/clipboard/fragment'
import { connectTargets, disconnect, join, type WayOn } from '@troupe/editor/commands/connect-steps'
import {
  addLooseStep,
  addStep,
  addTrigger,
  insertOnEdge,
  moveSteps,
  removeSteps,
  replaceType,
  tidy,
  toggleDisabled,
} from '@troupe/editor/commands/edit-steps'
import { moveToFrame } from '@troupe/editor/commands/frame-steps'
import { unwrapLoop, wrapInLoop } from '@troupe/editor/commands/loop-steps'
import { moveInOrder } from '@troupe/editor/commands/order-steps'
import { handlesOf, roleOf, wayOn } from '@troupe/editor/commands/step-shape'
import type { DraftReader } from '@troupe/editor/document/draft-document'
import type { Transaction } from '@troupe/editor/document/transaction'
import { positionAt } from '@troupe/editor/layout/placed-level'
import { GAP_X, STEP_WIDTH } from '@troupe/editor/layout/step-size'
import type { GraphEdge, GraphNode } from '@troupe/graph'
import { NODE_DEFINITIONS, NODE_TYPES, type NodeGroup } from '@troupe/nodes/definitions'
import { commandWords as words } from '../messages/en/workflows/canvas.ts'
import { HANDLE_WORDS } from '../messages/en/workflows/handle-words.ts'

export type StepCommandId = Exclude<keyof typeof words.titles, 'copy' | 'cut' | 'paste'>

/** One possible answer. */
export interface Choice {
  id: string
  label: string
  detail?: string
  /** The type of the step that it is about. */
  type?: string
}

/** A parameter that a command requires besides the steps. */
export interface Question {
  key: AnswerKey
  title: string
  groups: readonly ChoiceGroup[]
  /** What to do when no choice matches the typed text; null: nothing else. */
  otherwise: string | null
}

export interface ChoiceGroup {
  title: string | null
  choices: readonly Choice[]
  /** Listed only when the typed text matches. */
  isSearched?: boolean
}

export type AnswerKey = 'handle' | 'type' | 'target' | 'edge' | 'frame' | 'alignment'
/** Answers to prompts. A pointer gesture provides some of them in advance. */
export type Answers = Readonly<Partial<Record<AnswerKey, string>>>

/** The environment of a command. */
export interface CommandRun {
  ids: readonly string[]
  answers: Answers
  isRetired(id: string): boolean
  /** Source of new positions that only the drawn canvas knows: the results of aligning. */
  places: ReadonlyMap<string, GraphNode['position']>
}

/** A command on steps, the same on the canvas and in the list. */
export interface StepCommand {
  id: StepCommandId
  keys: readonly Lowercase<string>[]
  /** `canvas`: it changes only the positions of steps. */
  view: 'both' | 'canvas'
  /** The reason why it is impossible with these steps; null: possible. */
  fault(reader: DraftReader, ids: readonly string[]): string | null
  /** The next question before the command can run; null: none. */
  ask(reader: DraftReader, ids: readonly string[], answers: Answers): Question | null
  /** Its label in the undo history. */
  labelOf(reader: DraftReader, ids: readonly string[], answers: Answers): string
  /** @returns the steps that are chosen afterwards */
  run(tx: Transaction, run: CommandRun): readonly string[]
}

const { needs, which, done, titles } = words
const GROUPS: readonly NodeGroup[] = ['ai', 'logic', 'people', 'data', 'canvas', 'triggers']

const NOTHING = () => null
const titleOf = (type: string) => NODE_TYPES.get(type)?.title ?? type
const nameOf = (reader: DraftReader, id: string) => reader.node(id)?.name ?? id
const firstName = (reader: DraftReader, ids: readonly string[]) => nameOf(reader, ids[0] ?? '')
const whatOf = (reader: DraftReader, ids: readonly string[]) => words.what(firstName(reader, ids), ids.length)
const handleWord = (handle: string) => HANDLE_WORDS[handle] ?? handle
const one = (_: DraftReader, ids: readonly string[]) => (ids.length === 1 ? null : needs.one)
const some = (_: DraftReader, ids: readonly string[]) => (ids.length > 0 ? null : needs.some)
const edgesOf = (reader: DraftReader, id: string) => [...reader.edgesTo(id), ...reader.edgesFrom(id)]

function plainQuestion(key: AnswerKey, title: string, choices: readonly Choice[]): Question {
  return { key, title, groups: [{ title: null, choices }], otherwise: null }
}

function typeQuestion(title: string, isOffered: (type: string, role: string) => boolean): Question {
  const groups = GROUPS.map((group) => ({
    title: words.groups[group],
    choices: NODE_DEFINITIONS.filter((one) => one.group === group && isOffered(one.type, one.role)).map(
      ({ type, title: label, summary }): Choice => ({ id: type, label, detail: summary, type }),
    ),
  }))
  const offered = groups.filter(({ choices }) => choices.length > 0)
  return { key: 'type', title, groups: offered, otherwise: words.otherType }
}

const isTrigger = (_: string, role: string) => role === 'trigger'
const isStep = (_: string, role: string) => role !== 'trigger' && role !== 'note'
const hasWayOn = (type: string, role: string) => isStep(type, role) && wayOn({ type, config: {} }) !== null

function handleQuestion(node: GraphNode, answers: Answers): Question | null {
  const handles = handlesOf(node)
  if (answers.handle !== undefined || handles.length < 2) return null
  const choices = handles.map((id): Choice => ({ id, label: handleWord(id) }))
  return plainQuestion('handle', which.handle(node.name), choices)
}

function edgeQuestion(reader: DraftReader, edges: readonly GraphEdge[]): Question {
  const choices = edges.map(({ id, source, sourceHandle, target }): Choice => {
    const [from, to] = [nameOf(reader, source), nameOf(reader, target)]
    const isOnly = handlesOf(reader.node(source) ?? { type: '', config: {} }).length < 2
    return { id, label: isOnly ? words.plainWay(from, to) : words.way(from, handleWord(sourceHandle), to) }
  })
  return plainQuestion('edge', which.edge, choices)
}

const handleOf = (node: GraphNode, { handle }: Answers) => handle ?? handlesOf(node)[0] ?? 'out'

/**
 * The outputs by which chosen steps are connected to another one: for several steps, the ends of their
 * branches.
 */
function waysToJoin(reader: DraftReader, ids: readonly string[], answers: Answers): WayOn[] {
  const nodes = ids.flatMap((id) => reader.node(id) ?? [])
  if (nodes.length === 1) return nodes.map((node) => ({ source: node.id, handle: handleOf(node, answers) }))
  return nodes.flatMap((node) => {
    const handle = wayOn(node)
    return handle === null ? [] : [{ source: node.id, handle }]
  })
}

/** Triggers start the same steps, unless there is none yet. */
function startedSteps(reader: DraftReader, ids: readonly string[]): string[] {
  const triggers = reader.nodes().filter((node) => roleOf(node) === 'trigger')
  const model = triggers.find(({ id }) => ids.includes(id)) ?? triggers[0]
  if (model) return [...new Set(reader.edgesFrom(model.id).map(({ target }) => target))]
  const first = reader.childrenOf(null).find(({ id, ...node }) => {
    return roleOf(node) !== 'note' && reader.edgesTo(id).length === 0
  })
  return first ? [first.id] : []
}

function framesFor(reader: DraftReader, ids: readonly string[]): GraphNode[] {
  const chosen = new Set(ids)
  const isInside = ({ id }: GraphNode) => {
    const seen = new Set<string>()
    for (let at: string | null = id; at !== null && !seen.has(at); at = reader.node(at)?.parentId ?? null) {
      if (chosen.has(at)) return true
      seen.add(at)
    }
    return false
  }
  const parents = new Set(ids.map((id) => reader.node(id)?.parentId ?? null))
  return reader.nodes().filter((node) => {
    return roleOf(node) === 'loop' && !isInside(node) && !(parents.size === 1 && parents.has(node.id))
  })
}

/** The missing answers before a step is added after another one: its output, then the type of the new step. */
export function nextQuestionOfAdd(after: GraphNode, answers: Answers): Question {
  return handleQuestion(after, answers) ?? newStepQuestion()
}

/** A search for “http” or “form” finds the trigger of that name, which starts the workflow instead of following a step. */
function newStepQuestion(): Question {
  const question = typeQuestion(which.type, isStep)
  const triggers = typeQuestion('', isTrigger).groups.flatMap(({ choices }) => choices)
  const searched = { title: words.asTrigger, choices: triggers, isSearched: true }
  return { ...question, groups: [...question.groups, searched] }
}

const add: StepCommand = {
  id: 'add',
  keys: ['a'],
  view: 'both',
  fault: (reader, ids) => {
    const node = reader.node(ids[0] ?? '')
    if (ids.length !== 1 || !node) return needs.one
    return handlesOf(node).length === 0 ? needs.wayOut : null
  },
  ask: (reader, [id = ''], answers) => {
    const node = reader.node(id)
    return node && answers.type === undefined ? nextQuestionOfAdd(node, answers) : null
  },
  labelOf: (_, __, { type = '' }) => done.add(titleOf(type)),
  run: (tx, run) => {
    const { ids, answers, isRetired } = run
    const [id = ''] = ids
    const { type = '' } = answers
    if (roleOf({ type }) === 'trigger') return trigger.run(tx, { ...run, ids: [] })
    const way = { source: id, handle: handleOf(tx.requireNode(id), answers) }
    return [addStep(tx, way, { type, name: titleOf(type) }, isRetired)]
  },
}

const insert: StepCommand = {
  id: 'insert',
  keys: ['shift+a'],
  view: 'both',
  fault: (reader, ids) => one(reader, ids) ?? (reader.edgesTo(ids[0] ?? '').length > 0 ? null : needs.wayIn),
  ask: (reader, [id = ''], answers) => {
    const edges = reader.edgesTo(id)
    if (answers.edge === undefined && edges.length > 1) return edgeQuestion(reader, edges)
    return answers.type === undefined ? typeQuestion(which.type, hasWayOn) : null
  },
  labelOf: (_, __, { type = '' }) => done.insert(titleOf(type)),
  run: (tx, { ids: [id = ''], answers: { edge, type = '' }, isRetired }) => {
    const edgeId = edge ?? tx.edgesTo(id)[0]?.id ?? ''
    return [insertOnEdge(tx, edgeId, { type, name: titleOf(type) }, isRetired)]
  },
}

const trigger: StepCommand = {
  id: 'trigger',
  keys: ['t'],
  view: 'both',
  fault: NOTHING,
  ask: (_, __, { type }) => (type === undefined ? typeQuestion(which.triggerType, isTrigger) : null),
  labelOf: (_, __, { type = '' }) => done.trigger(titleOf(type)),
  run: (tx, { ids, answers: { type = '' }, isRetired }) => {
    const triggers = tx.childrenOf(null).filter((node) => roleOf(node) === 'trigger')
    const last = triggers.at(-1)?.position ?? { x: 0, y: 0 }
    const position = positionAt(tx, null, { x: last.x + STEP_WIDTH + GAP_X, y: last.y })
    const made = { type, name: titleOf(type), position, leadsTo: startedSteps(tx, ids) }
    return [addTrigger(tx, made, isRetired)]
  },
}

const note: StepCommand = {
  id: 'note',
  keys: ['n'],
  view: 'both',
  fault: NOTHING,
  ask: NOTHING,
  labelOf: () => done.note,
  run: (tx, { ids: [id = ''], isRetired }) => {
    const beside = tx.node(id)
    const parentId = beside?.parentId ?? null
    const { x, y } = beside?.position ?? { x: 0, y: 0 }
    const position = positionAt(tx, parentId, { x: x + STEP_WIDTH + GAP_X, y })
    return [addLooseStep(tx, { type: 'note', name: titleOf('note'), parentId, position }, isRetired)]
  },
}

const connect: StepCommand = {
  id: 'connect',
  keys: ['c'],
  view: 'both',
  fault: (reader, ids) => {
    if (ids.length === 0) return needs.some
    return waysToJoin(reader, ids, {}).length > 0 && ids.every((id) => wayOutOf(reader, id))
      ? null
      : needs.wayOut
  },
  ask: (reader, ids, answers) => {
    const node = ids.length === 1 ? reader.node(ids[0] ?? '') : null
    const handle = node && handleQuestion(node, answers)
    if (handle) return handle
    if (answers.target !== undefined) return null
    const targets = connectTargets(reader, waysToJoin(reader, ids, answers))
    const choices = targets.map(({ id, name, type }): Choice => ({ id, label: name, type }))
    const title = node ? which.target(node.name) : which.targetOfAll(ids.length)
    return plainQuestion('target', title, choices)
  },
  labelOf: (reader, ids) => done.connect(whatOf(reader, ids)),
  run: (tx, { ids, answers }) => {
    join(tx, waysToJoin(tx, ids, answers), answers.target ?? '')
    return ids
  },
}

function wayOutOf(reader: DraftReader, id: string): boolean {
  const node = reader.node(id)
  return node !== null && handlesOf(node).length > 0
}

const disconnectOne: StepCommand = {
  id: 'disconnect',
  keys: ['shift+c'],
  view: 'both',
  fault: (reader, ids) => one(reader, ids) ?? (edgesOf(reader, ids[0] ?? '').length > 0 ? null : needs.edge),
  ask: (reader, [id = ''], { edge }) => {
    const edges = edgesOf(reader, id)
    return edge === undefined && edges.length > 1 ? edgeQuestion(reader, edges) : null
  },
  labelOf: () => done.disconnect,
  run: (tx, { ids, answers: { edge } }) => {
    disconnect(tx, edge ?? edgesOf(tx, ids[0] ?? '')[0]?.id ?? '')
    return ids
  },
}

const replace: StepCommand = {
  id: 'replace',
  keys: ['y'],
  view: 'both',
  fault: one,
  ask: (reader, [id = ''], { type }) => {
    const node = reader.node(id)
    if (!node || type !== undefined) return null
    const isTrigger = roleOf(node) === 'trigger'
    const hasBody = reader.childrenOf(id).length > 0
    const isLedTo = edgesOf(reader, id).length > 0
    return typeQuestion(
      which.newType(node.name),
      (other, role) =>
        other !== node.type &&
        (role === 'trigger') === isTrigger &&
        !(role === 'note' && isLedTo) &&
        (!hasBody || role === 'loop'),
    )
  },
  labelOf: (reader, ids, { type = '' }) => done.replace(firstName(reader, ids), titleOf(type)),
  run: (tx, { ids, answers: { type = '' } }) => {
    replaceType(tx, ids[0] ?? '', type)
    return ids
  },
}

const copyBeside: StepCommand = {
  id: 'duplicate',
  keys: ['d'],
  view: 'both',
  fault: some,
  ask: NOTHING,
  labelOf: (reader, ids) => done.duplicate(whatOf(reader, ids)),
  run: (tx, { ids, isRetired }) => {
    const made = duplicate(tx, ids, isRetired)
    return ids.flatMap((id) => made.get(id) ?? [])
  },
}

const runningSteps = (reader: DraftReader, ids: readonly string[]) =>
  ids.flatMap((id) => reader.node(id) ?? []).filter((node) => roleOf(node) !== 'note')

const disable: StepCommand = {
  id: 'disable',
  keys: ['shift+d'],
  view: 'both',
  fault: (reader, ids) => {
    const steps = runningSteps(reader, ids)
    if (steps.length === 0) return needs.some
    return steps.some((node) => roleOf(node) === 'trigger') ? words.refusals.trigger_runs : null
  },
  ask: NOTHING,
  labelOf: (reader, ids) => {
    const isOff = runningSteps(reader, ids).some(({ disabled }) => !disabled)
    return isOff ? done.disable(whatOf(reader, ids)) : done.enable(whatOf(reader, ids))
  },
  run: (tx, { ids }) => {
    toggleDisabled(tx, ids)
    return ids
  },
}

const remove: StepCommand = {
  id: 'remove',
  keys: ['delete', 'backspace'],
  view: 'both',
  fault: some,
  ask: NOTHING,
  labelOf: (reader, ids) => done.remove(whatOf(reader, ids)),
  run: (tx, { ids }) => {
    // The focus moves to their predecessor.
    const gone = new Set(ids)
    const before = ids.flatMap((id) => tx.edgesTo(id).map(({ source }) => source))
    removeSteps(tx, ids)
    const next = before.find((id) => !gone.has(id) && tx.node(id) !== null)
    return next === undefined ? [] : [next]
  },
}

const wrap: StepCommand = {
  id: 'wrap',
  keys: ['w'],
  view: 'both',
  fault: (reader, ids) =>
    some(reader, ids) ??
    (ids.some((id) => roleOf(reader.node(id) ?? { type: '' }) === 'trigger')
      ? words.refusals.is_trigger
      : null),
  ask: NOTHING,
  labelOf: (reader, ids) => done.wrap(whatOf(reader, ids)),
  run: (tx, { ids, isRetired }) => [wrapInLoop(tx, ids, { type: 'loop', name: titleOf('loop') }, isRetired)],
}

const unwrap: StepCommand = {
  id: 'unwrap',
  keys: ['shift+w'],
  view: 'both',
  fault: (reader, ids) =>
    one(reader, ids) ?? (roleOf(reader.node(ids[0] ?? '') ?? { type: '' }) === 'loop' ? null : needs.loop),
  ask: NOTHING,
  labelOf: (reader, ids) => done.unwrap(firstName(reader, ids)),
  run: (tx, { ids: [id = ''] }) => {
    const inside = tx.childrenOf(id).map((child) => child.id)
    unwrapLoop(tx, id)
    return inside.slice(0, 1)
  },
}

const OUTSIDE = 'outside'

const frame: StepCommand = {
  id: 'frame',
  keys: ['i'],
  view: 'both',
  fault: (reader, ids) => {
    const isIn = ids.some((id) => (reader.node(id)?.parentId ?? null) !== null)
    return some(reader, ids) ?? (isIn || framesFor(reader, ids).length > 0 ? null : needs.frame)
  },
  ask: (reader, ids, answers) => {
    if (answers.frame !== undefined) return null
    const isIn = ids.some((id) => (reader.node(id)?.parentId ?? null) !== null)
    const outside: Choice[] = isIn ? [{ id: OUTSIDE, label: words.outside }] : []
    const loops = framesFor(reader, ids).map(({ id, name, type }): Choice => ({ id, label: name, type }))
    return plainQuestion('frame', which.frame, [...outside, ...loops])
  },
  labelOf: (reader, ids) => done.frame(whatOf(reader, ids)),
  run: (tx, { ids, answers: { frame: to = OUTSIDE }, places }) => {
    moveToFrame(tx, ids, to === OUTSIDE ? null : to, places)
    return ids
  },
}

const inOrder = (id: 'earlier' | 'later', key: Lowercase<string>): StepCommand => ({
  id,
  keys: [key],
  view: 'both',
  fault: one,
  ask: NOTHING,
  labelOf: (reader, ids) => done[id](firstName(reader, ids)),
  run: (tx, { ids }) => {
    moveInOrder(tx, ids[0] ?? '', id)
    return ids
  },
})

const align: StepCommand = {
  id: 'align',
  keys: ['shift+l'],
  view: 'canvas',
  fault: (_, ids) => (ids.length > 1 ? null : needs.several),
  ask: (_, __, { alignment }) => {
    if (alignment !== undefined) return null
    const choices = Object.entries(words.alignments).map(([id, label]): Choice => ({ id, label }))
    return plainQuestion('alignment', which.alignment, choices)
  },
  labelOf: (reader, ids) => done.align(whatOf(reader, ids)),
  run: (tx, { ids, places }) => {
    moveSteps(tx, places)
    return ids
  },
}

const tidyUp: StepCommand = {
  id: 'tidy',
  keys: ['l'],
  view: 'canvas',
  fault: NOTHING,
  ask: NOTHING,
  labelOf: () => done.tidy,
  run: (tx, { ids }) => {
    const levels = ids.map((id) => tx.node(id)?.parentId ?? null)
    tidy(tx, ids.length > 1 && levels.every((level) => level !== null) ? levels : [null])
    return ids
  },
}

/** Every command for steps: the canvas and the list have the same ones, with the same keys. */
export const STEP_COMMANDS: readonly StepCommand[] = [
  add,
  insert,
  connect,
  disconnectOne,
  trigger,
  note,
  replace,
  copyBeside,
  disable,
  remove,
  wrap,
  unwrap,
  frame,
  inOrder('earlier', 'alt+arrowup'),
  inOrder('later', 'alt+arrowdown'),
  align,
  tidyUp,
]

export const titleOfCommand = (id: StepCommandId): string => titles[id]

export function commandOf(id: StepCommandId): StepCommand {
  const found = STEP_COMMANDS.find((command) => command.id === id)
  if (!found) throw new Error(`No command ${id}`)
  return found
}
