/** Programs that call a webhook with a signature; each sends the same body and prints the answer. */
export interface SigningSnippets {
  /** A POSIX shell with curl and openssl. */
  curl: string
  /** Node 18 or later, as an ES module; no package. */
  node: string
  /** Python 3; standard library only. */
  python: string
}

/** Quotes any text for a POSIX shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * The command that calls a webhook with a signature over a body.
 *
 * @param body JSON
 */
export function signedCurl(url: string, signingSecret: string, body: string): string {
  return [
    `BODY=${shellQuote(body)}`,
    'TS=$(date +%s)',
    `SIG=$(printf '%s.%s' "$TS" "$BODY" | openssl dgst -sha256 -hmac ${shellQuote(signingSecret)} | sed 's/^.* //')`,
    `curl -sS -X POST ${shellQuote(url)} -H 'Content-Type: application/json' \\`,
    `  -H "X-Service-Timestamp: $TS" -H "X-Service-Signature: $SIG" -d "$BODY"`,
  ].join('\n')
}

/** A JSON value as Python writes it. */
function pythonLiteral(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value === null) return 'None'
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value ?? {})
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${pythonLiteral(item)}`).join(', ')}}`
}

/**
 * The snippets that the builder shows beside a webhook.
 *
 * @param body the sent body; null: any object, because none is declared
 */
export function signingSnippets(
  url: string,
  signingSecret: string,
  body: Readonly<Record<string, unknown>> | null,
): SigningSnippets {
  const sent = body ?? { hello: 'world' }
  const json = JSON.stringify(sent)
  // JSON is a string literal of both languages.
  const [quotedUrl, quotedSecret] = [JSON.stringify(url), JSON.stringify(signingSecret)]
  return {
    curl: signedCurl(url, signingSecret, json),
    node: `import { createHmac } from 'node:crypto'

const body = JSON.stringify(${json})
const timestamp = String(Math.floor(Date.now() / 1000))
const signature = createHmac('sha256', ${quotedSecret}).update(timestamp + '.' + body).digest('hex')
const response = await fetch(${quotedUrl}, {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': signature,
  },
  body,
})
console.log(response.status, await response.text())`,
    python: `import hashlib, hmac, json, time, urllib.request

body = json.dumps(${pythonLiteral(sent)}).encode()
timestamp = str(int(time.time()))
signature = hmac.new(${quotedSecret}.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
request = urllib.request.Request(${quotedUrl}, data=body, method="POST", headers={
    "Content-Type": "application/json",
    "X-Service-Timestamp": timestamp,
    "X-Service-Signature": signature,
})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`,
  }
}
