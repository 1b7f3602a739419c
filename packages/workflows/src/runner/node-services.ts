import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import {
  type ChildRuns,
  callModel,
  chainProblem,
  derivedId,
  emptyAnswer,
  type FinishReason,
  Ledger,
  type RunDependencies,
  resolveChain,
} from '@troupe/agents'
import { ChatModelError } from '@troupe/agents/ports'
import { RunId } from '@troupe/contract'
import type { NodePlace } from '../execution/dependencies.ts'
import type { RunIdentity } from '../execution/run-identity.ts'
import {
  type ChildRunOutcome,
  type ChildRunRequest,
  NodeFailure,
  type NodeModelAnswer,
  type NodeModelRequest,
  type NodeServices,
  NodeWaits,
} from '../ports/node-handler.ts'

/** The note of a step on calls that were denied because nobody could be asked; null if there are none. */
function unaskedNote(tools: readonly string[], isTest: boolean): string | null {
  if (tools.length === 0) return null
  if (isTest) return `Calls of ${tools.join(', ')} need approval and were denied: tests request no approvals.`
  return `Calls of ${tools.join(', ')} need approval and were denied, because the caller waited for the end of this run. Start the workflow with run-async.`
}

/** Whether tools of a step may have no effects: in a test, unless the step is allowed to. */
function deniesEffects({ test }: RunIdentity, { nodeId }: NodePlace): boolean {
  if (test === null) return false
  const { effects } = test
  return typeof effects === 'boolean' ? !effects : !effects.includes(nodeId)
}

/** The platform services of a node, bound to one execution of it. */
export function nodeServices(
  deps: Pick<RunDependencies, 'catalog' | 'models' | 'store' | 'telemetry' | 'now' | 'syncSeconds'> & {
    children: ChildRuns
  },
  run: RunIdentity,
  place: NodePlace,
  signal: AbortSignal,
): NodeServices {
  return {
    async runChild({
      kind,
      entityId,
      message,
      sessionId,
      userId,
      toolContext,
      output,
      retry,
    }: ChildRunRequest): Promise<ChildRunOutcome> {
      const { organizationId, projectId, apiKeyId } = run
      // After its caller got a 504, the run continues like any other: no caller waits for it any more.
      const isAwaited = run.source === 'api_sync' && deps.now() < run.createdAt + deps.syncSeconds * 1000
      const runId = derivedId(RunId, run.fence.runId, place.path, place.nodeId, retry)
      const who = { organizationId, projectId, apiKeyId }
      const end = await deps.children.run(
        {
          runId,
          workflowRunId: run.fence.runId,
          kind,
          entityId,
          message,
          sessionId,
          userId,
          toolContext,
          output,
          mayWait: !isAwaited && run.test === null,
          isTest: run.test !== null,
          deniesEffects: deniesEffects(run, place),
          ...who,
        },
        signal,
      )
      if (end === 'waits') throw new NodeWaits(runId)
      if (!end.ok) return { ...end, runId }
      const { content, success, inputTokens, outputTokens } = end.run
      return {
        ok: true,
        content,
        success,
        runId,
        inputTokens,
        outputTokens,
        note: unaskedNote(end.unasked, run.test !== null),
      }
    },

    async callModel({ model, system, prompt, purpose, schema }: NodeModelRequest): Promise<NodeModelAnswer> {
      const { organizationId, projectId } = run
      const configurations = await deps.catalog.llmConfigurations(organizationId)
      const resolved = resolveChain({ projectId, model }, configurations)
      if (!resolved) throw new NodeFailure(`it ${chainProblem({ projectId, model }, configurations)}`)
      const ledger = new Ledger()
      let text = ''
      let finishReason: FinishReason
      const opened = deps.models.open({
        chain: resolved.chain,
        deadlineAt: Number.MAX_SAFE_INTEGER,
        agentName: place.nodeId,
        observer: {
          onAttempt(attempt) {
            const index = resolved.chain.targets.findIndex(
              ({ connection, modelId }) =>
                connection.llmConfigId === attempt.llmConfigId && modelId === attempt.modelId,
            )
            ledger.add(attempt, purpose, resolved.models[index] ?? null, { agentId: null, memberRunId: null })
            deps.telemetry.modelAttempt(run.fence.runId, attempt, purpose)
          },
          onFailover() {},
          onReset() {
            text = ''
          },
        },
      })
      const options: LanguageModelV4CallOptions & { abortSignal: AbortSignal } = {
        prompt: [
          ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
          { role: 'user', content: [{ type: 'text', text: prompt }] },
        ],
        abortSignal: signal,
        ...(schema && { responseFormat: { type: 'json', name: schema.name, schema: schema.schema } }),
      }
      try {
        finishReason = (
          await callModel(opened, options, {
            text(delta) {
              text += delta
            },
            reasoning() {},
          })
        ).finishReason
      } catch (error) {
        if (error instanceof ChatModelError) throw new NodeFailure(error.message)
        throw error
      } finally {
        await deps.store.recordUsage({
          runId: run.fence.runId,
          organizationId,
          projectId,
          userId: '',
          tag: null,
          usage: ledger.unwritten,
        })
      }
      if (text === '') throw new NodeFailure(emptyAnswer(finishReason).message)
      return { text, inputTokens: ledger.inputTokens, outputTokens: ledger.outputTokens }
    },
  }
}
