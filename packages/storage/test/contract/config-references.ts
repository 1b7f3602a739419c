import { randomUUID } from 'node:crypto'
import {
  type AgentConfig,
  AgentId,
  CredentialId,
  checkedId,
  KnowledgeBaseId,
  LlmConfigId,
  mergeAgentConfig,
  mergeTeamConfig,
  newId,
  SkillId,
  TeamId,
  VoiceConfigurationId,
  type VoiceSettings,
  WorkflowId,
  WorkflowVersionId,
} from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/database.ts'
import { knownMigrations } from '../../src/known-migrations.ts'
import type { SqlDriver } from '../../src/sql/client/sql-client.ts'
import { createTenant, type Subject, SYSTEM, type Tenant } from './tenant.ts'

const node = (id: string, type: string, config: Record<string, unknown>) => ({ id, type, name: id, config })

/** One owner of each kind, with one reference to each kind in each place. */
async function everything(db: Database, tenant: Tenant) {
  const { organizationId } = tenant
  const ids = new Map<string, string>()
  const id = (name: string) => {
    const known = ids.get(name) ?? randomUUID()
    ids.set(name, known)
    return known
  }
  const credential = (name: string): CredentialId => checkedId(CredentialId, id(name))
  const merged = mergeAgentConfig({
    model: { primary: {}, fallbacks: [{ llm_config_id: id('llm').toUpperCase() }, { llm_config_id: null }] },
    knowledge: { base_ids: [id('base'), id('other base')], rerank_llm_config_id: id('reranker') },
    tools: [
      { type: 'agent', name: 'ask', description: 'Asks.', agent_id: id('agent') },
      { type: 'workflow', name: 'go', description: 'Goes.', workflow_id: id('workflow') },
      { type: 'mcp', server_id: id('server') },
    ],
    skills: [{ slug: 'pdf' }, { skill_id: id('skill') }],
    guardrails: {
      input: [{ type: 'webhook', action: 'block', url: 'https://a.test', credential_id: id('rule') }],
      output: [{ type: 'llm_rule', action: 'flag', question: 'Is it kind?', llm_config_id: id('judge') }],
    },
  } as Parameters<typeof mergeAgentConfig>[0])
  if (!merged.ok) throw new Error(JSON.stringify(merged.errors))
  const agent = tenant.agent({ config: merged.config as AgentConfig })
  const lead = tenant.agent()
  const team = mergeTeamConfig({
    mode: 'handoff',
    lead: { managed: {} },
    members: [{ agent: lead.id }, { agent: agent.id }],
  })
  const led = mergeTeamConfig({
    mode: 'handoff',
    lead: { agent: lead.id },
    members: [{ agent: agent.id }],
    fallback_member: agent.id,
  })
  if (!team.ok || !led.ok) throw new Error('the teams are not valid')
  const teams = [team.config, led.config].map((config) => ({
    ...{
      id: newId(TeamId),
      organizationId,
      projectId: null,
      slug: null,
      name: 'Desk',
      description: null,
    },
    ...{ config, configSchemaVersion: 1 },
  }))
  const draft = {
    nodes: [
      node('a', 'ai-agent', { agentId: id('agent').toUpperCase() }),
      node('t', 'team-step', { teamId: id('team') }),
      node('p', 'ai-prompt', { model: { fallbacks: [{ llm_config_id: id('llm') }, {}, 7] } }),
      node('c', 'classify', { model: { primary: { llm_config_id: id('llm'), model_id: 'm' } } }),
      node('n', 'note', { agentId: id('agent') }),
      node('x', 'gone', { agentId: id('agent') }),
      node('e', 'ai-agent', { agentId: 'no id' }),
    ],
    edges: [],
  }
  const workflow = {
    id: newId(WorkflowId),
    organizationId,
    projectId: null,
    slug: null,
    name: 'W',
    description: null,
    draft,
  }
  const settings = {
    stt: { fallbacks: [{ provider: 'deepgram' }, { provider: 'deepgram', credential_id: id('ear') }] },
  }
  const voice = {
    ...{ id: newId(VoiceConfigurationId), organizationId, projectId: null, slug: 'v', agentId: agent.id },
    ...{
      sttProvider: 'deepgram',
      ttsProvider: 'deepgram',
      sttCredentialId: credential('stt'),
      ttsCredentialId: null,
    },
    settings: settings as VoiceSettings,
  }
  await db.transaction(async ({ write }) => {
    await write.agents.insert(agent, SYSTEM)
    await write.agents.insert(lead, SYSTEM)
    for (const one of teams) await write.teams.insert(one, SYSTEM)
    await write.workflows.insert(workflow)
    await write.credentials.insert({
      ...{ id: credential('stt'), organizationId, projectId: null, slug: 'stt', name: 'STT', kind: 'bearer' },
      ...{ username: null, field: null, sealedSecret: 'sealed', hosts: [] },
    })
    await write.voiceConfigurations.insert(voice)
  })
  return { id, agent, lead, teams, workflow, voice }
}

