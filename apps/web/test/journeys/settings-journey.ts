import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import type { SeededPerson } from '@troupe/test-kit/seed-person'
import type { Page } from 'playwright-core'
import { type Journey, startJourney } from './journey.ts'
import { asOperator } from './operator.ts'

/** Generous: a page may be slow on a loaded machine. */
export const PATIENCE_MS = 90_000
/** The only key that the model server of these journeys accepts. */
export const RIGHT_KEY = 'sk-the-right-key-of-the-provider-wxyz'

/** A journey through settings: a model server with a key, an owner, and a box of e-mails. */
export interface SettingsJourney extends AsyncDisposable {
  journey: Journey
  models: ModelServer
  owner: SeededPerson
  /** Texts of the e-mails that were sent, oldest first. */
  mails: string[]
}

/** @param port of the server and its public URL; absent: any free port, not in that URL */
export async function startSettings(port?: number): Promise<SettingsJourney> {
  await using resources = new AsyncDisposableStack()
  const models = await startModelServer({ models: ['small-1', 'large-1', 'embed-1'] })
  resources.defer(() => models.close())
  models.respond(({ headers }) =>
    headers.authorization === `Bearer ${RIGHT_KEY}` ? undefined : { status: 401 },
  )
  const mails: string[] = []
  const mailer = {
    sends: true,
    send: async ({ text }: { text: string }) => {
      mails.push(text)
    },
  }
  const journey = resources.use(
    await startJourney({
      ...(port === undefined ? {} : { port }),
      env: {
        TROUPE_ALLOWED_NETWORKS: 'loopback',
        ...(port === undefined ? {} : { TROUPE_PUBLIC_URL: `http://127.0.0.1:${port}` }),
      },
      overrides: { mailer },
    }),
  )
  const owner = await journey.person('owner', 'Olga Owner')
  const owned = resources.move()
  return { journey, models, owner, mails, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Presses the first button of a name. */
export function press(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole('button', { name }).first().click()
}

/** Creates the configuration `mine` and a published workflow whose agent uses it. */
export async function makeWorkflow({ journey, models }: SettingsJourney): Promise<{ workflowId: string }> {
  const text = `apiVersion: troupe/v1
organizations:
  - slug: ${journey.slug}
    name: ${journey.slug}
    llmConfigurations:
      - slug: mine
        name: My models
        providerId: openai-compatible
        baseUrl: ${models.url}
        credentials: { apiKey: ${RIGHT_KEY} }
        models: [{ modelId: small-1 }]
    agents:
      - slug: answerer
        name: Answerer
        status: active
        config: { instructions: Answer., model: { primary: { llm_config: mine, model_id: small-1 } } }
    workflows:
      - slug: answer-questions
        name: Answer questions
        publish: true
        graph:
          nodes:
            - { id: start, type: manual-trigger, name: Start }
            - { id: ask, type: ai-agent, name: Ask, config: { agent: answerer, message: "{{ trigger.question }}" } }
          edges: [{ id: e1, source: start, target: ask }]
`
  await asOperator(journey, 'POST /bundle/apply', { text })
  const { data } = await asOperator<{ data: { workflowId: string }[] }>(journey, 'GET /workflows?q=Answer')
  return { workflowId: data[0]?.workflowId ?? '' }
}

/** The id of the configuration `mine`. */
export async function configurationId(journey: Journey): Promise<string> {
  const { data } = await asOperator<{ data: { llmConfigId: string }[] }>(
    journey,
    'GET /llm-configurations?q=mine',
  )
  return data[0]?.llmConfigId ?? ''
}

/** Everything that the pages have stored in this browser. */
export function keptInBrowser(page: Page): Promise<string> {
  return page.evaluate<string>(`new Promise((resolve, reject) => {
    const request = indexedDB.open('troupe')
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const all = request.result.transaction('values').objectStore('values').getAll()
      all.onsuccess = () => { request.result.close(); resolve(JSON.stringify([all.result, { ...localStorage }])) }
    }
  })`)
}
