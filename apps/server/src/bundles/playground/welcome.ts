import type { SeededPlayground } from './seed-playground.ts'

/**
 * What the first start prints: where everything is, the API key of the Playground and three lines that work as they
 * are, in any POSIX shell.
 *
 * @param publicUrl without a slash at the end
 */
export function playgroundWelcome(publicUrl: string, { apiKey, agents }: SeededPlayground): string {
  const idOf = (slug: string) => agents.find((agent) => agent.slug === slug)?.id
  const assistant = idOf('assistant')
  const storyteller = idOf('storyteller')
  const failover = idOf('always-on')
  const api = `${publicUrl}/api/v1`
  const key = `-H 'X-API-Key: ${apiKey}'`
  const post = (id: string | undefined, action: string, message: string) =>
    `${key} -H 'Content-Type: application/json' -d '${JSON.stringify({ message })}' '${api}/agents/${id}/${action}'`
  return `
Welcome to Troupe. The Playground is ready: ${agents.length} example agents on the sandbox provider, which needs no account.

  API        ${api}
  Reference  ${publicUrl}/docs
  API key    ${apiKey}
             (shown only now)

List the agents, run one, and watch one write:

  curl -s ${key} '${api}/agents'
  curl -s ${post(assistant, 'run', 'Hello, who are you?')}
  curl -sN ${post(storyteller, 'run-stream', 'Tell me about a lighthouse that learned to sing.')}

Put [[fail: 503 x1]] into a message for agent ${failover} to see a backup model take over.
`
}
