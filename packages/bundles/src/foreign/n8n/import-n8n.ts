import { isShown, oneLine, shortened } from '@troupe/contract'
import { edgeIdOf } from '@troupe/editor/ids/step-ids'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { assemble, MAX_NAME, Names, type PlacedNode, type SourceEdge } from '../draft/assemble.ts'
import { blockingFault } from '../draft/check-config.ts'
import { type Conversion, type Exit, oneExit, oneStep, onlyNote } from '../draft/conversion.ts'
import { limited, limitedNote, limitedText } from '../draft/limited.ts'
import { isKey, literalText } from '../draft/marker.ts'
import { textOf } from '../draft/plain.ts'
import type { Imported, ImportReport } from '../draft/report.ts'
import { noteText, withoutSecrets } from '../draft/settings-text.ts'
import { standIn } from '../draft/stand-in.ts'
import { N8N_AI } from './ai.ts'
import { N8N_DATA } from './data.ts'
import { bodyOutputOf, N8N_LOGIC } from './logic.ts'
import { type N8nContext, type N8nMapping, portOf } from './mapping.ts'
import { N8nScope, type OutputRule } from './n8n-scope.ts'
import { MAX_LOOP_LEVELS, nestLoops } from './nest-loops.ts'
import type { N8nConnection, N8nNode, N8nWorkflow } from './read-n8n.ts'
import { N8N_TRIGGERS } from './triggers.ts'

/** The table of mappings. Every other type becomes a stand-in with a Note. */
export const N8N_MAPPINGS: readonly N8nMapping[] = [...N8N_TRIGGERS, ...N8N_AI, ...N8N_LOGIC, ...N8N_DATA]

const BY_TYPE = new Map(
  N8N_MAPPINGS.flatMap((mapping) => mapping.types.map((type) => [type, mapping] as const)),
)
const STICKY = 'n8n-nodes-base.stickyNote'
const STOP = 'n8n-nodes-base.stopAndError'

/** Triggers whose names do not end with Trigger. Source: packages/nodes-base/nodes of github.com/n8n-io/n8n. */
const OTHER_TRIGGERS = new Set([
  'n8n-nodes-base.emailReadImap',
  'n8n-nodes-base.sseTrigger',
  'n8n-nodes-base.workflowTrigger',
])

type Kind =
  | { kind: 'mapped'; mapping: N8nMapping }
  | { kind: 'disabled'; mapping: N8nMapping | undefined }
  | { kind: 'unknown' | 'sticky' | 'stop' }
  | { kind: 'part'; of: string }
  /** `starts`: an HTTP Request replaces it; otherwise a Note. */
  | { kind: 'trigger'; starts: boolean }

const isTriggerType = (type: string) => /trigger$/i.test(type) || OTHER_TRIGGERS.has(type)

/**
 * Sub-nodes that only belong to each other have no step: each of them keeps its own place. Linear: each key is followed
 * once.
 */
function dropOwnersInCycles(partOf: Map<string, string>): void {
  const settled = new Set<string>()
  for (const key of [...partOf.keys()]) {
    const path = new Map<string, number>()
    const order: string[] = []
    let at: string | undefined = key
    while (at !== undefined && !settled.has(at) && !path.has(at)) {
      path.set(at, order.length)
      order.push(at)
      at = partOf.get(at)
    }
    const begin = at === undefined ? undefined : path.get(at)
    if (begin !== undefined) for (const one of order.slice(begin)) partOf.delete(one)
    for (const one of order) settled.add(one)
  }
}

