import { isJsonObject, isShown, oneLine, parseJson, shortened } from '@troupe/contract'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { assemble, MAX_NAME, Names, type PlacedNode, type SourceEdge } from '../draft/assemble.ts'
import { blockingFault } from '../draft/check-config.ts'
import { type Conversion, type Exit, oneExit, oneStep, onlyNote } from '../draft/conversion.ts'
import { limitedNote, limitedText } from '../draft/limited.ts'
import type { Imported, ImportReport } from '../draft/report.ts'
import { noteText, withoutSecrets } from '../draft/settings-text.ts'
import { standIn } from '../draft/stand-in.ts'
import { aggregate, aggregated, groupsOf } from './aggregate.ts'
import { DifyScope, type FieldRule } from './dify-scope.ts'
import { type DifyContext, type DifyMapping, SOURCE } from './mapping.ts'
import type { DifyApp, DifyNode } from './read-dify.ts'
import { DIFY_STEPS } from './steps.ts'
import { DIFY_TRIGGERS } from './triggers.ts'

/** The table of mappings; variable aggregators are in aggregate.ts. Every other type becomes a stand-in with a Note. */
export const DIFY_MAPPINGS: readonly DifyMapping[] = [...DIFY_TRIGGERS, ...DIFY_STEPS]

const BY_TYPE = new Map(
  DIFY_MAPPINGS.flatMap((mapping) => mapping.types.map((type) => [type, mapping] as const)),
)
const AGGREGATORS = new Set(['variable-aggregator', 'variable-assigner'])
/** The first node of a body, which only marks its start. */
const BEGINNINGS = new Set(['iteration-start', 'loop-start'])
const MAX_DEPTH = 8

const aggregateRule: FieldRule = ([field, inner], node) => {
  const group = groupsOf(node).find(({ name }) => name === null || name === field)
  if (!group) return { reason: 'it is not one of the groups' }
  return group.name === null || inner === 'output'
    ? { variable: aggregated(node, group.name) }
    : { reason: 'a group returns only "output"' }
}

