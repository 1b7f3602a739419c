import { randomUUID } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { propertyOf } from '@troupe/contract'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { expect } from 'vitest'
import type { Program } from '../crash/program.ts'
import { sandboxBundle } from '../crash/sandbox-bundle.ts'
import type { AttackTarget } from './attacks.ts'

/** Two organizations: one with a called agent, and one with everything that an attacker can reach. */
export interface HostileCustomer {
  /** The organization that is not attacked. */
  other: { agentId: string; key: string }
  /** Variables of a program with this customer from its boot on. */
  env: Record<string, string>
  /** Opens the hostile review; returns the data of the attackers. */
  target(program: Program, servers: Pick<AttackTarget, 'mcpUrl' | 'documentUrl'>): Promise<AttackTarget>
}

const PATTERN = {
  conditions: [{ left: '{{ trigger.text }}', op: 'matches', right: '{{ trigger.pattern }}' }],
}
const prompt = (id: string, text: string) => node(id, 'ai-prompt', { prompt: text })

/** Writes the customer's bundle into `folder`. */
export async function writeHostileCustomer(folder: string): Promise<HostileCustomer> {
  const secret = () => `load-${randomUUID()}`
  const [key, adminToken, formToken] = [secret(), secret(), secret()]
  const other = { agentId: randomUUID(), key: secret() }
  const [agentId, patternWorkflowId, reviewWorkflowId] = [randomUUID(), randomUUID(), randomUUID()]
  const workflow = (slug: string, id: string, nodes: object[], more = {}) => {
    const [from, to] = nodes.map((one) => String(propertyOf(one, 'id')))
    return {
      slug,
      id,
      name: slug,
      publish: true,
      graph: { nodes, edges: [edge(from ?? '', to ?? '')] },
      ...more,
    }
  }
  const start = node('start', 'manual-trigger')
  const bundle = sandboxBundle({
    key,
    agentId,
    agentConfig: { instructions: 'Be brief.' },
    workflows: [
      workflow(
        'form',
        randomUUID(),
        [
          node('form', 'form-trigger', {
            title: 'Contact',
            botGuard: false,
            fields: [{ name: 'text', label: 'Text', type: 'textarea' }],
          }),
          prompt('answer', '{{ trigger.body.text }}'),
        ],
        { form: { token: formToken } },
      ),
      workflow('pattern', patternWorkflowId, [start, node('match', 'if-else', PATTERN)]),
      workflow('review', reviewWorkflowId, [
        start,
        node('review', 'human-review', {
          title: 'Look',
          instructions: '{{ trigger.text }}',
          notify: { emails: ['ana@acme.test'] },
        }),
      ]),
    ],
  })
  const [organization] = sandboxBundle({ ...other, agentConfig: { instructions: 'Be brief.' } }).organizations
  const organizations = [...bundle.organizations, { ...organization, slug: 'other', name: 'Other' }]
  const path = join(folder, 'bundle.yaml')
  await writeFile(path, JSON.stringify({ ...bundle, organizations }))
  return {
    other,
    env: { TROUPE_BUNDLE: path, TROUPE_ADMIN_TOKEN: adminToken },
    async target({ origin, pid }, servers) {
      const started = await fetch(`${origin}/api/v1/workflows/${reviewWorkflowId}/run-async`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ input: { text: 'http://a.b/('.repeat(16_000) } }),
      })
      expect(started.status).toBe(202)
      const reviewUrl = await mailedLink(join(folder, 'mail'))
      return {
        origin,
        pid,
        key,
        adminToken,
        formToken,
        reviewUrl: origin + reviewUrl,
        patternWorkflowId,
        ...servers,
      }
    },
  }
}

/** Path and query of the link in the first mail. */
async function mailedLink(folder: string): Promise<string> {
  let link = ''
  await expect
    .poll(
      async () => {
        const [mail] = await readdir(folder).catch(() => [])
        link = mail ? (/\/reviews\/[^\s"]+/.exec(await readFile(join(folder, mail), 'utf8'))?.[0] ?? '') : ''
        return link
      },
      { timeout: 30_000 },
    )
    .not.toBe('')
  return link
}
