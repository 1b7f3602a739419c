import { isJsonObject } from '@troupe/contract'
import { type ConditionGroup, unknownCondition } from '../draft/condition-groups.ts'
import { type Conversion, type Exit, oneExit, oneStep, type StepDraft } from '../draft/conversion.ts'
import { numberOf, textOf } from '../draft/plain.ts'
import { passThrough } from '../draft/stand-in.ts'
import { filterGroup, oldGroup } from './conditions.ts'
import { type N8nContext, type N8nMapping, portOf } from './mapping.ts'
import type { N8nNode } from './read-n8n.ts'
import { entriesOf } from './triggers.ts'

const NODES = 'packages/nodes-base/nodes'
const passedOn = (keys: readonly string[]) => ({ input: keys })
/** Maximum rules of one Switch. */
const MAX_RULES = 50

function conditionsOf(node: N8nNode, { scope }: N8nContext, remarks: string[]): ConditionGroup {
  const { conditions } = node.parameters
  const found =
    filterGroup(conditions, node, scope, remarks) ?? oldGroup(node.parameters, node, scope, remarks)
  return found ?? { match: 'all', conditions: [unknownCondition('n8n', `the conditions of ${node.name}`)] }
}

/** The rules of a Switch with their outputs. */
function rulesOf(
  node: N8nNode,
  { scope }: N8nContext,
  remarks: string[],
): { group: ConditionGroup; output: number }[] {
  const { rules, value1 } = node.parameters
  const modern = entriesOf(rules, 'values').map((rule, output) => ({
    group: filterGroup(rule.conditions, node, scope, remarks) ?? {
      match: 'all' as const,
      conditions: [unknownCondition('n8n', `rule ${output + 1} of ${node.name}`)],
    },
    output,
  }))
  const old = entriesOf(rules, 'rules').map((rule, index) => {
    const operation = textOf(rule.operation ?? 'equal').replace(/^=/, '')
    const filter = { conditions: [{ leftValue: value1, operator: operation, rightValue: rule.value2 ?? '' }] }
    const output = numberOf(rule.output ?? (node.version >= 2 ? index : 0))
    return {
      group: filterGroup(filter, node, scope, remarks) ?? { match: 'all' as const, conditions: [] },
      output: Number.isInteger(output) ? output : index,
    }
  })
  return modern.length > 0 ? modern : old
}

/** A chain of If / Else: the first matching rule decides, as in n8n unless all matching outputs are requested. */
function switchOf(node: N8nNode, context: N8nContext): Conversion | null {
  const remarks: string[] = []
  const rules = rulesOf(node, context, remarks)
  if (rules.length === 0 || rules.length > MAX_RULES) return null
  const { options, fallbackOutput } = node.parameters
  const chosen = (isJsonObject(options) ? options.fallbackOutput : undefined) ?? fallbackOutput
  const takesAll = isJsonObject(options) && options.allMatchingOutputs === true
  if (takesAll) remarks.push('It continued at all outputs that match; this chain continues at the first one.')
  const steps = rules.map(
    ({ group }, index): StepDraft => ({
      type: 'if-else',
      ...(index > 0 && { suffix: textOf(index + 1) }),
      config: { ...group },
    }),
  )
  const exits = new Map<string, Exit[]>()
  const add = (output: number, exit: Exit) =>
    exits.set(portOf(output), [...(exits.get(portOf(output)) ?? []), exit])
  for (const [step, { output }] of rules.entries()) add(output, { step, handle: 'true' })
  const fallback = chosen === 'extra' ? rules.length : numberOf(chosen ?? Number.NaN)
  if (Number.isInteger(fallback) && fallback >= 0) add(fallback, { step: rules.length - 1, handle: 'false' })
  const inner = steps.slice(1).map((_, index) => ({ from: { step: index, handle: 'false' }, to: index + 1 }))
  return { outcome: 'step', steps, inner, exits, remarks, choices: [], note: null }
}

/** The output of a loop that leads into its body; null for other nodes. */
export function bodyOutputOf({ type, version }: N8nNode): number | null {
  if (type !== 'n8n-nodes-base.splitInBatches') return null
  return version >= 3 ? 1 : 0
}

/** Nodes that control the flow of a run. */
export const N8N_LOGIC: readonly N8nMapping[] = [
  {
    types: ['n8n-nodes-base.if'],
    becomes: 'If / Else',
    source: `${NODES}/If/V2/IfV2.node.ts`,
    output: passedOn,
    convert: (node, context) => {
      const remarks: string[] = []
      const config = { ...conditionsOf(node, context, remarks) }
      const exits = new Map([
        [portOf(0), [{ step: 0, handle: 'true' }]],
        [portOf(1), [{ step: 0, handle: 'false' }]],
      ])
      return oneStep({ type: 'if-else', config }, exits, { remarks })
    },
  },
  {
    types: ['n8n-nodes-base.filter'],
    becomes: 'If / Else that continues at true',
    source: `${NODES}/Filter/V2/FilterV2.node.ts`,
    output: passedOn,
    convert: (node, context) => {
      const remarks = ['It kept the items that match. This step continues, or not, with the whole value.']
      const config = { ...conditionsOf(node, context, remarks) }
      return oneStep({ type: 'if-else', config }, oneExit(portOf(0), 'true'), { remarks })
    },
  },
  {
    types: ['n8n-nodes-base.switch'],
    becomes: 'a chain of If / Else, one for each rule',
    source: `${NODES}/Switch/V3/SwitchV3.node.ts`,
    output: passedOn,
    convert: switchOf,
  },
  {
    types: ['n8n-nodes-base.splitInBatches'],
    becomes: 'Loop over a list; its body is the cycle',
    source: `${NODES}/SplitInBatches/v3/SplitInBatchesV3.node.ts`,
    output: (keys) => ({ output: keys }),
    convert: (node, { scope }) => {
      const remarks: string[] = []
      const size = numberOf(node.parameters.batchSize ?? 1)
      if (size !== 1) remarks.push(`It processed ${size} items at a time. The Loop processes one.`)
      const path = scope.inputPath(node, [], remarks)
      remarks.push(
        path === null
          ? 'Choose the list for the Loop.'
          : `It iterated over its input. The Loop iterates over {{ ${path} }}, which must be a list.`,
      )
      const source = path === null ? '{{ n8n: the list }}' : `{{ ${path} }}`
      const body = bodyOutputOf(node) ?? 1
      const exits = new Map([
        [portOf(body), [{ step: 0, handle: 'body' }]],
        [portOf(1 - body), [{ step: 0, handle: 'done' }]],
      ])
      return oneStep({ type: 'loop', config: { mode: 'list', source } }, exits, { remarks })
    },
  },
  {
    types: ['n8n-nodes-base.merge'],
    becomes: 'an empty Edit Fields where branches meet',
    source: `${NODES}/Merge/v3/MergeV3.node.ts`,
    output: passedOn,
    convert: ({ parameters }) => {
      const mode = parameters.mode ?? 'append'
      const remarks =
        mode === 'chooseBranch' || mode === 'passThrough'
          ? []
          : [
              `It made one list of its inputs (${textOf(mode).slice(0, 40)}). Here branches only meet; add the rows that you need.`,
            ]
      return passThrough(oneExit(portOf(0)), remarks)
    },
  },
  {
    types: ['n8n-nodes-base.noOp'],
    becomes: 'an empty Edit Fields',
    source: `${NODES}/NoOp/NoOp.node.ts`,
    output: passedOn,
    convert: () => passThrough(oneExit(portOf(0))),
  },
]