/** A Dify app as a draft. */
export function importDify(app: DifyApp): Imported {
  const { nodes } = app
  const byKey = new Map(nodes.map((node) => [node.key, node]))
  const used = new Set<string>()
  const secondTriggers = new Set<string>()
  for (const { key, type } of nodes) {
    const trigger = BY_TYPE.get(type)?.trigger ?? (isOtherTrigger(type) ? 'http-request' : undefined)
    if (trigger === undefined || trigger === 'recurrence') continue
    if (used.has(trigger)) secondTriggers.add(key)
    used.add(trigger)
  }
  const loops = loopsOf(nodes, byKey)
  const names = new Names()
  const first = new Map(nodes.map(({ key, title, type }) => [key, names.take(title, type)]))
  const replaced = new Set<string>()
  const ruleOf = (node: DifyNode): FieldRule | null => {
    if (node.type === 'note' || BEGINNINGS.has(node.type) || secondTriggers.has(node.key)) return null
    if (isOtherTrigger(node.type)) return (fields) => ({ trigger: ['body', ...fields] })
    const mapping = BY_TYPE.get(node.type)
    if (mapping && !replaced.has(node.key)) return mapping.output
    if (AGGREGATORS.has(node.type) && !replaced.has(node.key)) return aggregateRule
    return (fields) => {
      if (fields[0] !== undefined) scope.readField(node, fields[0])
      return { output: fields }
    }
  }
  let scope = new DifyScope({ app, first, ruleOf })
  const { edges, handles } = edgesOf(app, byKey, loops)
  const incoming = new Map<string, SourceEdge[]>()
  for (const edge of edges) {
    const list = incoming.get(edge.to)
    if (list) list.push(edge)
    else incoming.set(edge.to, [edge])
  }

  const convertAll = () => {
    const conversions = new Map<string, Conversion>()
    const onEdge = new Map<SourceEdge, string>()
    for (const node of nodes) {
      const context: DifyContext = { app, scope, handles: handles.get(node.key) ?? new Set() }
      if (AGGREGATORS.has(node.type) && !replaced.has(node.key)) {
        const made = aggregate(node, { edges: incoming.get(node.key) ?? [], incoming, scope, remarks: [] })
        const fault =
          made &&
          [made.conversion, ...made.added.map((one) => one.conversion)]
            .map(blockingFault)
            .find((one) => one !== null)
        if (made && !fault) {
          conversions.set(node.key, made.conversion)
          for (const { key, edge, conversion } of made.added) {
            conversions.set(key, conversion)
            onEdge.set(edge, key)
          }
          continue
        }
        replaced.add(node.key)
      }
      conversions.set(node.key, convert(node, context, { secondTriggers, replaced }))
    }
    return { conversions, onEdge }
  }
  let made = convertAll()
  // A replaced node is read differently by later nodes, so everything is converted again; no further node is replaced
  // then.
  if (replaced.size > 0) {
    scope = new DifyScope({ app, first, ruleOf })
    made = convertAll()
  }
  const { conversions, onEdge } = made
  for (const node of nodes) {
    const conversion = conversions.get(node.key)
    if (conversion?.outcome === 'stand_in')
      conversions.set(node.key, standInFor(node, scope, handles.get(node.key) ?? new Set()))
  }
  const report: ImportReport = { rows: [], connections: [], choices: [], remarks: [] }
  if (app.unknownEdges > 0)
    report.remarks.push(`${app.unknownEdges} connections name nodes that the export does not have.`)
  if (app.unreadableNodes > 0)
    report.remarks.push(`${app.unreadableNodes} entries of its list of nodes are not nodes, and are omitted.`)
  const placed = nodes.map(
    ({ key, title, type }): PlacedNode => ({
      key,
      name: title,
      type,
      loop: loops.get(key) ?? null,
    }),
  )
  for (const [edge, key] of onEdge) {
    const target = byKey.get(edge.to)
    if (!target) continue
    placed.push({
      key,
      name: `${target.title}: set`,
      type: target.type,
      loop: loops.get(edge.to) ?? null,
    })
    first.set(key, names.take(`${shortened(target.title, 100)}: set`, 'variable'))
  }
  const drawn = edges.flatMap((edge): SourceEdge[] => {
    const key = onEdge.get(edge)
    return key === undefined
      ? [edge]
      : [
          { ...edge, to: key },
          { from: key, port: SOURCE, to: edge.to },
        ]
  })
  const assembled = assemble({
    nodes: placed,
    edges: openCycles(drawn, report, byKey),
    conversions,
    first,
    names,
    report,
  })
  if (typeof assembled === 'string') return { ok: false, fault: `The app ${assembled}.` }
  const { graph } = assembled
  if (!graph.nodes.some(({ type }) => NODE_TYPES.get(type)?.role === 'trigger')) {
    report.remarks.push('Nothing of the export starts the workflow. Add a trigger.')
  }
  const title = oneLine(app.name ?? '')
  return {
    ok: true,
    value: {
      format: 'dify',
      name: isShown(title)
        ? limitedText(title, MAX_NAME, 'name of the workflow', report.remarks)
        : 'Imported workflow',
      graph,
      report,
    },
  }
}

const isOtherTrigger = (type: string) => type.startsWith('trigger-') && !BY_TYPE.has(type)

/** The Loop around each node. Nodes that are nested too deep, or in themselves, are placed outside. */
function loopsOf(nodes: readonly DifyNode[], byKey: ReadonlyMap<string, DifyNode>): Map<string, string> {
  const isLoop = (key: string) => BY_TYPE.get(byKey.get(key)?.type ?? '')?.isLoop === true
  const loops = new Map<string, string>()
  for (const node of nodes) {
    let depth = 0
    for (let at = node.parent; at !== null && depth <= MAX_DEPTH; at = byKey.get(at)?.parent ?? null)
      depth += 1
    const isStartable = BY_TYPE.get(node.type)?.trigger === undefined && !isOtherTrigger(node.type)
    if (node.parent !== null && depth < MAX_DEPTH && isLoop(node.parent) && isStartable)
      loops.set(node.key, node.parent)
  }
  return loops
}

