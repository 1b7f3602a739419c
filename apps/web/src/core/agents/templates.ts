/** An agent to begin with, from the gallery. It runs with the default LLM configuration. */
export interface AgentTemplate {
  id: string
  name: string
  /** One sentence: purpose and audience. */
  detail: string
  /** Words that a search finds it by, beside those of its name and sentence. */
  keywords: readonly string[]
  /** The fields of the new agent's configuration, which is validated like any other. */
  config: Readonly<Record<string, unknown>> & { readonly instructions: string }
  /** Requirements before it is useful; null: none. */
  needs: string | null
}

/** Every template of an agent, the most frequent purpose first. */
export const AGENT_TEMPLATES: readonly AgentTemplate[] = [
  {
    id: 'support',
    name: 'Support',
    detail: 'Answers questions of customers in their language, and asks back instead of guessing.',
    keywords: ['customer', 'service', 'help', 'chat'],
    config: {
      instructions:
        'You answer questions of customers, in their language.\n\n- Ask back when a question can mean two things.\n- Say when you do not know something. Never guess prices or dates.\n- End with one next step.',
    },
    needs: null,
  },
  {
    id: 'sources',
    name: 'Answers from documents',
    detail: 'Searches your knowledge bases, answers from their passages only, and cites them as [1], [2].',
    keywords: ['rag', 'knowledge', 'citations', 'search', 'retrieval', 'handbook'],
    config: {
      instructions:
        'You answer from the documents that you find with search_knowledge, and from nothing else.\n\n- Search before every answer, with other words if the first search finds nothing.\n- Put the number of its passage behind each statement, as in [1].\n- Say plainly when the documents do not answer the question.',
      knowledge: { mode: 'tool', top_k: 6, cite: true },
    },
    needs: 'Add a knowledge base under Knowledge of the agent.',
  },
  {
    id: 'extract',
    name: 'Data from texts',
    detail: 'Reads e-mails, invoices or notes and answers with the fields of a schema as JSON.',
    keywords: ['extract', 'json', 'structured', 'fields', 'invoice', 'email'],
    config: {
      instructions:
        'You read the text and give its facts in the fields of the schema.\n\n- Take over what the text says, without correcting it.\n- Use null for what the text does not say. Never invent a value.\n- Dates are written as YYYY-MM-DD.',
      execution: {
        output: {
          mode: 'json_schema',
          schema: {
            type: 'object',
            properties: {
              subject: { type: 'string' },
              sender: { type: ['string', 'null'] },
              date: { type: ['string', 'null'] },
              amount: { type: ['number', 'null'] },
            },
            required: ['subject', 'sender', 'date', 'amount'],
            additionalProperties: false,
          },
        },
      },
    },
    needs: 'Put your own fields into the schema under Answer of the agent.',
  },
  {
    id: 'companion',
    name: 'Assistant with memory',
    detail: 'Remembers facts about each user between conversations, and sums up long ones.',
    keywords: ['memory', 'personal', 'assistant', 'conversation'],
    config: {
      instructions:
        'You help the same people again and again.\n\n- Use what you remember of a person without repeating it to them.\n- Ask when something that you remember may have changed.\n- Keep answers short unless a longer one is asked for.',
      memory: { summary: { enabled: true }, user_memories: { enabled: true } },
    },
    needs: 'Callers name the person in user_id.',
  },
  {
    id: 'writer',
    name: 'Writer',
    detail: 'Turns notes into a text for a named reader, and lists what it had to assume.',
    keywords: ['text', 'draft', 'copy', 'email', 'rewrite'],
    config: {
      instructions:
        'You turn notes into a finished text.\n\n- Ask for reader and purpose if the notes do not say them.\n- Use short sentences and the words of the notes. Add no facts.\n- End with a list of what you assumed, if anything.',
    },
    needs: null,
  },
  {
    id: 'critic',
    name: 'Reviewer',
    detail: 'Checks a text against rules, and answers with findings that name the place and the change.',
    keywords: ['check', 'quality', 'proofread', 'feedback', 'rules'],
    config: {
      instructions:
        'You check a text against the rules that come with it.\n\n- List findings by weight. Each has the words it is about, the rule, and the better words.\n- Say nothing about what is fine.\n- If nothing is wrong, answer with "No findings".',
    },
    needs: null,
  },
]
