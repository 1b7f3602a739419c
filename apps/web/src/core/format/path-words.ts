/** Keys whose words differ from their spelling. */
const KEYS: Readonly<Record<string, string>> = {
  llm_config_id: 'LLM configuration',
  llmConfigId: 'LLM configuration',
  llm_config: 'LLM configuration',
  modelId: 'model',
  model_id: 'model',
  providerId: 'provider',
  projectId: 'project',
  parentId: 'Loop around it',
  sourceHandle: 'output',
  e164: 'phone number',
  allowUnlistedModels: 'models that are not listed',
}
/** Words with a special spelling. */
const WORDS: Readonly<Record<string, string>> = {
  url: 'URL',
  urls: 'URLs',
  id: 'id',
  ids: 'ids',
  api: 'API',
  llm: 'LLM',
  mcp: 'MCP',
  http: 'HTTP',
  json: 'JSON',
  sql: 'SQL',
  rpm: 'requests per minute',
  usd: 'USD',
  stt: 'speech to text',
  tts: 'text to speech',
  e: 'e',
}

/**
 * A path of a field in words: `baseUrl` is “Base URL”, `models.1.contextLength` “Models, 2: context length”.
 * User-defined names are kept.
 *
 * @param path dotted, as the API names fields; '' for ''
 */
export function pathWords(path: string): string {
  let words = ''
  for (const key of path.split('.')) {
    if (/^\d{1,6}$/.test(key) && words !== '') words += `, ${Number(key) + 1}`
    else words += words === '' ? keyWords(key) : `: ${keyWords(key)}`
  }
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function keyWords(key: string): string {
  const known = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
  if (known !== undefined) return known
  // A user-defined header or name is not a field of ours.
  if (!/^[a-z][A-Za-z0-9]*$|^[a-z][a-z0-9_]*$/.test(key)) return key
  return key
    .replaceAll('_', ' ')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .split(' ')
    .map((word) => (Object.hasOwn(WORDS, word) ? WORDS[word] : word))
    .join(' ')
}
