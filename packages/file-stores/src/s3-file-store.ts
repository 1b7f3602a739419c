import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher, request } from 'undici'
import type { FileStore, LocalFile } from './file-store.ts'
import { requireStorageKey } from './storage-key.ts'

/** A bucket and its credentials. */
export interface S3Options {
  /** URL without a trailing slash; the bucket is the first path segment after it. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** A request that the store did not carry out. The message contains no storage key and no credential. */
export class S3Error extends Error {
  override readonly name = 'S3Error'
}

interface S3Request {
  method: 'PUT' | 'GET' | 'DELETE' | 'HEAD'
  path: string
  /** The request body; read from disk again for every attempt. */
  file?: LocalFile
}

const SECOND = 1_000
const CONNECTIONS = 16
/** Pauses between attempts, in milliseconds. */
const PAUSES = [200, 1_000]
/** Transient statuses, which are retried. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
const EMPTY_SHA256 = createHash('sha256').digest('hex')
const LONGEST_ANSWER = 16 * 1024

/**
 * Stores files in a bucket of any S3-compatible store, with path-style addresses. Requests are signed
 * (version 4) including the body hash, so the store refuses bytes corrupted in transit. A file is streamed
 * with its length in one request, which S3 limits to 5 GB; up to three attempts.
 */
export function createS3FileStore(options: S3Options): FileStore & AsyncDisposable {
  const agent = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: 5 * SECOND },
    headersTimeout: 30 * SECOND,
    bodyTimeout: 30 * SECOND,
  })
  const bucket = `/${options.bucket}`
  const pathOf = (key: string) => `${bucket}/${requireStorageKey(key)}`

  async function sendOnce(
    { method, path, file }: S3Request,
    sha256: string,
  ): Promise<Dispatcher.ResponseData> {
    const { endpoint, region, accessKeyId, secretAccessKey } = options
    const signer = new AwsV4Signer({
      method,
      url: `${endpoint}${path}`,
      headers: { 'x-amz-content-sha256': sha256, ...(file ? { 'content-type': file.contentType } : {}) },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
    })
    const { url, headers } = await signer.sign()
    const length = file ? { 'content-length': String(file.sizeBytes) } : {}
    return request(url, {
      method,
      headers: { ...Object.fromEntries(headers), ...length },
      body: file ? createReadStream(file.path) : null,
      dispatcher: agent,
    })
  }

  /**
   * Sends a request, with retries, and returns the response. Throws {@link S3Error} for an unexpected status.
   */
  async function send(wanted: S3Request, statuses: readonly number[]): Promise<Dispatcher.ResponseData> {
    const sha256 = wanted.file ? await hashOf(wanted.file.path) : EMPTY_SHA256
    for (let tries = 0; ; tries += 1) {
      const pause = PAUSES[tries]
      try {
        const answer = await sendOnce(wanted, sha256)
        if (statuses.includes(answer.statusCode)) return answer
        const code = await codeOf(answer)
        const error = new S3Error(`the file store answered ${wanted.method} with ${answer.statusCode}${code}`)
        if (pause === undefined || !PASSING.has(answer.statusCode)) throw error
      } catch (error) {
        if (pause === undefined || error instanceof S3Error || !isOfNetwork(error)) throw error
      }
      await sleep(pause)
    }
  }

  return {
    async put(key, file) {
      const { body } = await send({ method: 'PUT', path: pathOf(key), file }, [200])
      await body.dump()
    },
    async open(key) {
      const { statusCode, body } = await send({ method: 'GET', path: pathOf(key) }, [200, 404])
      if (statusCode === 200) return body
      await body.dump()
      return null
    },
    async delete(key) {
      const { body } = await send({ method: 'DELETE', path: pathOf(key) }, [200, 204, 404])
      await body.dump()
    },
    async ping() {
      const { body } = await send({ method: 'HEAD', path: bucket }, [200])
      await body.dump()
    },
    [Symbol.asyncDispose]: () => agent.close(),
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** ` AccessDenied` from the start of an XML error response; '' when there is none. */
async function codeOf({ body }: Dispatcher.ResponseData): Promise<string> {
  let text = ''
  for await (const chunk of body) {
    const bytes: Buffer = chunk
    text += bytes.toString('latin1')
    if (text.length > LONGEST_ANSWER) break
  }
  const code = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(text)?.[1]
  return code === undefined ? '' : ` ${code}`
}

/** Whether the connection failed, as opposed to the file being sent. */
function isOfNetwork(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return (
    typeof code === 'string' &&
    /^(?:UND_ERR_(?:SOCKET|CONNECT|HEADERS|BODY)|ECONN|EPIPE|ETIMEDOUT|EAI_|ENOTFOUND|EHOST|ENET)/.test(code)
  )
}
