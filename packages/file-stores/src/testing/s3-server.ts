import { createHash, createHmac } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The signature data of a request. */
export interface SignedRequest {
  method: string
  /** Path and query. */
  url: string
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'

/** A version 4 signature, computed from the specification and independently of any client. */
export function signatureOf(
  { method, url, headers }: SignedRequest,
  { scope, signedHeaders, secret }: { scope: string; signedHeaders: readonly string[]; secret: string },
): string {
  const { pathname, searchParams } = new URL(url, 'http://s3')
  const query = [...searchParams].map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  const canonical = [
    method,
    pathname,
    query.sort().join('&'),
    ...signedHeaders.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = scope
    .split('/')
    .reduce<string | Buffer>((previous, part) => hmac(previous, part), `AWS4${secret}`)
  return hmac(key, text).toString('hex')
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A minimal S3 store: one bucket, verified signatures, files on disk. */
export interface S3Server extends AsyncDisposable {
  options: { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string }
  /** Received requests: `PUT /bucket/…`. */
  requests: string[]
  /** Statuses returned to the next requests instead of a real response; 0 cuts the connection. */
  failures: number[]
  /** Content types by path. */
  types: Map<string, string>
}

export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 's3-'))
  const requests: string[] = []
  const failures: number[] = []
  const types = new Map<string, string>()
  const options = { bucket: 'files', region: 'eu-test-1', accessKeyId: 'AKIATEST', secretAccessKey: SECRET }
  const fileOf = (url: string) => join(folder, sha256(url))

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming
    requests.push(`${method} ${url}`)
    const failure = failures.shift()
    if (failure === 0) return void incoming.socket.destroy()
    if (failure !== undefined) return refuse(response, failure, 'SlowDown')
    const refusal = refusalOf(incoming)
    if (refusal !== null) return refuse(response, 403, refusal)
    if (!url.startsWith(`/${options.bucket}`)) return refuse(response, 404, 'NoSuchBucket')
    const path = fileOf(url)
    switch (method) {
      case 'HEAD':
        return void response.writeHead(200).end()
      case 'PUT': {
        if (headers['content-length'] === undefined) return refuse(response, 411, 'MissingContentLength')
        const hash = createHash('sha256')
        const hashing = new Transform({
          transform(chunk: Buffer, _encoding, done) {
            hash.update(chunk)
            done(null, chunk)
          },
        })
        await pipeline(incoming, hashing, createWriteStream(`${path}.new`))
        if (hash.digest('hex') !== headers['x-amz-content-sha256']) {
          return refuse(response, 400, 'XAmzContentSHA256Mismatch')
        }
        await rename(`${path}.new`, path)
        types.set(url, headers['content-type'] ?? '')
        return void response.writeHead(200).end()
      }
      case 'GET': {
        const found = await stat(path).catch(() => null)
        if (!found) return refuse(response, 404, 'NoSuchKey')
        response.writeHead(200, { 'content-length': found.size })
        return pipeline(createReadStream(path), response)
      }
      case 'DELETE':
        await rm(path, { force: true })
        return void response.writeHead(204).end()
      default:
        return refuse(response, 405, 'MethodNotAllowed')
    }
  }

  function refusalOf({ method = '', url = '', headers }: IncomingMessage): string | null {
    const match =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
        headers.authorization ?? '',
      )
    if (!match) return 'AccessDenied'
    const [, keyId, scope = '', names = '', signature] = match
    const date = String(headers['x-amz-date'])
    if (keyId !== options.accessKeyId) return 'InvalidAccessKeyId'
    if (scope !== `${date.slice(0, 8)}/${options.region}/s3/aws4_request`)
      return 'AuthorizationHeaderMalformed'
    const signedHeaders = names.split(';')
    if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signedHeaders.includes(name))) {
      return 'AccessDenied'
    }
    const expected = signatureOf({ method, url, headers }, { scope, signedHeaders, secret: SECRET })
    return signature === expected ? null : 'SignatureDoesNotMatch'
  }

  const server = createServer((incoming, response) => {
    // A client that hangs up midway has failed, not the store.
    answer(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    options: { ...options, endpoint: `http://127.0.0.1:${port}` },
    requests,
    failures,
    types,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true })
    },
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}
