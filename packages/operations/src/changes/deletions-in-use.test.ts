import { systemClock } from '@troupe/agents/ports'
import type { DomainError } from '@troupe/contract'
import type { CreateCredentialBody } from '@troupe/contract/builder'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { createAgent } from '../agents/create-agent.ts'
import { setAgentStatus } from '../agents/set-agent-status.ts'
import { updateAgent } from '../agents/update-agent.ts'
import { createCredential, deleteCredential } from '../credentials/change-credential.ts'
import {
  createLlmConfiguration,
  deleteLlmConfiguration,
} from '../llm-configurations/change-llm-configuration.ts'
import { createMcpServer, deleteMcpServer } from '../mcp-servers/change-mcp-server.ts'
import { createTeam } from '../teams/create-team.ts'
import { deleteTeam } from '../teams/delete-team.ts'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'

let teams: Teams & AsyncDisposable
let caller: BuilderCaller
let names = 0
type Config = Record<string, unknown>
beforeAll(async () => {
  teams = await openTeams()
  const { organizationId } = teams.scope
  caller = { organizationId, projectId: null, role: 'owner', userId: null, actor: BUILDER }
})
afterAll(() => teams[Symbol.asyncDispose]())
beforeEach(() => {
  teams.audited()
})

const parts = () => ({ ...teams.parts, secretBox: teams.parts.box, clock: systemClock })
const named = () => ({ slug: `thing-${++names}`, name: `Thing ${names}` })
const agent = async (config: Config): Promise<string> =>
  (await createAgent(parts(), teams.scope, BUILDER, { name: `User ${++names}`, config })).agentId
const change = (id: string, config: Config) =>
  updateAgent(parts(), teams.scope, BUILDER, id, { config }, { replace: true })
async function refusal(attempt: Promise<unknown>): Promise<[code: string, message: string]> {
  const { code, message } = (await attempt.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )) as DomainError
  return [code, message]
}
const made = <T extends object>(answer: T | { body: T }): T => ('body' in answer ? answer.body : answer)

/** A resource, the configuration of an agent that uses it, and its deletion. */
interface Used {
  config: Config
  remove(id?: string): Promise<void>
  inUse: string
  missing: string
  action: string
}

const KINDS: Record<string, () => Promise<Used>> = {
  async credential() {
    const body = {
      ...named(),
      kind: 'bearer',
      secret: 'secret',
      hosts: ['crm.example'],
    } satisfies CreateCredentialBody
    const { credentialId } = made(await createCredential(parts(), caller, body))
    const address = { method: 'GET', url: 'https://crm.example/' }
    return {
      config: { tools: [{ type: 'http', name: 'get', ...address, auth_credential_id: credentialId }] },
      remove: (id = credentialId) => deleteCredential(parts(), caller, id),
      ...{ inUse: 'in_use', missing: 'credential_not_found', action: 'credential.deleted' },
    }
  },
  async 'LLM configuration'() {
    const body = { ...named(), providerId: 'sandbox' as const, models: [{ modelId: 'm' }] }
    const { llmConfigId } = made(await createLlmConfiguration(parts(), caller, body))
    return {
      config: { model: { primary: { llm_config_id: llmConfigId, model_id: 'm' } } },
      remove: (id = llmConfigId) => deleteLlmConfiguration(parts(), caller, id),
      ...{ inUse: 'llm_configuration_in_use', missing: 'llm_configuration_not_found' },
      action: 'llm_configuration.deleted',
    }
  },
  async 'MCP server'() {
    const body = { ...named(), url: 'https://mcp.example/' }
    const { mcpServerId } = made(await createMcpServer(parts(), caller, body))
    return {
      config: { tools: [{ type: 'mcp', server_id: mcpServerId }] },
      remove: (id = mcpServerId) => deleteMcpServer(parts(), caller, id),
      ...{ inUse: 'in_use', missing: 'mcp_server_not_found', action: 'mcp_server.deleted' },
    }
  },
}

test.for(
  Object.entries(KINDS),
)('a %s that an agent uses is not deleted, and once when it no longer does', async ([, make]) => {
  const { config, remove, inUse, missing, action } = await make()
  const user = await agent(config)
  const [code, message] = await refusal(remove())
  expect(code).toBe(inUse)
  expect(message).toContain(`User ${names}`)
  await change(user, {})
  teams.audited()
  await remove()
  expect(teams.audited()).toMatchObject([{ action, actor: BUILDER, after: null }])
  expect((await refusal(remove()))[0]).toBe(missing)
  expect((await refusal(remove('nonsense')))[0]).toBe(missing)
})

test.for(Object.entries(KINDS))('of a deletion of a %s and a save that uses it, one is refused', async ([
  ,
  make,
]) => {
  const { config, remove } = await make()
  const user = await agent({})
  const attempts = await Promise.allSettled([remove(), change(user, config)])
  expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('an agent of a team is archived after the team is deleted', async () => {
  const [lead, member] = [await agent({}), await agent({})]
  const { teamId } = await createTeam(parts(), teams.scope, BUILDER, {
    name: 'Desk',
    config: { mode: 'handoff', lead: { managed: {} }, members: [{ agent: lead }, { agent: member }] },
  })
  const archive = async () => {
    // A draft is archived directly.
    await setAgentStatus(parts(), caller, member, 'archived')
  }
  const [code, message] = await refusal(archive())
  expect(code).toBe('agent_in_use')
  expect(message).toContain('Desk')
  await deleteTeam(parts(), teams.scope, BUILDER, teamId.toUpperCase())
  await archive()
  expect(teams.audited().map(({ action }) => action)).toContain('agent.status_changed')
  expect((await refusal(deleteTeam(parts(), teams.scope, BUILDER, teamId)))[0]).toBe('team_not_found')
})