/** Edges of the app, with the Loop as the start of its body. */
function edgesOf(app: DifyApp, byKey: ReadonlyMap<string, DifyNode>, loops: ReadonlyMap<string, string>) {
  const edges: SourceEdge[] = []
  const begun = new Set<string>()
  for (const { from, handle, to } of app.edges) {
    const isBeginning = BEGINNINGS.has(byKey.get(from)?.type ?? '')
    const loop = isBeginning ? loops.get(from) : undefined
    if (loop === undefined) edges.push({ from, port: handle, to })
    else {
      edges.push({ from: loop, port: 'body', to })
      begun.add(loop)
    }
  }
  const led = new Set(edges.map(({ to }) => to))
  for (const [key, loop] of loops) {
    const start = byKey.get(loop)?.data.start_node_id
    const isFirst = start === key || (!begun.has(loop) && !led.has(key))
    const isReal = !BEGINNINGS.has(byKey.get(key)?.type ?? '') && byKey.get(key)?.type !== 'note'
    if (isFirst && isReal && !begun.has(loop)) edges.push({ from: loop, port: 'body', to: key })
  }
  const handles = new Map<string, Set<string>>()
  for (const { from, port } of edges) handles.set(from, (handles.get(from) ?? new Set()).add(port))
  return { edges, handles }
}

/** Removes edges that close a cycle, so that the rest can be ordered. */
function openCycles(
  edges: readonly SourceEdge[],
  report: ImportReport,
  byKey: ReadonlyMap<string, DifyNode>,
): SourceEdge[] {
  const outgoing = new Map<string, SourceEdge[]>()
  for (const edge of edges) {
    const list = outgoing.get(edge.from)
    if (list) list.push(edge)
    else outgoing.set(edge.from, [edge])
  }
  const state = new Map<string, 'open' | 'done'>()
  const dropped = new Set<SourceEdge>()
  for (const root of outgoing.keys()) {
    if (state.has(root)) continue
    const work = [{ key: root, next: 0 }]
    state.set(root, 'open')
    while (work.length > 0) {
      const frame = work.at(-1) as { key: string; next: number }
      const edge = (outgoing.get(frame.key) ?? [])[frame.next]
      frame.next += 1
      if (!edge) {
        state.set(frame.key, 'done')
        work.pop()
      } else if (state.get(edge.to) === 'open') dropped.add(edge)
      else if (!state.has(edge.to)) {
        state.set(edge.to, 'open')
        work.push({ key: edge.to, next: 0 })
      }
    }
  }
  for (const { from, to } of dropped) {
    const nameOf = (key: string) => shortened(byKey.get(key)?.title ?? key, MAX_NAME)
    report.connections.push({
      from: nameOf(from),
      to: nameOf(to),
      reason: 'it closes a cycle; make a Loop of the steps that repeat',
    })
  }
  return edges.filter((edge) => !dropped.has(edge))
}

function convert(
  node: DifyNode,
  context: DifyContext,
  { secondTriggers, replaced }: { secondTriggers: ReadonlySet<string>; replaced: Set<string> },
): Conversion {
  if (node.type === 'note') {
    const remarks: string[] = []
    return onlyNote(limitedNote(withoutSecrets(noteWords(node.data.text)), remarks), remarks)
  }
  if (BEGINNINGS.has(node.type)) {
    const partOf = node.parent === null ? {} : { partOf: node.parent }
    return { outcome: 'part', steps: [], exits: new Map(), remarks: [], choices: [], note: null, ...partOf }
  }
  if (secondTriggers.has(node.key)) {
    const note = noteText(
      `**${node.title}** started the workflow, too, and there is no place for another trigger like it.`,
      node.type,
      settingsOf(node),
    )
    return onlyNote(note, [
      'Connect the steps that only it started, or remove them. Until then, runs fail before their first step.',
    ])
  }
  if (isOtherTrigger(node.type)) {
    const note = noteText(
      `**${node.title}** started the workflow. Nothing here does that by itself: call the webhook from there.`,
      node.type,
      settingsOf(node),
    )
    return oneStep({ type: 'http-request', config: {} }, oneExit(SOURCE), {
      note,
      remarks: ['An HTTP Request takes its place. Its data is expected in the body.'],
    })
  }
  const mapping = BY_TYPE.get(node.type)
  if (mapping && !replaced.has(node.key)) {
    const conversion = mapping.convert(node, context)
    if (conversion && blockingFault(conversion) === null) return withErrors(node, conversion)
    replaced.add(node.key)
    if (mapping.trigger)
      return onlyNote(
        noteText(`**${node.title}** has settings that have no counterpart.`, node.type, settingsOf(node)),
      )
  }
  return standInFor(node, context.scope, context.handles)
}

