import {
  type AgentSnapshot,
  type Scope,
  type Toolbox,
  type Toolboxes,
  ToolsUnavailable,
} from '@troupe/agents/ports'
import {
  type AgentConfig,
  AgentId,
  AgentVersionId,
  type BodyOf,
  DomainError,
  invalidRequest,
  type NewId,
  type OPERATIONS,
  RunId,
  toolContextErrors,
} from '@troupe/contract'
import type { Readers } from '@troupe/storage'
import { mergeUsableConfig } from '../agents/merge-usable-config.ts'
import { requireSources, type ToolSourceCheck } from '../agents/source-check.ts'
import { requireToolReferences } from '../agents/tool-references.ts'
import { agentCredentials } from '../credentials/credential-references.ts'
import { requireCredentials } from '../credentials/require-credentials.ts'

/** An item of `config.tools`, saved or not, with the context that a caller's run would have. */
export type TriedTool = Pick<BodyOf<(typeof OPERATIONS)['testTool']>, 'tool' | 'tool_context'>

/** Dependencies of opening a tool without an agent. */
export interface OpenToolParts {
  read: Readers
  toolboxes: Toolboxes
  toolSources: ToolSourceCheck
  newId: NewId
}

/** The longest test in milliseconds, including the opening of the tool's connections. */
const MAX_MS = 25_000
const ONLY_TOOL = 'config.tools.0'

/** The error for an impossible call. */
export function uncallable(path: string, message: string): DomainError {
  return new DomainError('validation_error', 'The tool cannot be called.', { errors: [{ path, message }] })
}

/** Runs `work` on a configuration with a single tool, and rewrites the paths of its errors to those of the request. */
async function ofTool<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DomainError) || error.errors === null) throw error
    const named = (path: string) =>
      path.startsWith(ONLY_TOOL) ? `tool${path.slice(ONLY_TOOL.length)}` : path
    const errors = error.errors.map(({ path, message }) => ({ path: named(path), message }))
    throw new DomainError(error.code, error.message, { errors })
  }
}

/**
 * A configuration with only this tool. Faults of an OpenAPI document are found later, when it is read.
 *
 * @throws DomainError for a tool that no agent of this scope could have
 */
async function configOf(
  { read, toolSources }: OpenToolParts,
  scope: Scope,
  { tool }: TriedTool,
): Promise<AgentConfig> {
  if (tool.type === 'agent' || tool.type === 'workflow') {
    throw uncallable('tool.type', 'cannot be tested: a call starts a run, which is stored')
  }
  return ofTool(async () => {
    // An unavailable server is reported, instead of leaving out the tool.
    const given = tool.type === 'mcp' ? { ...tool, on_unavailable: 'fail' } : tool
    const merged = mergeUsableConfig({ tools: [given] })
    if (!merged.ok) {
      throw new DomainError('validation_error', 'The tool is not valid.', { errors: merged.errors })
    }
    const { config } = merged
    const { projectId } = scope
    // The faults of a document are reported as well.
    if (tool.type !== 'openapi') await requireSources(toolSources, scope.organizationId, config.tools)
    await requireCredentials(read, scope, { projectId, references: agentCredentials(config) })
    await requireToolReferences(read, scope, { id: null, projectId, config })
    return config
  })
}

/** Why a tool could not be used. */
type UnopenedTool = { code: 'unavailable' | 'timeout'; message: string }

/** A validated tool, as the only one of an agent. */
export interface CheckedTool {
  agent: AgentSnapshot
  toolContext: NonNullable<TriedTool['tool_context']>
}

/**
 * Checks a tool as if an agent of the caller's project were saved with it.
 *
 * @throws DomainError `validation_error` or `credential_not_found`
 */
export async function checkTool(parts: OpenToolParts, scope: Scope, tried: TriedTool): Promise<CheckedTool> {
  const toolContext = tried.tool_context ?? {}
  const errors = toolContextErrors(toolContext)
  if (errors.length > 0) throw invalidRequest(errors)
  const config = await configOf(parts, scope, tried)
  const agent: AgentSnapshot = {
    agentId: parts.newId(AgentId),
    versionId: parts.newId(AgentVersionId),
    ...scope,
    name: 'Test',
    description: null,
    status: 'active',
    config,
  }
  return { agent, toolContext }
}

/**
 * Opens a validated tool for the duration of `work`.
 *
 * @param late the message for a timeout, given the limit in seconds
 * @returns the result of `work`, or why the tool could not be opened or used in time
 */
export async function withOpenTool<T>(
  parts: Pick<OpenToolParts, 'toolboxes' | 'newId'>,
  { agent, toolContext }: CheckedTool,
  late: (seconds: number) => string,
  work: (toolbox: Toolbox, signal: AbortSignal) => Promise<T>,
): Promise<{ ok: true; value: T } | { ok: false; error: UnopenedTool }> {
  const signal = AbortSignal.timeout(MAX_MS)
  const run = {
    organizationId: agent.organizationId,
    runId: parts.newId(RunId),
    sessionId: '',
    userId: '',
    toolContext,
    memory: null,
    runAgent: null,
    signal,
  }
  try {
    await using toolbox = await parts.toolboxes.open(agent, run)
    return { ok: true, value: await work(toolbox, signal) }
  } catch (error) {
    if (error instanceof ToolsUnavailable) {
      return { ok: false, error: { code: 'unavailable', message: error.message } }
    }
    if (error !== signal.reason) throw error
    return { ok: false, error: { code: 'timeout', message: late(MAX_MS / 1_000) } }
  }
}