/** Decides the conversion of each node; there can be only one trigger of most types. */
function kindsOf({ nodes, connections }: N8nWorkflow): Map<string, Kind> {
  const kinds = new Map<string, Kind>()
  const used = new Set<string>()
  const partOf = new Map<string, string>()
  const inMain = new Set<string>()
  for (const { kind, from, to } of connections) {
    if (kind === 'main') inMain.add(from).add(to)
    else if (!partOf.has(from)) partOf.set(from, to)
  }
  dropOwnersInCycles(partOf)
  for (const node of nodes) {
    const mapping = BY_TYPE.get(node.type)
    const owner = partOf.get(node.key)
    if (node.type === STICKY) kinds.set(node.key, { kind: 'sticky' })
    else if (owner !== undefined && !inMain.has(node.key)) kinds.set(node.key, { kind: 'part', of: owner })
    else if (mapping?.trigger !== undefined && !node.isDisabled) {
      const isFree = mapping.trigger === 'recurrence' || !used.has(mapping.trigger)
      if (isFree) used.add(mapping.trigger)
      kinds.set(node.key, isFree ? { kind: 'mapped', mapping } : { kind: 'trigger', starts: false })
    } else if (node.isDisabled) kinds.set(node.key, { kind: 'disabled', mapping })
    else if (node.type === STOP) kinds.set(node.key, { kind: 'stop' })
    else if (mapping) kinds.set(node.key, { kind: 'mapped', mapping })
    else if (!isTriggerType(node.type)) kinds.set(node.key, { kind: 'unknown' })
  }
  for (const node of nodes) {
    if (kinds.has(node.key)) continue
    const starts = node.type !== 'n8n-nodes-base.errorTrigger' && !used.has('http-request')
    if (starts) used.add('http-request')
    kinds.set(node.key, { kind: 'trigger', starts })
  }
  return kinds
}

/** How tokens address a node's data; null if it has no step. */
function ruleOf(kinds: ReadonlyMap<string, Kind>, scope: () => N8nScope, replaced: ReadonlySet<string>) {
  return (node: N8nNode): OutputRule | null => {
    const kind = kinds.get(node.key)
    if (!kind || kind.kind === 'sticky' || kind.kind === 'part') return null
    if (kind.kind === 'trigger')
      return kind.starts ? (keys) => ({ trigger: keys.length > 0 ? ['body', ...keys] : [] }) : null
    if (kind.kind === 'disabled') return isTriggerType(node.type) ? null : (keys) => ({ input: keys })
    if (kind.kind === 'mapped' && !replaced.has(node.key)) return kind.mapping.output
    return (keys) => {
      if (keys.every(isKey) && keys[0] !== undefined) scope().readField(node, keys[0])
      return { output: keys }
    }
  }
}

