/** Texts of the page of the public API. */
export const apiWords = {
  detail: 'Run agents, teams and workflows from your programs. The reference has all operations.',
  reference: 'API reference',
  address: 'Address',
  organization: 'Organization id',
  keyTitle: 'API key',
  keyDetail:
    'A key is sent with every request and belongs in the environment of your program, never in a page or an app.',
  keyAction: 'Create a key',
  keyExport: 'In your shell',
  call: 'Example call',
  callDetail: 'It has real ids, so it runs as it is.',
  what: 'What',
  kinds: { agent: 'Agent', team: 'Team', workflow: 'Workflow' },
  pick: { agent: 'Agent', team: 'Team', workflow: 'Workflow' },
  pickNone: {
    agent: 'There is no agent yet. The commands have a placeholder.',
    team: 'There is no team yet. The commands have a placeholder.',
    workflow: 'There is no workflow yet. The commands have a placeholder.',
  },
  how: 'Response',
  hows: {
    answer: { label: 'Wait for the answer', detail: 'At most 30 seconds for an agent.' },
    stream: { label: 'Stream', detail: 'Server-sent events; resumed after a lost connection.' },
    job: { label: 'Job', detail: 'Returns at once and survives restarts. Fetch the result later.' },
  },
  language: 'Language',
  languages: { curl: 'curl', typescript: 'TypeScript', python: 'Python' },
  code: (language: string) => `Example in ${language}`,
  refused: 'Callers are refused now: it is archived, or not published.',
  compatible: 'OpenAI clients',
  compatibleDetail:
    'Any OpenAI Chat API client works, too: give it this base URL and an API key, and the id of an agent or team as the model.',
  compatibleUrl: 'Base URL',
  mcp: 'MCP',
  mcpDetail: 'Agents, teams and workflows as tools of an MCP client.',
  mcpUrl: 'MCP address',
} as const
