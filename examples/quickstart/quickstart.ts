import { type TroupeClient, unwrap } from '@troupe/client'

/**
 * The whole tour: finds a model, creates an agent, talks to it twice in one session, and reads the second answer while
 * it is written. Throws `TroupeError` when a call fails.
 */
export async function quickstart(client: TroupeClient, write: (text: string) => void): Promise<void> {
  const { data: providers } = await unwrap(client.agents.llmProviders())
  for (const { name, providerId, availableModels } of providers) {
    write(`model  ${name} (${providerId}): ${availableModels.map(({ modelId }) => modelId).join(', ')}\n`)
  }
  const [provider] = providers
  const [model] = provider?.availableModels ?? []
  if (!provider || !model)
    throw new Error('No LLM configuration is connected. Apply a bundle with one first.')

  const agent = await unwrap(
    client.agents.create({
      name: 'Quickstart',
      description: 'Made by examples/quickstart.',
      config: {
        instructions: 'You explain things in one sentence.',
        model: { primary: { llm_config_id: provider.id, model_id: model.modelId } },
      },
    }),
  )
  write(`agent  ${agent.name} ${agent.agentId} (${agent.status})\n`)

  const first = await unwrap(client.agents.run(agent.agentId, { message: 'What is a troupe?' }))
  write(`you    What is a troupe?\nagent  ${first.content}\n`)

  const message = 'And who leads it?'
  const stream = await unwrap(
    client.agents.stream(agent.agentId, { message, session_id: first.sessionId, user_id: first.userId }),
  )
  write(`you    ${message}\nagent  `)
  for await (const { delta } of stream.text) write(delta)
  const { metrics } = await unwrap(stream.result())
  write(`\n       ${metrics.inputTokens} tokens in, ${metrics.outputTokens} out, ${metrics.latencyMs} ms\n`)
}