/** An n8n workflow as a draft. */
export function importN8n(workflow: N8nWorkflow): Imported {
  const { nodes, connections } = workflow
  const kinds = kindsOf(workflow)
  const main = connections.filter(({ kind }) => kind === 'main')
  const isNested = (key: string) => {
    const kind = kinds.get(key)?.kind
    return kind !== 'sticky' && kind !== 'part' && kind !== 'trigger'
  }
  const byKey = new Map(nodes.map((node) => [node.key, node]))
  const isTrigger = (key: string) => {
    const kind = kinds.get(key)
    return kind?.kind === 'trigger' || (kind?.kind === 'mapped' && kind.mapping.trigger !== undefined)
  }
  const links = main.filter(
    ({ from, to }) => isNested(from) && isNested(to) && !isTrigger(from) && !isTrigger(to),
  )
  const keys = nodes.map(({ key }) => key).filter((key) => isNested(key) && !isTrigger(key))
  const loopOutput = (key: string) => {
    const node = byKey.get(key)
    const output = node ? bodyOutputOf(node) : null
    const kind = kinds.get(key)?.kind
    // A disabled Loop continues at done, but a disabled n8n node at its first output, which is the loop's body before
    // version 3.
    return kind === 'mapped' || (kind === 'disabled' && output === 1) ? output : null
  }
  const linked = new Set(links)
  const entries = main.filter((connection) => !linked.has(connection))
  const { loopOf, back, cyclic, tooDeep } = nestLoops(keys, withEntries(links, entries, keys), loopOutput)
  const names = new Names()
  const first = new Map(
    nodes.map((node) => [node.key, names.take(node.name, node.type.split('.').at(-1) ?? 'step')]),
  )
  const replaced = new Set<string>()
  let scope = newScope()
  function newScope(): N8nScope {
    const made: N8nScope = new N8nScope({
      nodes,
      connections: connections.filter((one) => !(cyclic as ReadonlySet<unknown>).has(one)),
      first,
      loopOf,
      ruleOf: ruleOf(kinds, () => made, replaced),
    })
    return made
  }
  const parts = partsOf(nodes, connections, kinds)
  const outputs = outputsOf(main)
  const context = (node: N8nNode): N8nContext => ({
    scope,
    outputs: outputs.get(node.key) ?? new Set(),
    parts: parts.get(node.key) ?? [],
    timezone: workflow.timezone,
  })
  const convertAll = () =>
    new Map(nodes.map((node) => [node.key, convert(node, kinds.get(node.key), context(node), replaced)]))
  let conversions = convertAll()
  // A replaced node is read differently by later nodes, so everything is converted again; no further node is replaced
  // then.
  if (replaced.size > 0) {
    scope = newScope()
    conversions = convertAll()
  }
  for (const node of nodes) {
    const conversion = conversions.get(node.key)
    if (conversion?.outcome === 'stand_in') {
      conversions.set(
        node.key,
        standInFor(node, kinds.get(node.key), scope, outputs.get(node.key) ?? new Set()),
      )
    }
  }
  const report: ImportReport = { rows: [], connections: [], choices: [], remarks: [] }
  if (workflow.unknownConnections > 0) {
    report.remarks.push(
      `${workflow.unknownConnections} connections name nodes that the export does not have.`,
    )
  }
  const lost = new Set<N8nConnection>(cyclic as ReadonlySet<N8nConnection>)
  for (const { from, to } of lost) {
    report.connections.push({
      from: byKey.get(from)?.name ?? from,
      to: byKey.get(to)?.name ?? to,
      reason: 'it closes a cycle; make a Loop of the steps that repeat',
    })
  }
  for (const key of tooDeep) {
    const conversion = conversions.get(key)
    conversion?.remarks.push(
      `Loops are at most ${MAX_LOOP_LEVELS} deep here. It has no body, and its steps run once behind the outer Loop's: move them.`,
    )
  }
  const edges = main
    .filter((connection) => !lost.has(connection) && !(back as ReadonlySet<unknown>).has(connection))
    .map(({ from, output, to }): SourceEdge => ({ from, port: portOf(output), to }))
  const placed = nodes.map(
    ({ key, name, type }): PlacedNode => ({
      key,
      name,
      type,
      loop: loopOf.get(key) ?? null,
    }),
  )
  const assembled = assemble({ nodes: placed, edges, conversions, first, names, report })
  if (typeof assembled === 'string') return { ok: false, fault: `The workflow ${assembled}.` }
  const { graph } = assembled
  if (!graph.nodes.some(({ type }) => NODE_TYPES.get(type)?.role === 'trigger'))
    startByHand(graph, names, report)
  const title = oneLine(workflow.name ?? '')
  return {
    ok: true,
    value: {
      format: 'n8n',
      name: isShown(title)
        ? limitedText(title, MAX_NAME, 'name of the workflow', report.remarks)
        : 'Imported workflow',
      graph,
      report,
    },
  }
}

/** Links into loops from triggers count as entries, so that the first node of a cycle is known. */
function withEntries(
  links: N8nConnection[],
  entries: N8nConnection[],
  keys: readonly string[],
): N8nConnection[] {
  const known = new Set(keys)
  return [...links, ...entries.filter(({ to }) => known.has(to))]
}

function startByHand(
  graph: { nodes: unknown[]; edges: { id: string; source: string; sourceHandle: string; target: string }[] },
  names: Names,
  report: ImportReport,
): void {
  const { id, name } = names.take('Start', 'manual-trigger')
  const nodes = graph.nodes as {
    id: string
    type: string
    parentId: string | null
  }[]
  const led = new Set(graph.edges.map(({ target }) => target))
  const roots = nodes.filter((node) => node.type !== 'note' && node.parentId === null && !led.has(node.id))
  graph.nodes.unshift({
    id,
    type: 'manual-trigger',
    name,
    parentId: null,
    position: { x: 0, y: 0 },
    config: {},
  })
  for (const root of roots) {
    graph.edges.push({ id: edgeIdOf(id, 'out', root.id), source: id, sourceHandle: 'out', target: root.id })
  }
  report.remarks.push('Nothing of the export starts the workflow, so a Manual trigger does.')
}

