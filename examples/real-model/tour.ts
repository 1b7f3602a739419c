import { type TroupeClient, unwrap } from '@troupe/client'

interface Session {
  session_id: string
  user_id: string
}

const HANDBOOK = `# Refunds

Refunds take 14 days. Send the goods back in their box.

# Opening hours

The shop is open from 9 to 17, Monday to Friday.
`

/** A small model on a busy processor needs time. */
const PATIENT = {
  primary: { model_id: 'smollm2-135m', max_output_tokens: 64 },
  retry: {
    attempts_per_model: 1,
    first_token_timeout_ms: 600_000,
    idle_timeout_ms: 600_000,
    call_timeout_ms: 900_000,
  },
}

async function uploaded(client: TroupeClient): Promise<string> {
  const { knowledgeBaseId } = await unwrap(client.knowledgeBases.create({ name: 'Handbook' }))
  const document = { name: 'handbook.md', text: HANDBOOK }
  const { documentId } = await unwrap(client.knowledgeBases.addDocument(knowledgeBaseId, document))
  for (;;) {
    const { status, error } = await unwrap(client.knowledgeBases.document(knowledgeBaseId, documentId))
    if (status === 'ready') return knowledgeBaseId
    if (status === 'failed') throw new Error(error ?? 'the document failed')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Streams one question after the other in one session, and prints what the model writes. */
async function talk(
  client: TroupeClient,
  agentId: string,
  messages: readonly string[],
  write: (text: string) => void,
): Promise<void> {
  let session: Session | undefined
  for (const message of messages) {
    const body: { message: string } & Partial<Session> = { message, ...session }
    write(`\nyou    ${message}\nagent  `)
    const stream = await unwrap(client.agents.stream(agentId, body))
    for await (const { delta } of stream.text) write(delta)
    const { metrics, citations = [], sessionId, userId } = await unwrap(stream.result())
    session = { session_id: sessionId, user_id: userId }
    for (const { n, documentName, quote } of citations)
      write(`\n       [${n}] ${documentName}: ${quote.slice(0, 60)}`)
    write(`\n       ${metrics.inputTokens} tokens in, ${metrics.outputTokens} out, ${metrics.latencyMs} ms\n`)
  }
}

/** History, knowledge and streams with a real model. Throws `TroupeError` when a call fails. */
export async function tour(client: TroupeClient, write: (text: string) => void): Promise<void> {
  const instructions = 'You are a helpful assistant of a shop. Answer in one short sentence.'
  const memory = await unwrap(
    client.agents.create({ name: 'Small', config: { instructions, model: PATIENT } }),
  )
  write('\n# History\n')
  await talk(
    client,
    memory.agentId,
    ['My name is Ada.', 'What is my name?', 'What is the capital of France?'],
    write,
  )

  const knowledge = { base_ids: [await uploaded(client)], mode: 'auto', top_k: 1 }
  const reader = await unwrap(
    client.agents.create({ name: 'Reader', config: { instructions, model: PATIENT, knowledge } }),
  )
  write('\n# Knowledge\n')
  await talk(client, reader.agentId, ['How many days do refunds take?', 'Is the shop open on Sunday?'], write)
}
