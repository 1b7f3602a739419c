import multipart from '@fastify/multipart'
import {
  applyBundle,
  type BundleFile,
  exportArchive,
  extractBundle,
  MAX_ARCHIVE_BYTES,
  MAX_BUNDLE_BYTES,
  NoBundleError,
  readBundleAt,
} from '@troupe/bundles'
import {
  applyOrganizationBundle,
  exportOrganizationArchive,
  planOrganizationBundle,
} from '@troupe/bundles/organization/organization-bundle'
import {
  DomainError,
  type IdText,
  JSON_BUDGET,
  OPERATOR_OPERATIONS,
  type OrganizationId,
  parseJson,
  propertyOf,
  validator,
} from '@troupe/contract'
import { BUILDER_OPERATIONS, GivenArchive } from '@troupe/contract/builder'
import { BadArchive } from '@troupe/documents'
import { NOBODY } from '@troupe/heavy-work'
import { registerOperation } from '@troupe/http/operation'
import { receiveUpload } from '@troupe/http/receive-upload'
import type { App } from '@troupe/http/server-types'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { applyPartsOf, type BundleContext } from '../../boot/bundle-context.ts'
import type { Context } from '../../wiring/context.ts'

/** Dependencies of the routes. */
export type ArchiveContext = BundleContext & Pick<Context, 'slowUploads'>

const GIVEN = { name: 'bundle', maxBytes: 2 * MAX_BUNDLE_BYTES }
const checkGiven = validator(GivenArchive)

/** A bundle from an archive, with the rest of the request. */
interface ReceivedBundle extends BundleFile {
  given: GivenArchive
}

/** Bundles with the files of documents and skills, as zip archives. */
export function registerBundleArchives(app: App, context: ArchiveContext): void {
  const parts = applyPartsOf(context)
  const ofBuilder = (
    request: FastifyRequest,
    { organizationId }: { organizationId: IdText<OrganizationId> },
  ) => received(context, request, { owner: organizationId, takesText: true })
  registerOperation(app, OPERATOR_OPERATIONS.exportBundleArchive, async ({ query }, reply) => {
    asAttachment(reply, query.organization ?? 'troupe')
    return exportArchive(parts, query.organization ?? null)
  })
  registerOperation(
    app,
    BUILDER_OPERATIONS.exportOrganizationBundleArchive,
    async ({ caller, query }, reply) => {
      const { slug, archive } = await exportOrganizationArchive(parts, caller, query)
      asAttachment(reply, slug)
      return archive
    },
  )
  // A separate scope: only these routes accept archives, and nothing else.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.register(multipart)
    // No variables: the holder of the token must not read the server's environment.
    registerOperation(scope, OPERATOR_OPERATIONS.applyBundleArchive, async ({ request, actor }) => {
      await using bundle = await received(context, request, { owner: NOBODY, takesText: false })
      const { text, folder } = bundle
      return await applyBundle(parts, { text, folder, variables: null, actor })
    })
    registerOperation(
      scope,
      BUILDER_OPERATIONS.planOrganizationBundleArchive,
      async ({ request, caller }) => {
        await using bundle = await ofBuilder(request, caller)
        const { text, folder, given } = bundle
        return { ...(await planOrganizationBundle(parts, caller, { text, ...given }, folder)), text }
      },
    )
    registerOperation(
      scope,
      BUILDER_OPERATIONS.applyOrganizationBundleArchive,
      async ({ request, caller }) => {
        await using bundle = await ofBuilder(request, caller)
        const { text, folder, given } = bundle
        return await applyOrganizationBundle(parts, caller, { text, ...given }, folder)
      },
    )
  })
}

/** Slugs need no escapes. */
function asAttachment(reply: FastifyReply, slug: string): void {
  reply.header('content-disposition', `attachment; filename="${encodeURIComponent(slug)}.bundle.zip"`)
  reply.header('cache-control', 'private, no-store')
}

/** @throws DomainError `validation_error` unless the body is an archive with a bundle */
async function received(
  { knowledge: { incoming }, heavy, slowUploads }: ArchiveContext,
  request: FastifyRequest,
  { owner, takesText }: { owner: string; takesText: boolean },
): Promise<ReceivedBundle> {
  slowUploads.admit(request)
  const upload = await receiveUpload(request, {
    incoming,
    maxBytes: MAX_ARCHIVE_BYTES,
    nameOf: (sent) => sent,
    ...(takesText && { text: GIVEN }),
    rejected: (reason, cause) =>
      cause === undefined
        ? new DomainError(
            'payload_too_large',
            `${reason} An archive of a bundle may have at most ${MAX_ARCHIVE_BYTES / 1024 / 1024} MB.`,
          )
        : new DomainError('storage_unavailable', reason, { cause }),
  })
  await using archive = upload.file
  const given = givenOf(upload.text)
  await using stack = new AsyncDisposableStack()
  using sender = senderOf(request)
  const { signal } = sender
  try {
    const directory = stack.use(await incoming.folder())
    const path = await heavy.run({ kind: 'archive', owner, signal }, () =>
      extractBundle(archive.path, directory.path, signal),
    )
    const { text, folder } = await readBundleAt(path, MAX_BUNDLE_BYTES)
    const owned = stack.move()
    return { text, folder, given, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  } catch (error) {
    throw refusal(error)
  }
}

/** Aborted when the sender closes the connection: reading thousands of files takes a while and would hold a slot that others need. */
function senderOf({ raw: { socket } }: FastifyRequest): Disposable & { signal: AbortSignal } {
  const gone = new AbortController()
  const abort = () =>
    gone.abort(
      new DomainError('service_unavailable', 'The connection was closed before the archive was read.'),
    )
  socket.once('close', abort)
  if (socket.destroyed) abort()
  return { signal: gone.signal, [Symbol.dispose]: () => void socket.off('close', abort) }
}

function refusal(error: unknown): unknown {
  if (error instanceof BadArchive) return invalid('file', error.message)
  if (error instanceof NoBundleError) return invalid('file', `The archive has no bundle: ${error.message}.`)
  // An error of the disk.
  if (typeof propertyOf(error, 'syscall') === 'string') {
    const message = 'The archive could not be extracted. Try again later.'
    return new DomainError('storage_unavailable', message, { cause: error })
  }
  return error
}

/** The part `bundle`: JSON with the fields that an archive does not contain. */
function givenOf(json: string | null): GivenArchive {
  if (json === null) return {}
  const parsed = parseJson(json, { ...JSON_BUDGET, characters: GIVEN.maxBytes })
  if (!parsed.ok)
    throw invalid('bundle', parsed.excess === null ? 'must be JSON' : `must not have ${parsed.excess}`)
  const checked = checkGiven(parsed.value, 'bundle')
  if (checked.ok) return checked.value
  throw new DomainError('validation_error', 'The request is not valid.', { errors: checked.errors })
}

function invalid(path: string, message: string): DomainError {
  return new DomainError('validation_error', 'The request is not valid.', { errors: [{ path, message }] })
}
