import { callTool, shorten } from '@troupe/agents'
import { type Scope, type Tool, type Toolbox, type ToolOutcome, ToolsUnavailable } from '@troupe/agents/ports'
import { type BodyOf, MAX_LISTED_TOOLS, type OPERATIONS, type ResultOf } from '@troupe/contract'
import { checkTool, type OpenToolParts, uncallable, withOpenTool } from './open-tool.ts'

type TestTool = (typeof OPERATIONS)['testTool']
type Result = ResultOf<TestTool>

/** Dependencies of the operation. */
export interface TestToolParts extends OpenToolParts {
  /** Milliseconds. */
  now: () => number
}

function notOneOf(names: readonly string[]) {
  const listed = names.slice(0, MAX_LISTED_TOOLS).join(', ')
  const wanted = names.length === 0 ? 'a tool of the configuration, which has none' : `one of: ${listed}`
  return uncallable('name', `must be ${wanted}`)
}

/**
 * @throws DomainError if the configuration yields not exactly one tool, or none of this name, or was not read under
 * load
 * @throws ToolsUnavailable if it yields none because they cannot be built
 */
function chosen({ tools, leftOut = [] }: Toolbox, name: string | undefined): Tool {
  const [first] = tools
  const absent = leftOut.find((one) => one.name === name)
  if (absent) throw new ToolsUnavailable(`The tool ${absent.name} cannot be offered: ${absent.reason}`)
  const standIn = first?.standIn
  if (standIn?.busy) throw standIn.busy
  if (standIn) {
    const isChoice = name !== undefined && standIn.names.length > 0 && !standIn.names.includes(name)
    throw isChoice ? notOneOf(standIn.names) : new ToolsUnavailable(standIn.reason)
  }
  const found = name === undefined && tools.length === 1 ? first : tools.find((one) => one.name === name)
  if (found) return found
  throw notOneOf(tools.map((one) => one.name))
}

async function outcomeOf(
  tool: Tool,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const problem = tool.problemOf(input)
  if (problem !== null) return { ok: false, code: 'invalid_arguments', message: problem }
  return callTool(tool, input, { id: 'call_0_0', key: 'call:0.0', signal })
}

/**
 * Calls a tool as an agent of the caller's project would.
 *
 * @throws DomainError `validation_error` or `credential_not_found`
 */
export async function testTool(parts: TestToolParts, scope: Scope, body: BodyOf<TestTool>): Promise<Result> {
  const checked = await checkTool(parts, scope, body)
  // The duration excludes the reads of this program.
  const startedAt = parts.now()
  const late = (seconds: number) => `The test took longer than ${seconds} s.`
  const called = await withOpenTool(parts, checked, late, async (toolbox, signal) => {
    const tool = chosen(toolbox, body.name)
    const outcome = await outcomeOf(tool, body.arguments ?? {}, signal)
    return outcome.ok ? { ...outcome, text: shorten(outcome.text, tool.maxResultBytes) } : outcome
  })
  const ms = Math.max(0, Math.round(parts.now() - startedAt))
  if (!called.ok) return { ok: false, error: called.error, ms }
  if (called.value.ok) return { ok: true, result: called.value.text, ms }
  const { ok: _, ...error } = called.value
  return { ok: false, error, ms }
}
