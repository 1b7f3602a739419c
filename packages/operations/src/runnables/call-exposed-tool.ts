import type { Runner } from '@troupe/agents'
import type { Clock } from '@troupe/agents/ports'
import {
  AgentRunBody,
  DomainError,
  type NewId,
  type StreamEvent,
  TeamRunBody,
  validator,
  type WorkflowId,
  WorkflowRunId,
} from '@troupe/contract'
import { callInput } from '@troupe/nodes/call-input'
import type { ChatRunnable, Database, WorkflowRunnable } from '@troupe/storage'
import type { WorkflowRunner } from '@troupe/workflows'
import type { Principal } from '../access/principal.ts'
import { runRequest } from '../runs/run-call.ts'
import { withCurrentVersion } from '../workflow-runs/with-current-version.ts'
import { workflowRunRequest } from '../workflow-runs/workflow-run-request.ts'
import { workflowNotFound } from '../workflows/workflow-errors.ts'
import { type ExposedTools, exposedRunnables } from './exposed-tools.ts'

/** Dependencies of {@link callExposedTool}. */
export interface ToolCaller extends ExposedTools {
  runner: Pick<Runner, 'stream'>
  workflows: Pick<WorkflowRunner, 'runOnce'>
  database: Pick<Database, 'workflowRuns'>
  clock: Clock
  newId: NewId
}

/** One call of a tool by its name, with unchecked arguments. */
export interface ExposedToolCall {
  name: string
  arguments: Record<string, unknown>
  /** Aborting cancels the run. */
  signal: AbortSignal
  /** Called for events of the run. */
  progress(message: string): void
}

/** The outcome of a call. `meta` identifies the run. */
export type ExposedToolOutcome =
  | { kind: 'answered'; text: string; isError: boolean; meta: Record<string, unknown> }
  | { kind: 'unknown_tool' }

const checkAgentBody = validator(AgentRunBody)
const checkTeamBody = validator(TeamRunBody)

function failed(text: string, meta: Record<string, unknown> = {}): ExposedToolOutcome {
  return { kind: 'answered', text, isError: true, meta }
}

/** A progress message for the waiting client; null for events that need none. */
function progressOf(event: StreamEvent): string | null {
  switch (event.event) {
    case 'RunStarted':
      return 'Started'
    case 'ToolCallStarted':
      return `Calls ${event.toolName}`
    case 'MemberRunStarted':
      return `Asks ${event.member.name}`
    case 'MemberRunCompleted':
      return `${event.member.name} has answered`
    case 'TaskUpdated':
      return `${event.task.title}: ${event.task.status}`
    default:
      return null
  }
}

async function runChat(
  { runner, clock }: ToolCaller,
  principal: Principal,
  { kind, id }: ChatRunnable,
  { arguments: given, signal, progress }: ExposedToolCall,
): Promise<ExposedToolOutcome> {
  const { message, session_id } = given
  const named = { message, ...(session_id !== undefined && session_id !== null && { session_id }) }
  const checked = kind === 'agent' ? checkAgentBody(named) : checkTeamBody(named)
  if (!checked.ok) return failed(checked.errors.map((error) => `${error.path} ${error.message}`).join('; '))
  const acceptedAt = clock.now()
  const call = { principal, kind, entityId: id, acceptedAt, path: '', idempotencyKey: null }
  signal.throwIfAborted()
  const started = await runner.stream(runRequest(call, checked.value, 'api_stream'), (event) => {
    const told = progressOf(event)
    if (told !== null) progress(told)
  })
  const meta = { runId: started.runId }
  if (started.kind === 'attached') return failed('The run was started before.', meta)
  const { run } = started
  signal.addEventListener('abort', () => run.disconnect(), { once: true })
  if (signal.aborted) run.disconnect()
  const executed = await run.executed
  if ('error' in executed) return failed(executed.error.message, meta)
  const { content, sessionId, success } = executed.result
  return { kind: 'answered', text: content, isError: !success, meta: { ...meta, sessionId } }
}

/** The active version of a workflow that was published again during the call. */
async function exposedWorkflow(
  parts: ToolCaller,
  principal: Principal,
  id: WorkflowId,
): Promise<WorkflowRunnable> {
  const exposed = await exposedRunnables(parts, principal)
  for (const { runnable } of exposed) if (runnable.kind === 'workflow' && runnable.id === id) return runnable
  throw workflowNotFound()
}

async function runWorkflow(
  parts: ToolCaller,
  principal: Principal,
  published: WorkflowRunnable,
  { arguments: given, signal, progress }: ExposedToolCall,
): Promise<ExposedToolOutcome> {
  const { id } = published
  const { graphs, workflows, database, clock, newId } = parts
  const call = { principal, workflowId: id, acceptedAt: clock.now(), path: '', idempotencyKey: null }
  const executionId = newId(WorkflowRunId)
  progress('Started')
  const again = () => exposedWorkflow(parts, principal, id)
  try {
    const ended = await withCurrentVersion(published, again, async ({ versionId }) => {
      const graph = await graphs.compiled(principal.organizationId, versionId)
      const input = callInput([...(graph?.nodes.values() ?? [])], given)
      const request = { ...workflowRunRequest(call, { input }, 'api_async'), versionId }
      return workflows.runOnce(request, executionId, signal)
    })
    const { status, output, error } = ended
    if (status === 'failed' || status === 'policy_blocked') return failed(error ?? status, { executionId })
    return { kind: 'answered', text: JSON.stringify(output ?? null), isError: false, meta: { executionId } }
  } catch (error) {
    if (signal.aborted) await database.workflowRuns.cancel(principal, executionId)
    throw error
  }
}

/**
 * Runs the subject of a tool and waits for its end, bounded only by the run's own limits. Failures of the run are
 * outcomes.
 *
 * @throws the signal's reason
 */
export async function callExposedTool(
  parts: ToolCaller,
  principal: Principal,
  call: ExposedToolCall,
): Promise<ExposedToolOutcome> {
  const tool = (await exposedRunnables(parts, principal)).find(({ name }) => name === call.name)
  if (!tool) return { kind: 'unknown_tool' }
  const { runnable } = tool
  try {
    return runnable.kind === 'workflow'
      ? await runWorkflow(parts, principal, runnable, call)
      : await runChat(parts, principal, runnable, call)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const reasons = error.errors?.map(({ path, message }) => `${path} ${message}`) ?? []
    return failed([error.message, ...reasons].join(' '))
  }
}
