import type { BuilderWorkflow } from '@troupe/contract/builder'
import { seedTeam } from '@troupe/test-kit/seed-team'
import type { Page } from 'playwright-core'
import type { Journey } from './journey.ts'
import { asOperator } from './operator.ts'

/** One form of the builder, as the faults are tried on it. */
export interface FormCase {
  name: string
  /** Its path, below the organization; `{agent}` and similar are ids of {@link seedFormCases}. */
  path: string
  /** Opens it, where the address does not; done again after a reload. */
  open?(page: Page): Promise<void>
  /** The text input, by the label of the field. */
  typed: Readonly<Record<string, string>>
  /** Selections besides it, and secrets, which no browser stores. */
  choose?(page: Page): Promise<void>
  /** The name of the button that sends it. */
  save: string | RegExp
  /** Method and path of the call that is broken. */
  call: RegExp
  /** The text or element of the page after success. */
  done: string | RegExp
  /** Each refused try stays on the page, with its failure. */
  keepsTries?: boolean
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

/** An entry of the first menu with this name. */
const fromMenu = (menu: string | RegExp, entry: string | RegExp) => async (page: Page) => {
  await press(page, menu)
  await page.getByRole('menuitem', { name: entry }).click()
}

const pickMembers = async (page: Page) => {
  const field = page.getByRole('combobox', { name: 'Members' })
  for (const name of ['Alpha', 'Beta']) {
    await field.fill(name)
    await page.getByRole('option', { name: new RegExp(`^${name}`) }).waitFor()
    await field.press('ArrowDown')
    await field.press('Enter')
    await page.locator(`[aria-label="Remove ${name}"]`).waitFor()
  }
  await field.press('Tab')
}

/** Every form of the builder that a user types into. */
export const FORM_CASES: readonly FormCase[] = [
  {
    name: 'a new agent',
    path: 'agents?create=1',
    typed: { Name: 'Agent of faults' },
    save: 'Create agent',
    call: /^POST .*\/agents$/,
    done: 'Activate',
  },
  {
    name: 'the editor of an agent',
    path: 'agents/{agent}',
    typed: { Instructions: 'You survive everything.', Description: 'Typed by hand' },
    save: /^Save/,
    call: /^PUT .*\/agents\/[^/]+$/,
    done: /^Callers run version \d+ now/,
  },
  {
    name: 'the label of a version of an agent',
    path: 'agents/{agent}?tab=versions',
    open: fromMenu(/^Actions for v1/, 'Label and note…'),
    typed: { Label: 'The first', Note: 'Why it is so' },
    save: 'Save label',
    call: /^PUT .*\/versions\/[^/]+$/,
    done: 'The first',
  },
  {
    name: 'a message of the playground',
    path: 'agents/{agent}?tab=playground',
    typed: { Message: 'A question that took long to write' },
    save: 'Send',
    call: /^POST .*\/playground$/,
    done: 'Trace',
    keepsTries: true,
  },
  {
    name: 'a new team',
    path: 'teams?create=1',
    typed: { Name: 'Team of faults' },
    choose: pickMembers,
    save: 'Create team',
    call: /^POST .*\/teams$/,
    done: 'All prompts',
  },
  {
    name: 'the editor of a team',
    path: 'teams/{team}',
    typed: { Description: 'Typed by hand', 'Role of Alpha': 'Answers first' },
    save: /^Save/,
    call: /^PUT .*\/teams\/[^/]+$/,
    done: /^Callers run version \d+ now/,
  },
  {
    name: 'a new workflow',
    path: 'workflows?create=1',
    typed: { Name: 'Workflow of faults' },
    save: 'Create workflow',
    call: /^POST .*\/workflows$/,
    done: 'Review and publish',
  },
  {
    name: 'an imported workflow',
    path: 'workflows?import=1',
    typed: { Name: 'Imported', File: '{"nodes":[],"edges":[]}' },
    save: 'Create workflow',
    call: /^POST .*\/workflows$/,
    // The canvas, which an import opens.
    done: 'must have a trigger',
  },
  {
    name: 'the name of a workflow',
    path: 'workflows/{workflow}',
    open: fromMenu('More actions', 'Rename…'),
    typed: { Name: 'Renamed through faults', Description: 'Purpose' },
    save: 'Save',
    call: /^PUT .*\/workflows\/[^/]+$/,
    done: 'Renamed through faults',
  },
  {
    name: 'the words of a publish',
    path: 'workflows/{workflow}?tab=publish',
    typed: { Label: 'Second', Note: 'What changed' },
    save: /^Publish version/,
    call: /^POST .*\/publish$/,
    done: /^Version \d+ is live/,
  },
  {
    name: 'the label of a version of a workflow',
    path: 'workflows/{workflow}?tab=versions',
    open: fromMenu('Actions for v1', 'Label and note…'),
    typed: { Label: 'Labelled', Note: 'Noted' },
    save: 'Save label',
    call: /^PUT .*\/versions\/[^/]+$/,
    done: 'Labelled',
  },
  {
    name: 'the payload of a run',
    path: 'workflows/{workflow}?run=1',
    typed: { Payload: '{"order":"F-1"}' },
    save: 'Run',
    call: /^POST .*\/runs$/,
    done: /^Completed/,
  },
  {
    name: 'a new knowledge base',
    path: 'knowledge?create=1',
    typed: { Name: 'Base of faults' },
    save: 'Create',
    call: /^POST .*\/knowledge-bases$/,
    done: 'Choose files',
  },
  {
    name: 'a text for a knowledge base',
    path: 'knowledge/{base}',
    open: (page) => press(page, 'Write a text'),
    typed: { Name: 'faults.md', Text: 'A text that took long to write.' },
    save: 'Add document',
    call: /^POST .*\/documents$/,
    done: /faults\.md/,
  },
  {
    name: 'the settings of a knowledge base',
    path: 'knowledge/{base}?tab=settings',
    typed: { Name: 'Base renamed' },
    save: 'Save',
    call: /^PUT .*\/knowledge-bases\/[^/]+$/,
    done: 'Saved',
  },
  {
    name: 'a new skill',
    path: 'skills?create=1',
    typed: { 'SKILL.md': '---\nname: faults\ndescription: Survives.\n---\n\nStay.\n' },
    save: 'Save skill',
    call: /^POST .*\/skills/,
    done: 'Versions',
  },
  {
    name: 'a new credential',
    path: 'tools?tab=credentials&create=1',
    typed: { Name: 'Key of faults' },
    choose: async (page) => {
      await page.getByRole('textbox', { name: 'Hosts' }).fill('api.example')
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Token' }).fill('sk-typed-into-a-fault')
    },
    save: 'Add credential',
    call: /^POST .*\/credentials$/,
    done: 'api.example',
  },
  {
    name: 'a new MCP server',
    path: 'tools?create=1',
    typed: { Name: 'Server of faults', Address: 'https://mcp.example/mcp' },
    save: 'Connect',
    call: /^POST .*\/mcp-servers$/,
    done: 'Server of faults',
  },
  {
    name: 'a new trunk',
    path: 'phone?create=1',
    typed: { Name: 'Trunk of faults', Address: 'sip.faults.example' },
    save: 'Add trunk',
    call: /^POST .*\/phone-trunks$/,
    done: 'Trunk of faults',
  },
  {
    name: 'the settings of a trunk',
    path: 'phone/trunks/{trunk}',
    typed: { Name: 'Trunk through faults', 'User part of the From header': '4420' },
    save: 'Save',
    call: /^PUT .*\/phone-trunks\/[^/]+$/,
    done: '“Trunk through faults” was saved',
  },
  {
    name: 'a new phone number',
    path: 'phone?tab=numbers&create=1',
    typed: { Number: '+44 20 7946 0123' },
    choose: async (page) => {
      await press(page, /Trunk$/)
      await page.getByRole('option', { name: /Old trunk|Trunk through faults/ }).click()
    },
    save: 'Add number',
    call: /^POST .*\/numbers$/,
    done: '+442079460123 was added',
  },
  {
    name: 'numbers that are not called',
    path: 'phone?tab=do-not-call&create=1',
    typed: { Numbers: '+44 20 7946 0555', Reason: 'Wrote a letter about it' },
    save: 'Add 1 number',
    call: /^POST .*\/do-not-call$/,
    done: 'Wrote a letter about it',
  },
  {
    name: 'the organization',
    path: 'settings/organization',
    typed: { Name: 'Acme through faults' },
    save: 'Save changes',
    call: /^PUT .*\/organizations\/[^/]+$/,
    done: 'The organization was saved',
  },
  {
    name: 'a new project',
    path: 'settings/projects?create=1',
    typed: { Name: 'Project of faults' },
    save: 'Create project',
    call: /^POST .*\/projects$/,
    done: 'Project of faults',
  },
  {
    name: 'the name of a project',
    path: 'settings/projects',
    open: fromMenu('Actions for Old project', 'Rename…'),
    typed: { Name: 'Project renamed' },
    save: 'Save',
    call: /^PUT .*\/projects\/[^/]+$/,
    done: 'Project renamed',
  },
  {
    name: 'an invitation',
    path: 'settings/members?create=1',
    typed: { 'E-mail address': 'faults@acme.test' },
    save: 'Invite',
    call: /^POST .*\/invitations$/,
    done: 'faults@acme.test',
  },
  {
    name: 'a new API key',
    path: 'settings/keys?create=1',
    typed: { Name: 'Key through faults' },
    save: 'Create key',
    call: /^POST .*\/api-keys$/,
    done: 'I have stored it',
  },
  {
    name: 'a budget',
    path: 'settings/budgets?create=1',
    typed: { 'Limit per month': '250' },
    save: 'Save budget',
    call: /^PUT .*\/budgets$/,
    done: /of \$250/,
  },
  {
    name: 'a configuration of models',
    path: 'settings/models/{model}',
    typed: { Name: 'Models through faults' },
    save: 'Save',
    call: /^PUT .*\/llm-configurations\/[^/]+$/,
    done: '“Models through faults” was saved',
  },
  {
    name: 'a bundle to apply',
    path: 'settings/bundle?tab=apply',
    typed: { Bundle: 'apiVersion: troupe/v1' },
    save: 'Plan',
    call: /^POST .*\/bundle\/plan$/,
    done: /No changes: this organization|problem/,
  },
]

/** Creates the subjects of the forms, and returns the ids for their URLs. */
export async function seedFormCases(journey: Journey): Promise<Readonly<Record<string, string>>> {
  const make = <Body>(target: string, body: object) => asOperator<Body>(journey, target, body)
  const { server } = journey
  const { agentId } = await make<{ agentId: string }>('POST /agents', { name: 'Survivor' })
  const { teamId } = await seedTeam(server.context.database, {
    organizationId: server.seed.organizationId,
    projectId: null,
    members: ['Alpha', 'Beta'],
  })
  const draft = {
    nodes: [
      { id: 'start', type: 'manual-trigger', name: 'Start', config: {} },
      { id: 'set', type: 'edit-fields', name: 'Set', config: { rows: [{ name: 'x', value: '1' }] } },
    ],
    edges: [{ id: 'e', source: 'start', target: 'set' }],
  }
  const { workflowId } = await make<BuilderWorkflow>('POST /workflows', { name: 'Published', draft })
  await make(`POST /workflows/${workflowId}/publish`, {})
  const changed = { ...draft, nodes: draft.nodes.map((node) => ({ ...node, name: `${node.name} 2` })) }
  await make(`PUT /workflows/${workflowId}`, { draft: changed })
  const only = await make<BuilderWorkflow>('POST /workflows', { name: 'Only a draft', draft })
  const base = await make<{ knowledgeBaseId: string }>('POST /knowledge-bases', { name: 'Base' })
  const trunk = await make<{ trunkId: string }>('POST /phone-trunks', {
    ...{ slug: 'old', name: 'Old trunk', direction: 'outbound', address: 'sip.old.example' },
  })
  await make('POST /projects', { name: 'Old project', slug: 'old-project' })
  return {
    agent: agentId,
    team: teamId,
    workflow: workflowId,
    draft: only.workflowId,
    base: base.knowledgeBaseId,
    trunk: trunk.trunkId,
    model: server.seed.llm.organization,
  }
}
