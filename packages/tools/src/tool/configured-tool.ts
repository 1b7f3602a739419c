import type { Tool, ToolApproval, ToolOutcome, ToolRun } from '@troupe/agents/ports'
import { type ToolConfig, toolNameOf } from '@troupe/contract'
import { schemaFaults } from '@troupe/json-schema'
import { missingKeys, visibleContext, withBound, withoutBound } from '../context/context-values.ts'
import { scrubber } from '../context/scrub.ts'
import { meetsCondition } from './approval-condition.ts'
import { safeArguments } from './argument-names.ts'
import type { ToolBody } from './tool-maker.ts'

const TIMEOUT_MS = 30_000
const MAX_RESULT_BYTES = 32 * 1024
const APPROVAL_TIMEOUT_S = 86_400

function missingContext(keys: readonly string[]): ToolOutcome {
  const message = `The request that started this run has no ${keys.join(', ')} in tool_context. The model cannot supply it.`
  return { ok: false, code: 'missing_context', message }
}

/** The calls that a person must approve. `bound` adds the values that the model neither sees nor chooses. */
function approvalOf(
  {
    approval = 'never',
    approval_timeout_s: timeoutSeconds = APPROVAL_TIMEOUT_S,
    approval_notify: notify,
  }: ToolConfig,
  bound: (input: Record<string, unknown>) => Record<string, unknown>,
): ToolApproval | null {
  if (approval === 'never') return null
  return {
    timeoutSeconds,
    emails: notify?.emails ?? [],
    isNeeded: (input) => approval === 'always' || meetsCondition(approval, bound(input)),
  }
}

/** A tool as agents call it: its body with the common options of its configuration. */
export function configuredTool(config: ToolConfig, body: ToolBody, run: ToolRun): Tool {
  const { context_keys: keys = [] } = config
  const context = visibleContext(keys, run.toolContext)
  const missing = missingKeys(keys, run.toolContext)
  const scrub = scrubber(context)
  const { schema: shownSchema, toOwn } = safeArguments(withoutBound(body.inputSchema, keys))
  const bound = (input: Record<string, unknown>) => withBound(toOwn(input), keys, context)
  const approval = approvalOf(config, bound)
  return {
    name: body.name ?? toolNameOf(config) ?? config.type,
    // A configuration that yields several tools has no description for each of them.
    description: (body.name === undefined ? config.description : undefined) ?? body.description,
    inputSchema: shownSchema,
    idempotent: body.idempotent === 'always' || (config.idempotent ?? body.idempotent),
    rebuildsState: body.rebuildsState ?? false,
    ...(body.acts === undefined ? {} : { acts: body.acts }),
    ...(body.standIn ? { standIn: body.standIn } : {}),
    // A call that will fail because its context is missing needs no approval.
    approval: missing.length > 0 ? null : approval,
    timeoutMs: body.timeoutMs === undefined ? (config.timeout_ms ?? TIMEOUT_MS) : body.timeoutMs,
    maxResultBytes: MAX_RESULT_BYTES,
    problemOf(input) {
      const faults = schemaFaults(shownSchema, input)
      return faults.length === 0 ? null : `The arguments are not valid: ${faults.join('; ')}.`
    },
    async execute(input, call) {
      if (missing.length > 0) return missingContext(missing)
      const outcome = await body.execute(bound(input), call, context)
      if (scrub === null) return outcome
      if (outcome.ok) return { ok: true, text: scrub(outcome.text) }
      const shown = outcome.body === undefined ? {} : { body: scrub(outcome.body) }
      return { ...outcome, message: scrub(outcome.message), ...shown }
    },
  }
}
