import {
  type AgentConfig,
  type ApprovalCondition,
  DomainError,
  type FieldError,
  GUARDRAIL_STAGES,
  type Operator,
  type TeamConfig,
  UNARY_OPERATORS,
} from '@troupe/contract'
import { judge, patternFault, schemaProblems } from '@troupe/json-schema'

/** Patterns of rules that do not run in linear time. */
function patternFaults(guardrails: AgentConfig['guardrails']): FieldError[] {
  return GUARDRAIL_STAGES.flatMap((stage) =>
    guardrails[stage].flatMap((rule, index) => {
      const message = rule.type === 'regex' ? patternFault(rule.pattern) : null
      return message === null ? [] : [{ path: `config.guardrails.${stage}.${index}.pattern`, message }]
    }),
  )
}

function outputFaults({ schema }: AgentConfig['execution']['output'], path: string): FieldError[] {
  return schema === null ? [] : schemaProblems(schema, `${path}.schema`)
}

const ORDERED: ReadonlySet<string> = new Set<Operator>(['gt', 'gte', 'lt', 'lte', 'starts_with', 'ends_with'])

function approvalFault({ op, value }: ApprovalCondition): string | null {
  if (UNARY_OPERATORS.has(op)) return null
  if (value === undefined) return `is required for ${op}`
  if (op === 'matches')
    return typeof value === 'string' ? patternFault(value) : 'must be a regular expression'
  const answer = ORDERED.has(op) ? judge(op, value, value) : null
  return answer?.ok === false ? `cannot be compared with ${op}` : null
}

/** Conditions of approvals that match every argument, or none. */
function approvalFaults(tools: AgentConfig['tools']): FieldError[] {
  return tools.flatMap(({ approval }, index) => {
    const message = typeof approval === 'object' ? approvalFault(approval) : null
    return message === null ? [] : [{ path: `config.tools.${index}.approval.value`, message }]
  })
}

/** Faults of an agent's configuration beyond the contract's schemas: patterns, conditions, and schemas of answers. */
export function agentConfigFaults({ guardrails, execution, tools }: AgentConfig): FieldError[] {
  return [
    ...patternFaults(guardrails),
    ...approvalFaults(tools),
    ...outputFaults(execution.output, 'config.execution.output'),
  ]
}

/** The same for a team. */
export function teamConfigFaults({ guardrails, output }: TeamConfig): FieldError[] {
  return [...patternFaults(guardrails), ...outputFaults(output, 'config.output')]
}

/** @throws DomainError `validation_error` with the faults, if there are any */
export function requireNoFaults(errors: FieldError[]): void {
  if (errors.length === 0) return
  throw new DomainError('validation_error', 'The configuration is not valid.', { errors })
}
