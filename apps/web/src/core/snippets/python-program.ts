import type { ProgramCall, SnippetStyle } from './called-thing.ts'

/** A program for Python that needs no package. */
export function pythonProgram(call: ProgramCall, style: SnippetStyle): string {
  return `# ask.py
${requestOf(call, style)}
${{ answer, stream, job }[style](call)}`
}

const requestOf = (
  { url, body }: ProgramCall,
  style: SnippetStyle,
) => `import json, os${style === 'job' ? ', time' : ''}, urllib.request

headers = {"X-API-Key": os.environ["TROUPE_API_KEY"], "Content-Type": "application/json"}
request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps(${body}).encode(),
    headers=headers,
)`

const answer = ({ answer: field }: ProgramCall) => `with urllib.request.urlopen(request) as response:
    print(json.load(response)["${field}"])
`

const stream = () => `with urllib.request.urlopen(request) as response:
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

const job = ({ jobId, jobs }: ProgramCall) => `with urllib.request.urlopen(request) as response:
    accepted = json.load(response)

# Later, from any process:
later = urllib.request.Request(${JSON.stringify(`${jobs}/`)} + accepted["${jobId}"], headers=headers)
while True:
    time.sleep(0.5)
    with urllib.request.urlopen(later) as response:
        job = json.load(response)
    if job["status"] not in ("queued", "running"):
        break
print(json.dumps(job, indent=2))
`
