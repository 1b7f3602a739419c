import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Subject, subjectOf } from './job-setting.ts'
import { instructionsOf, SUBJECTS, type SubjectName } from './scripted-crew.ts'

/** One organization with an agent and a team of each mode, for separate processes. */
export interface CrewCustomer {
  key: string
  subjects: Readonly<Record<SubjectName, Subject>>
  /** Variables of every process with this customer. */
  env: Record<string, string>
}

/** Further items of the customer's bundle; workflows find the agent as `ada`. */
export interface CrewItems {
  workflows?: readonly object[]
  agents?: readonly object[]
}

/** Writes the customer's bundle into `folder`. */
export async function writeCrewCustomer(
  folder: string,
  modelUrl: string,
  { workflows = [], agents = [] }: CrewItems = {},
): Promise<CrewCustomer> {
  const key = `jobs-${randomUUID()}`
  const ids = Object.fromEntries(SUBJECTS.map((name) => [name, randomUUID()])) as Record<SubjectName, string>
  const retry = { attempts_per_model: 1 }
  const agent = (name: string, id: string = randomUUID()) => ({
    slug: name.toLowerCase(),
    name,
    id,
    status: 'active',
    config: { instructions: instructionsOf(name), model: { retry } },
  })
  const teams = SUBJECTS.filter((name) => name !== 'agent').map((mode) => ({
    slug: mode,
    name: `Team ${mode}`,
    id: ids[mode],
    mode,
    lead: { managed: { instructions: instructionsOf(`lead of ${mode}`), model: { retry } } },
    members: [{ agent: 'billing' }, { agent: 'support' }],
  }))
  const models = [{ modelId: 'scripted-1', contextLength: 128_000 }]
  const llm = {
    slug: 'main',
    name: 'Main',
    providerId: 'openai-compatible',
    default: true,
    baseUrl: modelUrl,
    models,
  }
  const organization = {
    slug: 'acme',
    name: 'Acme',
    limits: { rpm: 1_000_000, concurrentRuns: 1_000 },
    apiKeys: [{ name: 'jobs', secret: key }],
    llmConfigurations: [llm],
    agents: [agent('Ada', ids.agent), agent('Billing'), agent('Support'), ...agents],
    teams,
    workflows,
  }
  const path = join(folder, 'bundle.yaml')
  await writeFile(path, JSON.stringify({ apiVersion: 'troupe/v1', organizations: [organization] }))
  const subjects = Object.fromEntries(SUBJECTS.map((name) => [name, subjectOf(name, ids[name])]))
  return {
    key,
    subjects: subjects as Record<SubjectName, Subject>,
    env: { TROUPE_BUNDLE: path, TROUPE_ALLOWED_NETWORKS: 'loopback' },
  }
}