function outputsOf(main: readonly N8nConnection[]): Map<string, Set<number>> {
  const outputs = new Map<string, Set<number>>()
  for (const { from, output } of main) outputs.set(from, (outputs.get(from) ?? new Set()).add(output))
  return outputs
}

function partsOf(
  nodes: readonly N8nNode[],
  connections: readonly N8nConnection[],
  kinds: ReadonlyMap<string, Kind>,
) {
  const byKey = new Map(nodes.map((node) => [node.key, node]))
  const parts = new Map<string, { kind: string; node: N8nNode }[]>()
  for (const { kind, from, to } of connections) {
    const node = byKey.get(from)
    if (kind === 'main' || !node || node.isDisabled || kinds.get(from)?.kind !== 'part') continue
    const list = parts.get(to)
    if (list) list.push({ kind, node })
    else parts.set(to, [{ kind, node }])
  }
  return parts
}

const ERROR_OUTPUT = 'it was the output for errors; here a failed step ends the run'

function convert(
  node: N8nNode,
  kind: Kind | undefined,
  context: N8nContext,
  replaced: Set<string>,
): Conversion {
  switch (kind?.kind) {
    case 'sticky': {
      const remarks: string[] = []
      return onlyNote(limitedNote(withoutSecrets(textOf(node.parameters.content ?? '')), remarks), remarks)
    }
    case 'part':
      return {
        outcome: 'part',
        steps: [],
        exits: new Map(),
        remarks: node.isDisabled ? ['It was disabled, so it is omitted.'] : [],
        choices: [],
        note: null,
        partOf: kind.of,
      }
    case 'trigger':
      return otherTrigger(node, kind.starts)
    case 'disabled':
      return convertDisabled(node, kind, context)
    case 'mapped': {
      if (replaced.has(node.key)) return standInFor(node, kind, context.scope, context.outputs)
      const conversion = kind.mapping.convert(node, context)
      const fault = conversion && blockingFault(conversion)
      if (conversion && !fault) return withErrors(node, conversion, kind.mapping, context)
      replaced.add(node.key)
      if (kind.mapping.trigger)
        return onlyNote(
          noteText(`**${node.name}** has settings that have no counterpart.`, node.type, node.parameters),
        )
      return standInFor(node, kind, context.scope, context.outputs)
    }
    default:
      return standInFor(node, kind, context.scope, context.outputs)
  }
}

const DISABLED = 'It was disabled. Runs skip the step until you enable it.'

/** Converts a disabled node with the settings that it would have when enabled. */
function convertDisabled(
  node: N8nNode,
  kind: Extract<Kind, { kind: 'disabled' }>,
  context: N8nContext,
): Conversion {
  const { mapping } = kind
  if (isTriggerType(node.type) || mapping?.trigger)
    return onlyNote(noteText(`**${node.name}** was disabled.`, node.type, node.parameters), [
      'It was disabled.',
    ])
  const converted = mapping?.convert(node, context)
  const { scope, outputs } = context
  if (!mapping || !converted || blockingFault(converted) !== null || !continuesAtFirst(converted))
    return standInFor(node, kind, scope, outputs)
  const { remarks, ...rest } = withErrors(node, converted, mapping, context)
  return { ...rest, isDisabled: true, remarks: [DISABLED, ...remarks] }
}

/**
 * Whether a disabled step continues where n8n does: at the first output.
 *
 * Source: handleDisabledNode of packages/core/src/execution-engine/workflow-execute.ts of github.com/n8n-io/n8n.
 */
