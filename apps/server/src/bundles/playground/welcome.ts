import type { SeededPlayground } from './seed-playground.ts'

/**
 * What the first start prints: where everything is, the API key of the Playground and three lines that work as they
 * are, in any POSIX shell.
 *
 * @param publicUrl without a slash at the end
 */
export function playgroundWelcome(publicUrl: string, { apiKey, agents, teams }: SeededPlayground): string {
  const idOf = (slug: string) => agents.find((agent) => agent.slug === slug)?.id
  const api = `${publicUrl}/api/v1`
  const key = `-H 'X-API-Key: ${apiKey}'`
  const post = (path: string, message: string) =>
    `${key} -H 'Content-Type: application/json' -d '${JSON.stringify({ message })}' '${api}/${path}'`
  const [first] = teams
  const widest = Math.max(...teams.map(({ mode }) => mode.length))
  const listed = teams.map(({ id, name, mode }) => `  ${mode.padEnd(widest)}  ${id}  ${name}`)
  return `
Welcome to Troupe. The Playground is ready: ${agents.length} example agents and ${teams.length} teams on the sandbox provider, which needs
no account.

  API        ${api}
  Reference  ${publicUrl}/docs
  API key    ${apiKey}
             (shown only now)

Run an agent, watch one write, and let a team find the right colleague:

  curl -s ${post(`agents/${idOf('assistant')}/run`, 'Hello, who are you?')}
  curl -sN ${post(`agents/${idOf('storyteller')}/run-stream`, 'Tell me about a lighthouse that learned to sing.')}
  curl -s ${post(`teams/${first?.id}/run-sync`, 'I was charged twice for my invoice.')}

The teams, one of each mode:

${listed.join('\n')}

Put [[fail: 503 x1]] into a message for agent ${idOf('always-on')} to see a backup model take over.
`
}
