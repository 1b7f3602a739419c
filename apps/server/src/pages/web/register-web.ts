import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '@troupe/contract'
import type { App, RouteAccess } from '@troupe/http/server-types'
import { currentWebBuild } from '@troupe/server-html/web/current-web-build'
import type { WebFile } from '@troupe/server-html/web/web-build'
import { WORKER_POLICY, webFailurePage, webPage } from '@troupe/server-html/web/web-page'
import type { FastifyReply, FastifyRequest } from 'fastify'

const FOLDER = join(import.meta.dirname, '../../../../web/dist')
const FOREVER = 'public, max-age=31536000, immutable'
/** The operations called by the pages; their responses name the build, so that an outdated page notices a new one. */
const CALLED_BY_PAGES: readonly RouteAccess[] = ['builder', 'person', 'visitor']

/**
 * The builder's app: its page at `/` and at every path below `/o`, and its files below `/web`. Register it before the operations of
 * the builder.
 *
 * @param current reads the served build
 * @returns a function that returns the id of the current build, or null
 */
export function registerWeb(app: App, current = currentWebBuild(FOLDER)): () => string | null {
  const currentId = () => {
    const build = current()
    return 'failure' in build ? null : build.id
  }
  const sendApp = async (_request: FastifyRequest, reply: FastifyReply) => {
    const build = current()
    const { status, headers, text } =
      'failure' in build
        ? webFailurePage(build.failure)
        : webPage(build, randomBytes(16).toString('base64url'))
    return reply.code(status).type('text/html; charset=utf-8').headers(headers).send(text)
  }
  for (const path of ['/', '/o', '/o/*']) app.get(path, sendApp)

  app.get<{ Params: { file: string } }>('/web/:file', async (request, reply) => {
    const build = current()
    const file = 'failure' in build ? undefined : build.files.get(request.params.file)
    if (!file) throw new DomainError('not_found', 'File not found.')
    return sendFile(file, request, reply)
  })

  app.addHook('onRoute', (route) => {
    const access = route.config?.access
    if (access === undefined || !CALLED_BY_PAGES.includes(access)) return
    const name = (reply: FastifyReply) => {
      const id = currentId()
      if (id !== null) reply.header('x-troupe-build', id)
    }
    // Event streams send their headers in the handler, before `onSend`.
    route.preHandler = [async (_request, reply) => name(reply), ...[route.preHandler ?? []].flat()]
    route.onSend = (_request, reply, _payload, done) => {
      name(reply)
      done()
    }
  })
  return currentId
}

async function sendFile(file: WebFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = file.encodings.find((one) =>
    new RegExp(`\\b${one}\\b(?!\\s*;\\s*q=0(?:\\.0+)?(?![\\d.]))`).test(accepted),
  )
  const suffix = encoding === undefined ? '' : encoding === 'br' ? '.br' : '.gz'
  const bytes = await readFile(file.path + suffix).catch((error: unknown) => {
    // A newer build has replaced the folder, which is noticed within a second.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
  if (bytes === null) throw new DomainError('not_found', 'File not found.')
  if (encoding) reply.header('content-encoding', encoding)
  if (file.isWorker) reply.header('content-security-policy', WORKER_POLICY)
  return reply.type(file.type).header('cache-control', FOREVER).header('vary', 'accept-encoding').send(bytes)
}
