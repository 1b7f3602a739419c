/** Words that a path of a configuration has and people do not. */
const NAMES: Readonly<Record<string, string>> = { id: 'ID', llm: 'LLM', url: 'URL', mcp: 'MCP', http: 'HTTP', usd: 'USD', ms: 'ms' }

/** The path of a setting in words: "Model › Primary › Max output tokens" of `config.model.primary.max_output_tokens`. */
export function settingName(path: string): string {
  const keys = path.replace(/^config\./, '').split('.')
  return keys.map(keyName).join(' › ')
}

function keyName(key: string): string {
  // People count from one.
  if (/^\d+$/.test(key)) return String(Number(key) + 1)
  const [first = '', ...rest] = key.split('_').map((word) => NAMES[word] ?? word)
  return [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...rest].join(' ')
}