const FAIL_BRANCH = 'fail-branch'
const LOST_ERRORS = new Map([[FAIL_BRANCH, 'it was the branch for errors; here a failed step ends the run']])

/**
 * The node's error strategy in Dify. Source: api/core/workflow/enums.py (ErrorStrategy) of github.com/langgenius/dify.
 */
function withErrors(node: DifyNode, conversion: Conversion): Conversion {
  const strategy = node.data.error_strategy
  if (strategy !== FAIL_BRANCH && strategy !== 'default-value') return conversion
  const exits = new Map([
    ...conversion.exits,
    ['success-branch', conversion.exits.get(SOURCE) ?? []] as const,
  ])
  return {
    ...conversion,
    exits,
    lost: LOST_ERRORS,
    remarks: [...conversion.remarks, 'It continued after an error. Here a failed step ends the run.'],
  }
}

/** The settings of a node for its Note, without those of the canvas. */
function settingsOf({ data }: DifyNode): Record<string, unknown> {
  const { type: _type, title: _title, selected: _selected, ...settings } = data
  return settings
}

function standInFor(node: DifyNode, scope: DifyScope, handles: ReadonlySet<string>): Conversion {
  const exits = new Map<string, Exit[]>()
  for (const handle of handles) if (handle !== FAIL_BRANCH) exits.set(handle, [{ step: 0, handle: 'out' }])
  const isCode = node.type === 'code' || node.type === 'template-transform'
  const advice = isCode
    ? 'Move its work into a tool of an agent, or fill in its output.'
    : node.type === 'knowledge-retrieval'
      ? 'Put an AI Agent with a knowledge base in its place.'
      : 'Replace it with another step, or fill in its output.'
  const made = standIn(
    'dify',
    { name: node.title },
    {
      read: scope.readFields.get(node.key) ?? new Set(),
      exits,
      note: noteText(
        `**${node.title}** has no counterpart here, and runs fail at this step. ${advice}`,
        node.type,
        settingsOf(node),
      ),
      remarks:
        exits.size > 1
          ? ['It continued at one of several outputs; now all of them follow. Put an If / Else behind it.']
          : [],
    },
  )
  const isSecret = isJsonObject(node.data.authorization) && node.data.authorization.type === 'api-key'
  const choices = isSecret
    ? [{ kind: 'credential' as const, detail: 'It sent an API key, which was omitted.' }]
    : []
  return { ...made, lost: LOST_ERRORS, choices }
}

/** The text of a note, which Dify stores as the JSON of its editor (Lexical). */
function noteWords(text: unknown): string {
  if (typeof text !== 'string') return ''
  const parsed = parseJson(text)
  if (!parsed.ok) return text
  const lines: string[] = []
  const walk = (value: unknown, depth: number) => {
    if (!isJsonObject(value) || depth > 30) return
    if (typeof value.text === 'string') lines.push(value.text)
    for (const child of Array.isArray(value.children) ? value.children : []) walk(child, depth + 1)
    if (
      value.type === 'paragraph' ||
      value.type === 'listitem' ||
      value.type === 'heading' ||
      value.type === 'linebreak'
    )
      lines.push('\n')
  }
  walk(isJsonObject(parsed.value) ? parsed.value.root : null, 0)
  return lines.join('').trim()
}
