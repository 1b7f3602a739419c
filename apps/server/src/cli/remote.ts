import { Readable } from 'node:stream'
import {
  type ConfirmMcpToolsBody,
  type ErrorBody,
  type McpServerTools,
  type PasswordResetLink,
  propertyOf,
} from '@troupe/contract'
import type { CreateOrganizationBody } from '@troupe/contract/builder'
import { CliError } from './cli-error.ts'

const PATH = '/api/builder/bundles'
const ARCHIVE = `${PATH}/archive`
const MCP_TOOLS = '/api/builder/mcp-servers/tools'
const ORGANIZATIONS = '/api/builder/v1/organizations'
const RESET_LINKS = '/api/builder/password-reset-links'
const TIMEOUT_MS = 60_000
/** For archives: an upload or download of half a gigabyte. */
const ARCHIVE_TIMEOUT_MS = 30 * 60_000

/** The server responded with an error status. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  readonly body: ErrorBody

  constructor(body: ErrorBody) {
    super(body.message)
    this.body = body
  }
}

/** The operator's endpoints of a running server. */
export interface Remote {
  /** Returns the response body. @throws RemoteError */
  apply(text: string, type: string): Promise<string>
  /** A zip archive with a bundle and its files. Returns the response body. @throws RemoteError */
  applyArchive(archive: Blob): Promise<string>
  /** Returns the bytes of a zip archive. @throws RemoteError */
  exportArchive(organization: string | null): Promise<Readable>
  /** Returns YAML. @throws RemoteError */
  export(organization: string | null): Promise<string>
  /** @throws RemoteError */
  createOrganization(body: CreateOrganizationBody): Promise<void>
  /** @throws RemoteError */
  createResetLink(email: string): Promise<PasswordResetLink>
  /** @throws RemoteError */
  mcpTools(of: Pick<ConfirmMcpToolsBody, 'organization' | 'server'>): Promise<McpServerTools>
  /** @throws RemoteError */
  confirmMcpTools(body: ConfirmMcpToolsBody): Promise<McpServerTools>
}

/**
 * Whether a Troupe server listens at a URL. Sends no token, which must not reach any other server.
 *
 * @throws CliError if another server responds
 */
export async function isServing(url: string): Promise<boolean> {
  const response = await send(url, 'GET', PATH).catch(() => null)
  if (response === null) return false
  const body = await response.json().catch(() => null)
  if (response.status === 401 && propertyOf(body, 'error') === 'unauthorized') return true
  throw new CliError(`${url} is not a Troupe server. Pass the URL of the server with --url.`)
}

/** A client of the server at a URL without a trailing slash. */
export function remoteAt(url: string, token: string): Remote {
  const respond = async (method: string, path: string, body: Body = {}) => {
    const response = await send(url, method, path, { token, ...body }).catch((error: Error) => {
      const code = propertyOf(error.cause, 'code')
      throw new CliError(`${url} cannot be reached${code ? ` (${code})` : ''}.`)
    })
    if (response.ok) return response
    throw new RemoteError(toErrorBody(response.status, await response.text()))
  }
  const ask = async (method: string, path: string, body?: Body) => (await respond(method, path, body)).text()
  return {
    apply: (text, type) => ask('POST', PATH, { text, type }),
    createOrganization: async (body) =>
      void (await ask('POST', ORGANIZATIONS, { text: JSON.stringify(body), type: 'application/json' })),
    createResetLink: async (email) =>
      JSON.parse(
        await ask('POST', RESET_LINKS, { text: JSON.stringify({ email }), type: 'application/json' }),
      ),
    mcpTools: async ({ organization, server }) =>
      JSON.parse(await ask('GET', `${MCP_TOOLS}?${new URLSearchParams({ organization, server })}`)),
    confirmMcpTools: async (body) =>
      JSON.parse(await ask('POST', MCP_TOOLS, { text: JSON.stringify(body), type: 'application/json' })),
    export: (organization) => ask('GET', `${PATH}${queryOf(organization)}`),
    applyArchive: async (archive) => {
      const form = new FormData()
      form.append('file', archive, 'bundle.zip')
      return ask('POST', ARCHIVE, { form, timeoutMs: ARCHIVE_TIMEOUT_MS })
    },
    exportArchive: async (organization) => {
      const path = `${ARCHIVE}${queryOf(organization)}`
      const { body } = await respond('GET', path, { timeoutMs: ARCHIVE_TIMEOUT_MS })
      if (body === null) throw new CliError(`${url} answered without a body.`)
      return Readable.fromWeb(body)
    },
  }
}

const queryOf = (organization: string | null) =>
  organization === null ? '' : `?organization=${encodeURIComponent(organization)}`

interface Body {
  text?: string
  type?: string
  form?: FormData
  timeoutMs?: number
}

function send(
  url: string,
  method: string,
  path: string,
  { token, text, type, form, timeoutMs = TIMEOUT_MS }: Body & { token?: string } = {},
): Promise<Response> {
  const body = form ?? text
  return fetch(url + path, {
    method,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body }),
  })
}

function toErrorBody(status: number, text: string): ErrorBody {
  try {
    const body: ErrorBody = JSON.parse(text)
    if (typeof body.message === 'string') return body
  } catch {
    // A proxy's response: its body would not help the operator.
  }
  return { error: 'unknown', message: `The server answered with status ${status}.` }
}