export function configReferencesContract(subject: Subject, driver: () => SqlDriver): void {
  const rowsOf = async ({ organizationId }: Tenant) =>
    driver().execute(
      `select owner_kind, owner_id::text, path, target_kind, target_id::text, target_slug from config_references
       where organization_id = $1::uuid order by 1, 2, 3`,
      [organizationId],
    )
  const pathsOf = async (tenant: Tenant, owner: string) =>
    (await rowsOf(tenant)).filter(([, id]) => id === owner).map(([, , path]) => path)

  describe('references', () => {
    it('are rows written by their save, for all kinds of owners and targets', async () => {
      const tenant = await createTenant(subject())
      const { id, agent, lead, teams, workflow, voice } = await everything(subject(), tenant)
      const of = (
        kind: string,
        owner: string,
        rows: [path: string, target: string, name: string | null, slug?: string][],
      ) => rows.map(([path, target, name, slug]) => [kind, owner, path, target, name, slug ?? null])
      const [first = '', second = ''] = teams.map((one) => one.id)
      expect((await rowsOf(tenant)).toSorted()).toEqual(
        [
          ...of('agent', agent.id, [
            ['config.model.primary.llm_config_id', 'llm_configuration', null],
            ['config.model.fallbacks.0.llm_config_id', 'llm_configuration', id('llm')],
            ['config.model.fallbacks.1.llm_config_id', 'llm_configuration', null],
            ['config.knowledge.base_ids.0', 'knowledge_base', id('base')],
            ['config.knowledge.base_ids.1', 'knowledge_base', id('other base')],
            ['config.knowledge.rerank_llm_config_id', 'llm_configuration', id('reranker')],
            ['config.tools.0.agent_id', 'agent', id('agent')],
            ['config.tools.1.workflow_id', 'workflow', id('workflow')],
            ['config.tools.2.server_id', 'mcp_server', id('server')],
            ['config.skills.0.slug', 'skill', null, 'pdf'],
            ['config.skills.1.skill_id', 'skill', id('skill')],
            ['config.guardrails.input.0.credential_id', 'credential', id('rule')],
            ['config.guardrails.output.0.llm_config_id', 'llm_configuration', id('judge')],
          ]),
          ...of('team', first, [
            ['config.lead.managed.model.primary.llm_config_id', 'llm_configuration', null],
            ['config.members.0.agent', 'agent', lead.id],
            ['config.members.1.agent', 'agent', agent.id],
          ]),
          ...of('team', second, [
            ['config.lead.agent', 'agent', lead.id],
            ['config.members.0.agent', 'agent', agent.id],
            ['config.fallback_member', 'agent', agent.id],
          ]),
          ...of('workflow', workflow.id, [
            ['nodes.a.config.agentId', 'agent', id('agent')],
            ['nodes.t.config.teamId', 'team', id('team')],
            ['nodes.p.config.model.primary.llm_config_id', 'llm_configuration', null],
            ['nodes.p.config.model.fallbacks.0.llm_config_id', 'llm_configuration', id('llm')],
            ['nodes.p.config.model.fallbacks.1.llm_config_id', 'llm_configuration', null],
            ['nodes.c.config.model.primary.llm_config_id', 'llm_configuration', id('llm')],
          ]),
          ...of('voice_configuration', voice.id, [
            ['voice.sttCredentialId', 'credential', id('stt')],
            ['settings.stt.fallbacks.1.credential_id', 'credential', id('ear')],
          ]),
        ].toSorted(),
      )
    })

    it('list the users of a resource by its id in any notation', async () => {
      const tenant = await createTenant(subject())
      const { organizationId, projectA } = tenant
      const { id, agent, voice } = await everything(subject(), tenant)
      const names = checkedId(CredentialId, id('stt'))
      const [main, unused] = [
        tenant.llm({ id: checkedId(LlmConfigId, id('llm')) }),
        tenant.llm({ isDefault: true }),
      ]
      const quoting = tenant.agent({
        config: { instructions: `Never use ${names} or ${unused.id}.` } as AgentConfig,
      })
      const skills: Record<'skill' | 'pdf', SkillId> = {
        skill: checkedId(SkillId, id('skill')),
        pdf: newId(SkillId),
      }
      await subject().transaction(async ({ write }) => {
        await write.agents.insert(quoting, SYSTEM)
        for (const one of [main, unused]) await write.llmConfigurations.insert(one)
      })
      const { read } = subject()
      const usersOf = async (llm: LlmConfigId) =>
        (await read.builder.llmConfigurations.byId(organizationId, llm))?.usedBy.map(({ kind }) => kind)
      expect(await usersOf(main.id)).toEqual(['agent', 'workflow'])
      expect(await usersOf(unused.id), 'of the default: what names none').toEqual([
        'agent',
        'team',
        'workflow',
      ])
      expect((await read.builder.credentials.byId(organizationId, names))?.usedBy).toEqual([
        { kind: 'voice_configuration', id: voice.id, name: 'v' },
      ])
      const page = await read.builder.credentials.page(organizationId, {})
      expect(page.rows.map(({ usedBy }) => usedBy.length)).toEqual([1])
      const users = { id: agent.id, name: agent.name }
      expect(
        await read.knowledge.agentsUsing(organizationId, checkedId(KnowledgeBaseId, id('base'))),
      ).toEqual([users])
      const skill = { organizationId, projectId: null, id: skills.pdf, slug: 'pdf' }
      expect(await read.skills.agentsUsing(skill)).toEqual([users])
      expect(await read.skills.agentsUsing({ ...skill, projectId: projectA }), 'of a project').toEqual([])
      expect(await read.skills.agentsUsing({ ...skill, id: skills.skill, slug: 'x' })).toEqual([users])
      const { resourceUsers } = read.builder
      expect(await resourceUsers.callingAgents(organizationId, checkedId(AgentId, id('agent')))).toEqual([
        { ...users, projectId: null },
      ])
      await subject().transaction(({ write }) => write.agents.setStatus(organizationId, agent.id, 'archived'))
      expect(await resourceUsers.callingAgents(organizationId, checkedId(AgentId, id('agent')))).toEqual([])
      expect(await resourceUsers.of(organizationId, 'knowledge_base', [id('base')])).toEqual([])
    })

    it('stored before the table existed are migrated to the same rows', async () => {
      const tenant = await createTenant(subject())
      await everything(subject(), tenant)
      const written = await rowsOf(tenant)
      const migration = (await knownMigrations()).find(({ tag }) => tag === '0015_config_references')
      const fill = migration?.sql.split('--> statement-breakpoint').at(-1) ?? ''
      await driver().transaction(async (client) => {
        await client.execute('set local jit = off', [])
        await client.execute('delete from config_references', [])
        await client.execute(fill, [])
      })
      expect(written.length).toBeGreaterThan(25)
      expect(await rowsOf(tenant)).toEqual(written)
    })

    it('follow every change, and are deleted with their owner', async () => {
      const tenant = await createTenant(subject())
      const { organizationId } = tenant
      const { id, agent, teams, workflow, voice } = await everything(subject(), tenant)
      const draft = { nodes: [node('a', 'ai-agent', { agentId: id('agent') })], edges: [] }
      // Every node but the first one is removed, and one is added.
      const added = node('z', 'team-step', { teamId: id('team') })
      const saved = { ...draft, nodes: [...draft.nodes, added] }
      const changedNodes = [
        { before: null, after: added },
        ...workflow.draft.nodes.slice(1).map((before) => ({ before, after: null })),
      ]
      await subject().transaction(async ({ write }) => {
        await write.agents.update(
          { ...agent, config: { tools: agent.config.tools.slice(1, 2) } as AgentConfig },
          SYSTEM,
        )
        await write.teams.delete(organizationId, checkedId(TeamId, teams[0]?.id ?? ''))
        await write.workflows.saveDraft({
          ...{
            organizationId,
            id: workflow.id,
            revision: 1,
            draft: { json: JSON.stringify(saved), hash: '1' },
            triggers: [],
          },
          ...{ changedNodes, changes: [], changeId: null, savedBy: SYSTEM, gesture: null },
        })
        await write.voiceConfigurations.delete(organizationId, voice.id)
      })
      expect(await pathsOf(tenant, agent.id)).toEqual(['config.tools.0.workflow_id'])
      expect(await pathsOf(tenant, teams[0]?.id ?? '')).toEqual([])
      expect(await pathsOf(tenant, workflow.id)).toEqual(['nodes.a.config.agentId', 'nodes.z.config.teamId'])
      expect(await pathsOf(tenant, voice.id)).toEqual([])

      await subject().transaction(async ({ write }) => {
        await write.workflows.updateDraft({
          organizationId,
          id: workflow.id,
          revision: 2,
          draft: workflow.draft,
        })
      })
      expect(await pathsOf(tenant, workflow.id)).toHaveLength(6)
      const published = await subject().transaction(({ write }) =>
        write.workflows.publish({
          organizationId,
          id: workflow.id,
          graph: draft,
          resources: [],
          createdBy: SYSTEM,
        }),
      )
      await subject().transaction(({ write }) =>
        write.workflows.restore(
          organizationId,
          workflow.id,
          checkedId(WorkflowVersionId, published.activeDeployment?.versionId ?? ''),
        ),
      )
      expect(await pathsOf(tenant, workflow.id)).toEqual(['nodes.a.config.agentId'])
    })
  })
}

/** On a database with several connections. */
export function referenceLocksContract(subject: Subject, driver: () => SqlDriver): void {
  it('a save of a draft with a new reference does not wait for a holder of the organization', async () => {
    const tenant = await createTenant(subject())
    const { organizationId } = tenant
    const { workflow } = await everything(subject(), tenant)
    const after = node('z', 'ai-agent', { agentId: randomUUID() })
    const draft = { ...workflow.draft, nodes: [...workflow.draft.nodes, after] }
    await driver().transaction(async (client) => {
      await client.execute('select from organizations where id = $1::uuid for update', [organizationId])
      const saved = await subject().transaction(({ write }) =>
        write.workflows.saveDraft({
          ...{
            organizationId,
            id: workflow.id,
            revision: 1,
            draft: { json: JSON.stringify(draft), hash: '1' },
            triggers: [],
          },
          ...{
            changes: [],
            changedNodes: [{ before: null, after }],
            changeId: null,
            savedBy: SYSTEM,
            gesture: null,
          },
        }),
      )
      expect(saved).toMatchObject({ revision: 2 })
    })
  })
}
