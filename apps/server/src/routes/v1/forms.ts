import multipart from '@fastify/multipart'
import { DomainError, type Operation, TRIGGER_OPERATIONS, type UserId } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import { pathParameter } from '@troupe/http/operation-call'
import { respondError } from '@troupe/http/respond-error'
import type { App } from '@troupe/http/server-types'
import type { SlowUploads } from '@troupe/http/slow-uploads'
import type { Form } from '@troupe/nodes/form'
import { formNotFound } from '@troupe/operations/forms/form-errors'
import { presentForm } from '@troupe/operations/forms/present-form'
import type { PublishedForm } from '@troupe/operations/forms/published-forms'
import { submitForm } from '@troupe/operations/forms/submit-form'
import { withCurrentVersion } from '@troupe/operations/workflow-runs/with-current-version'
import { type UnauthenticatedEndpoint, visitorOf } from '@troupe/rate-limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusalOf } from '../../access/form-access.ts'
import { FORM_SCHEME, requireAdmission } from '../../access/require-admission.ts'
import { receiveFormFile } from '../../pages/forms/receive-form-file.ts'
import type { Forms } from '../../wiring/create-forms.ts'

/** Dependencies of the form routes. */
export interface FormRoutes {
  forms: Forms
  slowUploads: Pick<SlowUploads, 'admit'>
}

/** An admitted visitor. */
export interface FormVisit {
  published: PublishedForm
  userId: UserId | null
}

const tokenOf = (request: FastifyRequest) => pathParameter(request, 'formToken')

/**
 * Admits a visitor before the body is read: limits, token, credentials, in this order.
 *
 * @throws DomainError when the visitor is not admitted
 */
async function visit(
  forms: Pick<Forms, 'guard' | 'published' | 'access'>,
  rules: UnauthenticatedEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FormVisit> {
  await forms.guard.admit(rules, visitorOf(request, tokenOf(request)))
  return admitToForm(forms, request, reply)
}

/** Admits a visitor to the currently published form. @throws DomainError when the visitor is not admitted */
async function admitToForm(
  { published, access }: Pick<Forms, 'published' | 'access'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FormVisit> {
  const form = await published.find(tokenOf(request))
  if (!form) throw formNotFound()
  return { published: form, userId: await requireAdmission(access, form, request, reply) }
}

/** Converts body errors that belong to form fields to issues: the body parser does not know the form. */
function withIssues(error: unknown, { fields }: Form): unknown {
  if (!(error instanceof DomainError) || error.code !== 'validation_error' || !error.errors) return error
  // Field names have no dots: the rest of the path is within the value.
  const located = error.errors.map((one) => ({ ...one, field: one.path.split('.', 1)[0] ?? '' }))
  const isField = ({ field }: { field: string }) => fields.some(({ name }) => name === field)
  const issues = located.filter(isField).map(({ field, message }) => ({ field, message }))
  if (issues.length === 0) return error
  const errors = located.filter((one) => !isField(one)).map(({ path, message }) => ({ path, message }))
  return new DomainError(error.code, error.message, { issues, ...(errors.length > 0 ? { errors } : {}) })
}

/** Registers the API of hosted forms. */
export function registerForms(app: App, { forms, slowUploads }: FormRoutes): void {
  const { clock, guard, published, passwords, sessions, maxFileBytes } = forms
  const visits = new WeakMap<FastifyRequest, FormVisit>()
  const visitOf = (request: FastifyRequest): FormVisit => {
    const found = visits.get(request)
    if (!found) throw new Error('a form was entered without admission')
    return found
  }

  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const form = visits.get(request)?.published.form
      respondError(form ? withIssues(error, form) : error, request, reply)
    })
    scope.addHook('onRequest', async (request, reply) => {
      const rules = request.method === 'POST' ? 'formWrite' : 'formRead'
      visits.set(request, await visit(forms, rules, request, reply))
    })
    registerOperation(scope, TRIGGER_OPERATIONS.getForm, async ({ request }) =>
      presentForm(visitOf(request).published.form, maxFileBytes),
    )
    for (const operation of [TRIGGER_OPERATIONS.submitForm, TRIGGER_OPERATIONS.submitFormShortly]) {
      registerOperation(scope, operation, async ({ request, body }, reply) => {
        const submittedAt = clock.now()
        const again = async () => {
          const current = await admitToForm(forms, request, reply)
          // Body errors are reported as issues of this form's fields.
          visits.set(request, current)
          return current
        }
        await withCurrentVersion(visitOf(request), again, ({ published: form, userId }) =>
          submitForm(forms, form, { values: body, userId, submittedAt }),
        )
        return { status: 'received' as const }
      })
    }
  })

  app.register(async (scope) => {
    const operation: Operation = TRIGGER_OPERATIONS.uploadFormFile
    scope.removeAllContentTypeParsers()
    scope.register(multipart)
    scope.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { access: operation.access, operation },
      schema: { response: { [operation.success.status]: operation.success.body } },
      onRequest: async (request, reply) => {
        visits.set(request, await visit(forms, 'formWrite', request, reply))
      },
      handler: async (request, reply) => {
        reply.statusCode = operation.success.status
        return receiveFormFile({ forms, slowUploads }, visitOf(request).published, request)
      },
    })
  })

  app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      await guard.admit('formWrite', visitorOf(request, tokenOf(request)))
    })
    registerOperation(scope, TRIGGER_OPERATIONS.openFormSession, async ({ request, body }, reply) => {
      const form = await published.find(tokenOf(request))
      if (!form) throw formNotFound()
      if (form.form.auth.mode !== 'basic') {
        throw new DomainError('validation_error', 'This form requires no password.')
      }
      if (!(await passwords.areRight(form, body, request))) {
        reply.header('www-authenticate', FORM_SCHEME)
        throw refusalOf({ kind: 'password_required', isWrong: true })
      }
      reply.header('set-cookie', sessions.open(form))
      return null
    })
  })
}
