import { HOOK_WORKFLOW } from './measured-webhook.ts'
import { type MeasuredWorkflow, WORKFLOWS } from './measured-workflows.ts'

/** The API key of every measured server. */
export const API_KEY = 'bench-key-f3b09ad87c1e4625'
export const AGENT_ID = '0b8f6f0e-6a55-4a8e-9c5e-0d5a5f3f7f01'

/** A team of the benchmark: its configuration, and the minimum number of model calls of its mode. */
export interface MeasuredTeam {
  id: string
  name: string
  mode: 'handoff' | 'dynamic-delegation' | 'parallel' | 'plan-execute'
  members: number
  toggles?: { auto_member_input: boolean }
  /** Concurrent calls per stage: the theoretical minimum time is one latency per stage. */
  stages: readonly number[]
}

const id = (last: string) => `0b8f6f0e-6a55-4a8e-9c5e-0d5a5f3f7e0${last}`

/** One team per mode; `parallel` with and without a lead that first words the request. */
export const TEAMS: readonly MeasuredTeam[] = [
  { id: id('1'), name: 'handoff', mode: 'handoff', members: 4, stages: [1, 1] },
  {
    id: id('2'),
    name: 'parallel, verbatim',
    mode: 'parallel',
    members: 8,
    toggles: { auto_member_input: false },
    stages: [8, 1],
  },
  { id: id('3'), name: 'parallel', mode: 'parallel', members: 8, stages: [1, 8, 1] },
  {
    id: id('4'),
    name: 'dynamic, two rounds',
    mode: 'dynamic-delegation',
    members: 4,
    stages: [1, 1, 1, 1, 1],
  },
  {
    id: id('5'),
    name: 'plan, diamond',
    mode: 'plan-execute',
    members: 4,
    stages: [1, 1, 1, 2, 1, 1, 1, 1],
  },
]

const slugOf = (index: number) => `member-${index + 1}`
const MEMBERS = Math.max(...TEAMS.map(({ members }) => members))

const workflow = ({ id, name, graph }: MeasuredWorkflow, index: number) => ({
  slug: `workflow-${index + 1}`,
  id,
  name,
  publish: true,
  graph,
})

/** One organization without limits: workflows, an agent and the teams, all using the bench's model server. */
export function bundle(modelUrl: string): string {
  const model = { primary: { llm_config: 'main', model_id: 'bench-model' } }
  const member = (_: unknown, index: number) => ({
    slug: slugOf(index),
    name: `Member ${index + 1}`,
    status: 'active',
  })
  const team = ({ id, mode, members, name, toggles }: MeasuredTeam, index: number) => ({
    slug: `team-${index + 1}`,
    id,
    name,
    mode,
    ...(toggles && { toggles }),
    lead: { managed: { instructions: 'You lead the benchmark.', model } },
    members: Array.from({ length: members }, (_, index) => ({ agent: slugOf(index) })),
  })
  return benchBundle(modelUrl, {
    agents: [
      { slug: 'agent', id: AGENT_ID, name: 'Bench agent', status: 'active' },
      ...Array.from({ length: MEMBERS }, member),
    ],
    teams: TEAMS.map(team),
    workflows: [...WORKFLOWS.map(workflow), HOOK_WORKFLOW],
  })
}

/** One organization without limits on the bench's model server, with the given content besides its key. */
export function benchBundle(modelUrl: string, content: object): string {
  return JSON.stringify({
    apiVersion: 'troupe/v1',
    organizations: [
      {
        slug: 'bench',
        name: 'Bench',
        limits: { rpm: 1_000_000_000, concurrentRuns: 1_000_000 },
        apiKeys: [{ name: 'bench', secret: API_KEY }],
        llmConfigurations: [
          {
            slug: 'main',
            name: 'Main',
            default: true,
            providerId: 'openai-compatible',
            baseUrl: modelUrl,
            credentials: { apiKey: 'bench' },
            models: [{ modelId: 'bench-model', contextLength: 128_000, maxOutputTokens: 4_096 }],
          },
        ],
        ...content,
      },
    ],
  })
}
