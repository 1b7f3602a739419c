import { propertyOf } from '@troupe/contract'
import { AGENT_TEMPLATES } from '../../src/core/agents/templates.ts'
import { TEAM_TEMPLATES } from '../../src/core/teams/templates.ts'
import { filledGraph, type WorkflowTemplate } from '../../src/core/workflows/templates/template.ts'
import type { Maker } from '../one-of-each/maker.ts'

/** A workflow, with the revision that changes and tests name. */
export interface MadeWorkflow {
  workflowId: string
  draftRevision: number
}

/** The end of a template's test; the models of the test server are the sandbox (packages/models/src/sandbox). */
export const ENDS: Readonly<Record<string, string>> = {
  'support-triage': 'completed',
  'answer-with-sources': 'completed',
  'document-intake': 'awaiting_approval',
  'form-to-team': 'awaiting_approval',
  'approval-chain': 'completed',
  'clean-up': 'completed',
  'nightly-report': 'completed',
  'until-good': 'completed',
}

export const makeAgent = (maker: Maker, name: string, config: object) =>
  maker.make('createAgent', 'agentId', { name, config })

export async function makeTeam(
  maker: Maker,
  { name, mode, instructions, members }: (typeof TEAM_TEMPLATES)[number],
): Promise<string> {
  const named = []
  for (const member of members) {
    named.push({
      agent: await makeAgent(maker, member.name, { instructions: member.instructions }),
      role: member.role,
    })
  }
  const config = { mode, lead: { managed: { instructions } }, members: named }
  return maker.make('createTeam', 'teamId', { name, config })
}

/** The agent or the team that a user would choose for a template. */
async function chosenFor(maker: Maker, asks: WorkflowTemplate['asks']): Promise<string | null> {
  const [team] = TEAM_TEMPLATES
  const agent = AGENT_TEMPLATES.find(({ id }) => id === 'sources')
  if (!asks || !team || !agent) return null
  if (asks.kind === 'team') return makeTeam(maker, team)
  const base = await maker.make('createKnowledgeBase', 'knowledgeBaseId', { name: 'Returns' })
  const config = { ...agent.config, knowledge: { mode: 'auto', cite: true, base_ids: [base] } }
  const agentId = await makeAgent(maker, agent.name, config)
  await maker.ask('setAgentStatus', { agentId }, { status: 'active' })
  return agentId
}

/** A workflow from a template, as a user creates it. */
export async function makeFromTemplate(maker: Maker, template: WorkflowTemplate): Promise<MadeWorkflow> {
  const draft = filledGraph(template, await chosenFor(maker, template.asks))
  return (await maker.ask('createWorkflow', {}, { name: template.name, draft: { ...draft } })) as MadeWorkflow
}

/** Starts a test of the draft of a template with its payload. */
export async function testTemplate(
  maker: Maker,
  { workflowId, draftRevision }: MadeWorkflow,
  { id, payload }: WorkflowTemplate,
): Promise<string> {
  const byHand = id === 'nightly-report' ? { triggerNodeId: 'by-hand' } : {}
  const body = { draftRevision, scope: { kind: 'all' }, payload, ...byHand }
  return String(propertyOf(await maker.ask('startTestRun', { workflowId }, body), 'executionId'))
}
