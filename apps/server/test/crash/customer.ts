import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One organization with one agent that uses a model server. */
export interface Customer {
  agentId: string
  key: string
  /** Variables of a program with this customer from its boot on. */
  env: Record<string, string>
}

/** Writes the customer's bundle into `folder`; every process that starts with it has the same ids. */
export async function writeCustomer(folder: string, modelUrl: string): Promise<Customer> {
  const customer = { agentId: randomUUID(), key: `crash-${randomUUID()}` }
  const bundle = {
    apiVersion: 'troupe/v1',
    organizations: [
      {
        slug: 'acme',
        name: 'Acme',
        limits: { rpm: 1_000_000, concurrentRuns: 1_000 },
        apiKeys: [{ name: 'crash', secret: customer.key }],
        llmConfigurations: [
          {
            slug: 'main',
            name: 'Main',
            providerId: 'openai-compatible',
            default: true,
            baseUrl: modelUrl,
            models: [{ modelId: 'scripted-1', contextLength: 128_000 }],
          },
        ],
        agents: [
          {
            slug: 'ada',
            name: 'Ada',
            id: customer.agentId,
            status: 'active',
            config: { instructions: 'Be brief.', model: { retry: { attempts_per_model: 1 } } },
          },
        ],
      },
    ],
  }
  const path = join(folder, 'bundle.yaml')
  await writeFile(path, JSON.stringify(bundle))
  return { ...customer, env: { TROUPE_BUNDLE: path, TROUPE_ALLOWED_NETWORKS: 'loopback' } }
}
