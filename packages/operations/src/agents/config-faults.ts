import {
  type AgentConfig,
  DomainError,
  type FieldError,
  GUARDRAIL_STAGES,
  type TeamConfig,
} from '@troupe/contract'
import { patternFault, schemaProblems } from '@troupe/json-schema'

/** The patterns of rules that are no linear-time patterns. */
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

/** What the contract's schemas cannot say about an agent's configuration: patterns, and schemas of answers. */
export function agentConfigFaults({ guardrails, execution }: AgentConfig): FieldError[] {
  return [...patternFaults(guardrails), ...outputFaults(execution.output, 'config.execution.output')]
}

/** The same of a team. */
export function teamConfigFaults({ guardrails, output }: TeamConfig): FieldError[] {
  return [...patternFaults(guardrails), ...outputFaults(output, 'config.output')]
}

/** @throws DomainError `validation_error` with the faults, if there are any */
export function requireNoFaults(errors: FieldError[]): void {
  if (errors.length === 0) return
  throw new DomainError('validation_error', 'The configuration is not valid.', { errors })
}
