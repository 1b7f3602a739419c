import { OPERATIONS } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { createAgent } from '@troupe/operations/agents/create-agent'
import { getAgent } from '@troupe/operations/agents/get-agent'
import { listAgents } from '@troupe/operations/agents/list-agents'
import { listLlmProviders } from '@troupe/operations/agents/list-llm-providers'
import { updateAgent } from '@troupe/operations/agents/update-agent'
import type { Context } from '../../wiring/context.ts'

/** Dependencies of the agent routes. */
export type AgentParts = Pick<Context, 'database' | 'configChanges' | 'newId' | 'toolSources'>

export function registerAgents(app: App, { database, configChanges, newId, toolSources }: AgentParts): void {
  registerOperation(
    app,
    OPERATIONS.listAgents,
    (call) => listAgents(database.read, call.principal, call.query),
    { ignoredForProjectKeys: ['project_ref_id'] },
  )
  registerOperation(
    app,
    OPERATIONS.createAgent,
    (call) =>
      createAgent({ database, configChanges, newId, toolSources }, call.principal, call.actor, call.body),
    { ignoredForProjectKeys: ['projectId'] },
  )
  registerOperation(app, OPERATIONS.listLlmProviders, (call) =>
    listLlmProviders((scope) => database.read.llmConfigurations.visible(scope), call.principal),
  )
  registerOperation(app, OPERATIONS.getAgent, (call) =>
    getAgent(database.read, call.principal, call.params.agentId),
  )
  registerOperation(app, OPERATIONS.updateAgent, (call) =>
    updateAgent(
      { database, configChanges, toolSources },
      call.principal,
      call.actor,
      call.params.agentId,
      call.body,
    ),
  )
}
