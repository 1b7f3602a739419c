import { runsWith } from '../compile/always-with.ts'
import { isAncestor, standpoint } from '../compile/ancestors.ts'
import type { CompiledGraph, FlowNode } from '../compile/compiled-graph.ts'
import type { Effort } from '../compile/effort.ts'
import type { TokenPath } from '../interpolation/token-path.ts'
import { tokenize } from '../interpolation/tokenize.ts'
import type { TemplateField } from '../model/node-types.ts'
import { finder, type GraphProblem } from './graph-problem.ts'
import { stringsIn } from './strings-in.ts'
import { leftOutOfTrigger, missingFromTrigger, type TriggerReads } from './trigger-fields.ts'

interface Finding {
  severity: 'error' | 'warning'
  code:
    | 'malformed_token'
    | 'unknown_token_node'
    | 'token_not_before'
    | 'loop_outside_body'
    | 'may_be_skipped'
    | 'disabled_step'
    | 'not_in_trigger'
    | 'may_be_left_out'
  message: string
}

function upstreamFinding(
  nodeId: string,
  node: FlowNode,
  graph: CompiledGraph,
  effort: Effort,
  { testedSteps }: TriggerReads,
): Finding | null {
  const candidate = graph.nodes.get(nodeId)
  if (!candidate) {
    return { severity: 'error', code: 'unknown_token_node', message: `there is no step ${nodeId}` }
  }
  const from = standpoint(candidate, node)
  if (!from || !isAncestor(candidate, from)) {
    const message = `${nodeId} does not come before ${node.id}`
    return { severity: 'error', code: 'token_not_before', message }
  }
  if (candidate.isDisabled) {
    const message = `${nodeId} is disabled, so its output is that of the step before it`
    return { severity: 'warning', code: 'disabled_step', message }
  }
  if (testedSteps.has(nodeId) || runsWith(candidate, from, effort)) return null
  const message = `${nodeId} may be skipped when ${node.id} runs; bring branches together in a Variable`
  return { severity: 'warning', code: 'may_be_skipped', message }
}

function findingOf(
  path: TokenPath,
  field: TemplateField,
  node: FlowNode,
  graph: CompiledGraph,
  effort: Effort,
  reads: TriggerReads,
): Finding | null {
  switch (path.namespace) {
    case null:
      return { severity: 'error', code: 'malformed_token', message: path.reason }
    case 'upstream':
      return upstreamFinding(path.nodeId, node, graph, effort, reads)
    case 'loop.item':
    case 'loop.index':
      if (node.level.loop !== null || field.ownIterations) return null
      return {
        severity: 'error',
        code: 'loop_outside_body',
        message: `${node.id} is not in the body of a Loop`,
      }
    default:
      return null
  }
}

function triggerFinding(
  path: TokenPath,
  field: TemplateField,
  node: FlowNode,
  graph: CompiledGraph,
  reads: TriggerReads,
): Finding | null {
  const missing = field.mayBeMissing ? null : missingFromTrigger(path, node, graph, reads)
  if (missing !== null) return { severity: 'warning', code: 'not_in_trigger', message: missing }
  const leftOut = field.testsValue ? null : leftOutOfTrigger(path, node, graph, reads)
  return leftOut === null ? null : { severity: 'warning', code: 'may_be_left_out', message: leftOut }
}

/** Tokens of a node that cannot be resolved in any run, or may fail in some. Each token is reported once per field. */
export function checkTokens(
  node: FlowNode,
  at: string,
  graph: CompiledGraph,
  effort: Effort,
  reads: TriggerReads,
): GraphProblem[] {
  const problem = finder(at, node.id)
  const found: GraphProblem[] = []
  for (const field of node.facts.templates?.(node.config) ?? []) {
    for (const { text, path } of stringsIn(field.value, `config.${field.path}`)) {
      const told = new Set<string>()
      for (const part of tokenize(text)) {
        if (part.kind === 'text' || told.has(part.token)) continue
        told.add(part.token)
        const finding =
          findingOf(part.path, field, node, graph, effort, reads) ??
          triggerFinding(part.path, field, node, graph, reads)
        if (!finding) continue
        found.push(problem(finding.severity, finding.code, path, `${part.token}: ${finding.message}`))
      }
    }
  }
  return found
}
