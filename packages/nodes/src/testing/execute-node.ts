import type { FlowNode, InterpolationScope, NodeResult } from '@troupe/graph'
import {
  type ChildRunOutcome,
  type ChildRunRequest,
  type ExecutedNode,
  NodeFailure,
  type NodeModelAnswer,
  type NodeModelRequest,
  type NodeServices,
} from '@troupe/workflows/ports'
import type { ExecutedType } from '../definitions.ts'
import { NODE_HANDLERS } from '../handlers.ts'

/** The scope of a node in a test. */
export interface Setting {
  trigger?: unknown
  /** Outputs of earlier nodes. */
  upstream?: Record<string, unknown>
  variables?: Record<string, unknown>
  /** The fields of the form that started the run. */
  answers?: readonly string[]
  loop?: { item: unknown; index: number }
  iteration?: number
  services?: NodeServices
  retry?: number
  /** Called with the node's input. */
  given?: (input: unknown) => void
}

/** Builds the scope from a setting. */
function scopeOf({
  trigger = {},
  upstream = {},
  variables = {},
  answers,
  loop,
}: Setting): InterpolationScope {
  return {
    trigger,
    upstream: (nodeId) =>
      Object.hasOwn(upstream, nodeId)
        ? { ok: true, value: upstream[nodeId] }
        : { ok: false, reason: `there is no step ${nodeId}` },
    variables: new Map(Object.entries(variables)),
    loop: loop ?? null,
    ...(answers && {
      formFiles: { answers: new Set(answers), fields: new Set<string>(), triggers: new Set<string>() },
    }),
  }
}

const NO_SERVICES: NodeServices = {
  runChild: () => Promise.reject(new Error('no child run was expected')),
  callModel: () => Promise.reject(new Error('no model call was expected')),
}

/** Executes one node by its handler, as a run does. Rejects with NodeFailure when the handler throws it. */
export async function executeNode(
  type: ExecutedType,
  config: Record<string, unknown>,
  setting: Setting = {},
): Promise<ExecutedNode> {
  const handler = NODE_HANDLERS.get(type)
  if (!handler) throw new Error(`no handler for ${type}`)
  return handler.execute({
    node: { id: 'n', name: 'N', type, config } as unknown as FlowNode,
    path: '',
    iteration: setting.iteration ?? null,
    scope: scopeOf(setting),
    run: { runId: 'run', organizationId: 'org', projectId: null, workflowId: 'wf' } as never,
    signal: new AbortController().signal,
    services: setting.services ?? NO_SERVICES,
    retry: setting.retry ?? 0,
    given: setting.given ?? (() => {}),
  })
}

/** The result of a node; a NodeFailure becomes a failed result. */
export async function resultOf(
  type: ExecutedType,
  config: Record<string, unknown>,
  setting?: Setting,
): Promise<NodeResult> {
  try {
    return (await executeNode(type, config, setting)).result
  } catch (error) {
    if (error instanceof NodeFailure) return { status: 'failed', message: error.message }
    throw error
  }
}

/** The output of a completed node; a failure is returned as `failed: …`. */
export async function outputOf(
  type: ExecutedType,
  config: Record<string, unknown>,
  setting?: Setting,
): Promise<unknown> {
  const result = await resultOf(type, config, setting)
  if (result.status === 'completed') return result.output
  return result.status === 'failed' ? `failed: ${result.message}` : result
}

/** Services that return the given answers in order and record their requests. */
export class ScriptedServices implements NodeServices {
  readonly children: ChildRunRequest[] = []
  readonly calls: NodeModelRequest[] = []
  readonly #outcomes: Partial<ChildRunOutcome>[]
  readonly #answers: (string | NodeModelAnswer)[]

  constructor(script: { outcomes?: Partial<ChildRunOutcome>[]; answers?: (string | NodeModelAnswer)[] }) {
    this.#outcomes = [...(script.outcomes ?? [])]
    this.#answers = [...(script.answers ?? [])]
  }

  async runChild(request: ChildRunRequest): Promise<ChildRunOutcome> {
    this.children.push(request)
    const outcome = this.#outcomes.shift()
    if (!outcome) throw new Error('no outcome is left')
    const usual = { ok: true, content: '', success: true, runId: 'child', inputTokens: 10, outputTokens: 5 }
    return { ...usual, ...outcome } as ChildRunOutcome
  }

  async callModel(request: NodeModelRequest): Promise<NodeModelAnswer> {
    this.calls.push(request)
    const answer = this.#answers.shift()
    if (answer === undefined) throw new NodeFailure('no model answered')
    return typeof answer === 'string' ? { text: answer, inputTokens: 10, outputTokens: 5 } : answer
  }
}
