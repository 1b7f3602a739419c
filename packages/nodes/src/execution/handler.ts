import type { FlowNode, NodeResult, NodeRole } from '@troupe/graph'
import {
  type EffectExecution,
  type ExecutedNode,
  type NodeExecution,
  NodeFailure,
  type NodeHandler,
  type ReviewAnswer,
} from '@troupe/workflows/ports'
import type { Static, TSchema } from 'typebox'
import type { NodeDefinition } from '../definition/node-definition.ts'

/** An ending that reports only its result. */
export function ended(result: NodeResult, input: unknown = null): ExecutedNode {
  return { result, input, agentRunId: null, inputTokens: 0, outputTokens: 0 }
}

type Definition<Schema extends TSchema> = NodeDefinition<string, NodeRole, Schema>

function readConfig<Schema extends TSchema>(
  definition: Definition<Schema>,
  config: Record<string, unknown>,
): { ok: true; value: Static<Schema> } | { ok: false; message: string } {
  const blocking = definition.check(config).filter(({ severity }) => severity === 'block')
  const checked = definition.read(config)
  if (checked.ok && blocking.length === 0) return checked
  const faults = blocking.map(({ path, message }) => `${path} ${message}`.trim())
  return { ok: false, message: `the configuration is not valid: ${faults.join('; ')}` }
}

/**
 * Reads the configs of a type, with a cache: the config of a compiled node never changes, and a Loop may need it a
 * thousand times. Throws NodeFailure for a config that publishing would refuse.
 */
function configReader<Schema extends TSchema>(definition: Definition<Schema>) {
  const known = new WeakMap<object, ReturnType<typeof readConfig<Schema>>>()
  return (config: Record<string, unknown>): Static<Schema> => {
    const reading = known.get(config) ?? readConfig(definition, config)
    known.set(config, reading)
    if (reading.ok) return reading.value
    throw new NodeFailure(reading.message)
  }
}

/** A result with the node's input for the trace. */
interface Told {
  result: NodeResult
  input: unknown
}

/** Creates the handler of a pure node. */
export function pureHandler<Schema extends TSchema>(
  definition: Definition<Schema>,
  execute: (config: Static<Schema>, execution: NodeExecution) => NodeResult | Told,
): NodeHandler {
  const configOf = configReader(definition)
  return {
    kind: 'pure',
    execute: (execution) => {
      const told = execute(configOf(execution.node.config), execution)
      return 'result' in told ? ended(told.result, told.input) : ended(told)
    },
  }
}

/** The implementation of a node with effects. */
interface Effect<Config, Prepared> {
  /** Resolves the tokens and checks the result. Errors are not retried, because they are deterministic. */
  prepare(config: Config, execution: NodeExecution): Prepared
  /** The node's input in the trace, however it ends; absent: only from the result of `execute`. */
  inputOf?(prepared: Prepared): unknown
  execute(prepared: Prepared, execution: EffectExecution): Promise<ExecutedNode>
  /** Computes the result from the reviewers' answer; only for a node that waits. */
  answered?(node: FlowNode, answer: ReviewAnswer): NodeResult
}

interface Timed {
  timeoutSeconds: number
  retries: number
  retryDelaySeconds: number
}

const UNREAD: Timed = { timeoutSeconds: 300, retries: 0, retryDelaySeconds: 2 }

/** Creates the handler of a node with effects, whose config has the fields of `timingFields`. */
export function effectHandler<Schema extends TSchema, Prepared>(
  definition: Definition<Schema>,
  { prepare, inputOf, execute, answered }: Effect<Static<Schema>, Prepared>,
): NodeHandler {
  const configOf = configReader(definition)
  return {
    kind: 'effect',
    timing: (config) => {
      const checked = definition.read(config)
      const { timeoutSeconds, retries, retryDelaySeconds } = {
        ...UNREAD,
        ...(checked.ok ? (checked.value as Partial<Timed>) : {}),
      }
      return { timeoutSeconds, retries, retryDelaySeconds }
    },
    execute: async (execution) => {
      let prepared: Prepared
      try {
        prepared = prepare(configOf(execution.node.config), execution)
      } catch (error) {
        if (error instanceof NodeFailure) return ended({ status: 'failed', message: error.message })
        throw error
      }
      if (inputOf) execution.given(inputOf(prepared))
      return execute(prepared, execution)
    },
    ...(answered && { answered }),
  }
}
