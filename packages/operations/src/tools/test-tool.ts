import { callTool, shorten } from '@troupe/agents'
import {
  type AgentSnapshot,
  type Scope,
  type Tool,
  type Toolboxes,
  type ToolOutcome,
  ToolsUnavailable,
} from '@troupe/agents/ports'
import {
  type AgentConfig,
  type AnyId,
  type BodyOf,
  DomainError,
  MAX_LISTED_TOOLS,
  type OPERATIONS,
  type ResultOf,
  toolContextErrors,
} from '@troupe/contract'
import type { Readers } from '@troupe/database'
import { mergeUsableConfig } from '../agents/merge-usable-config.ts'
import { requireSources, type ToolSourceCheck } from '../agents/source-check.ts'
import { requireToolReferences } from '../agents/tool-references.ts'
import { agentCredentials } from '../credentials/credential-references.ts'
import { requireCredentials } from '../credentials/require-credentials.ts'

type TestTool = (typeof OPERATIONS)['testTool']
type Body = BodyOf<TestTool>
type Result = ResultOf<TestTool>

/** What the operation uses. */
export interface TestToolParts {
  read: Readers
  toolboxes: Toolboxes
  toolSources: ToolSourceCheck
  newId: () => AnyId
  /** Milliseconds. */
  now: () => number
}

/** The longest test, with opening the connections of the tool. */
const MAX_MS = 25_000

const invalid = (path: string, message: string) =>
  new DomainError('validation_error', 'The tool cannot be called.', { errors: [{ path, message }] })

const ONLY_TOOL = 'config.tools.0'

/** Runs `work`, whose errors name the only tool of a configuration, and names it as the request does. */
async function ofTool<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DomainError) || error.errors === null) throw error
    const errors = error.errors.map(({ path, message }) => ({
      path: path.startsWith(ONLY_TOOL) ? `tool${path.slice(ONLY_TOOL.length)}` : path,
      message,
    }))
    throw new DomainError(error.code, error.message, { errors })
  }
}

/** @throws DomainError for a tool that no agent of this scope could have; what is wrong with an OpenAPI document is found when it is read */
async function configOf(
  { read, toolSources }: TestToolParts,
  scope: Scope,
  { tool }: Body,
): Promise<AgentConfig> {
  if (tool.type === 'agent' || tool.type === 'workflow') {
    throw invalid('tool.type', 'cannot be tested: a call starts a run, which is stored')
  }
  return ofTool(async () => {
    // A server that is unavailable is the answer, not a tool that is left out.
    const given = tool.type === 'mcp' ? { ...tool, on_unavailable: 'fail' } : tool
    const merged = mergeUsableConfig({ tools: [given] })
    if (!merged.ok) {
      throw new DomainError('validation_error', 'The tool is not valid.', { errors: merged.errors })
    }
    const { config } = merged
    // What is wrong with a document is the answer, too.
    await requireSources(
      toolSources,
      config.tools.filter(({ type }) => type !== 'openapi'),
    )
    await requireCredentials(read, scope, {
      projectId: scope.projectId,
      references: agentCredentials(config),
    })
    await requireToolReferences(read, scope, { id: null, projectId: scope.projectId, config })
    return config
  })
}

function notOneOf(names: readonly string[]): DomainError {
  const listed = names.slice(0, MAX_LISTED_TOOLS).join(', ')
  return invalid('name', names.length === 0 ? 'there is no tool' : `must be one of: ${listed}`)
}

/**
 * @throws DomainError when the configuration does not give one tool, or none of this name
 * @throws ToolsUnavailable when it gives none because they cannot be made
 */
function chosen(tools: readonly Tool[], name: string | undefined): Tool {
  const [first] = tools
  const standIn = first?.standIn
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
export async function testTool(parts: TestToolParts, scope: Scope, body: Body): Promise<Result> {
  const toolContext = body.tool_context ?? {}
  const errors = toolContextErrors(toolContext)
  if (errors.length > 0) throw new DomainError('validation_error', 'The request is not valid.', { errors })
  const config = await configOf(parts, scope, body)
  const agent: AgentSnapshot = {
    agentId: parts.newId(),
    versionId: parts.newId(),
    ...scope,
    name: 'Test',
    description: null,
    status: 'active',
    config,
  }
  const signal = AbortSignal.timeout(MAX_MS)
  const run = {
    organizationId: scope.organizationId,
    runId: parts.newId(),
    sessionId: '',
    userId: '',
    toolContext,
    memory: null,
    runAgent: null,
    signal,
  }
  const startedAt = parts.now()
  const answer = (outcome: ToolOutcome, tool: Tool | null): Result => {
    const ms = Math.max(0, Math.round(parts.now() - startedAt))
    if (outcome.ok)
      return { ok: true, result: tool ? shorten(outcome.text, tool.maxResultBytes) : outcome.text, ms }
    const { ok: _, ...error } = outcome
    return { ok: false, error, ms }
  }
  try {
    await using toolbox = await parts.toolboxes.open(agent, run)
    const tool = chosen(toolbox.tools, body.name)
    return answer(await outcomeOf(tool, body.arguments ?? {}, signal), tool)
  } catch (error) {
    if (error instanceof ToolsUnavailable) {
      return answer({ ok: false, code: 'unavailable', message: error.message }, null)
    }
    if (error !== signal.reason) throw error
    return answer(
      { ok: false, code: 'timeout', message: `The test took longer than ${MAX_MS / 1_000} s.` },
      null,
    )
  }
}
