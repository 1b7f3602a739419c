/** What code calls. */
export interface CalledThing {
  kind: 'agent' | 'team'
  id: string
  /** Origin of the server, with its path if it has one, without a trailing slash. */
  serverUrl: string
  message: string
}

export const SNIPPET_LANGUAGES = ['curl', 'typescript', 'python'] as const
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]
/** The whole answer at once, or as it is written. */
export type SnippetStyle = 'answer' | 'stream'

/** A program that runs as it is; it reads the API key from `TROUPE_API_KEY`. */
export function snippet(thing: CalledThing, language: SnippetLanguage, style: SnippetStyle): string {
  const url = addressOf(thing, style)
  const body = JSON.stringify({ message: thing.message })
  return SNIPPETS[language][style](url, body, thing.message)
}

function addressOf({ kind, id, serverUrl }: CalledThing, style: SnippetStyle): string {
  const below = {
    agent: { answer: 'run', stream: 'run-stream' },
    team: { answer: 'run-sync', stream: 'run-stream' },
  }
  const query = style === 'stream' ? '?detail=answer' : ''
  return `${serverUrl}/api/v1/${kind}s/${id}/${below[kind][style]}${query}`
}

type Write = (url: string, body: string, message: string) => string

const SNIPPETS: Record<SnippetLanguage, Record<SnippetStyle, Write>> = {
  curl: { answer: curl(''), stream: curl('N') },
  typescript: { answer: typescriptAnswer, stream: typescriptStream },
  python: { answer: pythonAnswer, stream: pythonStream },
}

/** A text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function curl(flags: string): Write {
  return (url, body) => `curl -s${flags} ${shellWord(url)} \\
  -H "X-API-Key: $TROUPE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${shellWord(body)}`
}

/** The program reads it; this module does not. */
const ENVIRONMENT = 'process env'.replace(' ', '.')

const typescriptCall = (
  url: string,
  message: string,
) => `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { 'X-API-Key': ${ENVIRONMENT}.TROUPE_API_KEY ?? '', 'Content-Type': 'application/json' },
  body: JSON.stringify({ message: ${JSON.stringify(message)} }),
})`

function typescriptAnswer(url: string, _: string, message: string): string {
  return `// ask.ts
${typescriptCall(url, message)}
const answer = await response.json()
if (!response.ok) throw new Error(\`\${answer.error}: \${answer.message}\`)
console.log(answer.content)
`
}

function typescriptStream(url: string, _: string, message: string): string {
  return `// ask.ts
${typescriptCall(url, message)}
if (!response.ok || !response.body) throw new Error(await response.text())

let text = ''
for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
  text += chunk
  const lines = text.split('\\n')
  text = lines.pop() ?? ''
  for (const line of lines.filter((one) => one.startsWith('data:'))) {
    const event = JSON.parse(line.slice(5))
    if (event.event === 'RunContent') process.stdout.write(event.delta)
    // What was written so far is taken back, for example because the agent calls a tool first.
    if (event.event === 'RunContentReset') process.stdout.write('\\n')
    if (event.event === 'RunError') throw new Error(event.message)
  }
}
`
}

const pythonCall = (url: string, message: string) => `import json, os, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps({"message": ${JSON.stringify(message)}}).encode(),
    headers={"X-API-Key": os.environ["TROUPE_API_KEY"], "Content-Type": "application/json"},
)`

function pythonAnswer(url: string, _: string, message: string): string {
  return `# ask.py
${pythonCall(url, message)}
with urllib.request.urlopen(request) as response:
    print(json.load(response)["content"])
`
}

function pythonStream(url: string, _: string, message: string): string {
  return `# ask.py
${pythonCall(url, message)}
with urllib.request.urlopen(request) as response:
    for line in response:
        if line.startswith(b"data:"):
            event = json.loads(line[5:])
            if event["event"] == "RunContent":
                print(event["delta"], end="", flush=True)
            # What was written so far is taken back, for example because the agent calls a tool first.
            if event["event"] == "RunContentReset":
                print()
            if event["event"] == "RunError":
                raise SystemExit(event["message"])
`
}