function continuesAtFirst({ steps, exits }: Conversion): boolean {
  const [step] = steps
  const first = step && NODE_TYPES.get(step.type)?.handles(step.config)
  const taken = first?.find((handle) => handle !== 'body')
  const ways = exits.get(portOf(0)) ?? []
  return ways.some((way) => way.step === 0 && way.handle === taken)
}

/** n8n's behaviour after a failure of the node. */
function withErrors(
  node: N8nNode,
  conversion: Conversion,
  mapping: N8nMapping,
  { outputs }: N8nContext,
): Conversion {
  if (node.onError === null || node.onError === 'stopWorkflow') return conversion
  const remarks = [...conversion.remarks, 'It continued after an error. Here a failed step ends the run.']
  if (node.onError !== 'continueErrorOutput' || mapping.trigger) return { ...conversion, remarks }
  const last = Math.max(...outputs, 1)
  return { ...conversion, remarks, lost: new Map([[portOf(last), ERROR_OUTPUT]]) }
}

function otherTrigger(node: N8nNode, starts: boolean): Conversion {
  const note = noteText(
    starts
      ? `**${node.name}** started the workflow. Nothing here does that by itself: call the webhook from there.`
      : `**${node.name}** started the workflow, too, and there is no place for another trigger like it.`,
    node.type,
    node.parameters,
  )
  if (!starts)
    return onlyNote(note, [
      'Connect the steps that only it started, or remove them. Until then, runs fail before their first step.',
    ])
  const remarks = ['An HTTP Request takes its place. Its data is expected in the body.']
  const choices = credentialChoices(node, remarks)
  return oneStep({ type: 'http-request', config: {} }, oneExit(portOf(0)), { note, remarks, choices })
}

/** A node in the table that could not be converted. */
const OTHER_SETTINGS =
  'Other nodes of this type become a step. This one has settings without a counterpart; its Note has them.'

const MAX_CREDENTIALS = 20

function credentialChoices({ credentials }: N8nNode, remarks: string[]): Conversion['choices'] {
  return limited(credentials, MAX_CREDENTIALS, 'credentials', remarks).map((type) => ({
    kind: 'credential' as const,
    detail: `It used a credential of the type ${shortened(type, 100)}.`,
  }))
}

function standInFor(
  node: N8nNode,
  kind: Kind | undefined,
  scope: N8nScope,
  outputs: ReadonlySet<number>,
): Conversion {
  const isStop = kind?.kind === 'stop'
  const message = textOf(node.parameters.errorMessage ?? node.parameters.message ?? 'stopped')
  const isDisabled = kind?.kind === 'disabled'
  const sentence = isDisabled
    ? `**${node.name}** was disabled, and runs skip this step. Put another step in its place before you enable it.`
    : isStop
      ? `**${node.name}** ended the run with an error, and this step does so, too: ${literalText(message)}`
      : `**${node.name}** has no counterpart here. Runs fail at this step until you fill in its output or replace it with another step.`
  const exits = new Map<string, Exit[]>()
  const lost = new Map<string, string>()
  const errors = node.onError === 'continueErrorOutput' ? Math.max(...outputs, 1) : null
  for (const output of outputs) {
    if (output === errors) lost.set(portOf(output), ERROR_OUTPUT)
    else if (isDisabled && output > 0)
      lost.set(portOf(output), 'the node was disabled, so only its first output continued')
    else exits.set(portOf(output), [{ step: 0, handle: 'out' }])
  }
  const remarks = isDisabled ? [DISABLED] : []
  if (kind?.kind === 'mapped') remarks.push(OTHER_SETTINGS)
  if (!isDisabled && exits.size > 1)
    remarks.push(
      'It continued at one of several outputs; now all of them follow. Put an If / Else behind it.',
    )
  const made = standIn('n8n', node, {
    read: scope.readFields.get(node.key) ?? new Set(),
    exits,
    note: noteText(sentence, node.type, node.parameters),
    remarks,
    ...(isStop && { words: message }),
  })
  const choices = credentialChoices(node, made.remarks)
  return { ...made, lost, choices, ...(isDisabled && { isDisabled }) }
}
