import { signedCurl } from '@troupe/operations/webhooks/signing-snippets'
import { webhookUrl } from '@troupe/operations/webhooks/webhook-url'
import type { SeededPlayground } from './seed-playground.ts'

/**
 * The text printed by the first start: the URLs, the API key of the Playground and commands that run unchanged in any POSIX shell.
 *
 * @param publicUrl without a trailing slash
 */
export function playgroundWelcome(
  publicUrl: string,
  { apiKey, owner, agents, teams, workflows, webhook, formToken }: SeededPlayground,
): string {
  const idOf = (slug: string) => agents.find((agent) => agent.slug === slug)?.id
  const api = `${publicUrl}/api/v1`
  const key = `-H 'X-API-Key: ${apiKey}'`
  const post = (path: string, body: object) =>
    `${key} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}' '${api}/${path}'`
  const [team] = teams
  const triage = workflows.find(({ slug }) => slug === 'triage')
  const widest = Math.max(...teams.map(({ mode }) => mode.length))
  const listed = teams.map(({ id, name, mode }) => `  ${mode.padEnd(widest)}  ${id}  ${name}`)
  const story = { message: 'Tell me about a lighthouse that learned to sing.' }
  const question = { message: 'I was charged twice for my invoice.' }
  const refund = workflows.find(({ slug }) => slug === 'refund')
  const asked = { input: { order: 'A-1001', amount: 120 } }
  const research = {
    message: [
      'How long does a refund of order A-1001 take, and what do three of its helmets cost?',
      ...[
        directive('search_knowledge', { query: 'How long does a refund take?' }),
        directive('look_up_order', { order: 'A-1001' }),
        directive('sort_message', { text: 'Where is my refund?' }),
        directive('calculator', { expression: '3 * 129' }),
      ],
      '[[reply: It takes the days that the handbook says [1], and three helmets cost 387.]]',
    ].join(' '),
    include_messages: true,
  }
  const payment = { message: `Pay it back. ${directive('refund', { order: 'A-1001', amount: 129 })}` }
  const parcel = { input: { text: 'My shipping is late, and this is urgent.' } }
  return `
Welcome to Troupe. The Playground is ready: ${agents.length} agents, ${teams.length} teams and ${workflows.length} workflows on the sandbox provider,
which needs no account.

  API        ${api}
  Reference  ${publicUrl}/docs
  API key    ${apiKey}
             (shown only now)
${owner === null ? '' : ownerText(publicUrl, owner)}${formToken === null ? '' : `  Form       ${publicUrl}/forms/${formToken}\n`}
Stream the answer of an agent, let a team choose the right member, and run a workflow:

  curl -sN ${post(`agents/${idOf('storyteller')}/run-stream`, story)}
  curl -s ${post(`teams/${team?.id}/run-sync`, question)}
  curl -s ${post(`workflows/${triage?.id}/run`, parcel)}

Let an agent look things up: it searches a knowledge base, calls an HTTP server, a workflow and the calculator, and cites
a passage. The sandbox does what the [[directives]] say; a real model would choose for itself:

  curl -s ${post(`agents/${idOf('researcher')}/run`, research)}

The same agent pays nothing back before you agree. Start this job, and approve the call at ${publicUrl}/reviews
(the second line shows what waits):

  curl -s ${post(`agents/${idOf('researcher')}/run-async`, payment)}
  curl -s ${key} '${api}/approvals?status=pending'

${webhook === null ? '' : webhookText(publicUrl, webhook)}Start a workflow that waits for your decision, and decide at ${publicUrl}/reviews (the link in the e-mail,
which is in mail/ of the data folder, works without signing in):

  curl -s ${post(`workflows/${refund?.id}/run-async`, asked)}

With run-async instead of run or run-sync, the response is the id of a job that runs in the background. The teams:

${listed.join('\n')}

Put [[fail: 503 x1]] into a message for agent ${idOf('always-on')} to see a backup model take over.
`
}

/** A directive that makes the sandbox model call a tool. */
const directive = (tool: string, args: object) => `[[tool: ${tool} ${JSON.stringify(args)}]]`

/** The sign-in credentials. */
function ownerText(publicUrl: string, { email, password }: NonNullable<SeededPlayground['owner']>): string {
  return `  Sign in    ${publicUrl}/sign-in
             as ${email}
             with ${password} (shown only now)
`
}

/** A signed call of the webhook, as a one-line command. */
function webhookText(
  publicUrl: string,
  { workflowId, token, signingSecret }: NonNullable<SeededPlayground['webhook']>,
): string {
  const url = webhookUrl(publicUrl, workflowId, token)
  const command = signedCurl(url, signingSecret, '{"orderId":"A-1001","total":120}')
  return `Call the webhook of a workflow, signed with its secret:

  ${command.replace(/ \\\n */g, ' ').replaceAll('\n', '; ')}

`
}
