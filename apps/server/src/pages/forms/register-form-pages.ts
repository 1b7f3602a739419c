import { DomainError, type FieldIssue, type JsonObject, statusOf, type UserId } from '@troupe/contract'
import { pathParameter } from '@troupe/http/operation-call'
import type { App } from '@troupe/http/server-types'
import { formNotFound } from '@troupe/operations/forms/form-errors'
import type { OpenForm } from '@troupe/operations/forms/published-forms'
import type { GivenSubmission } from '@troupe/operations/forms/submit-form'
import { withCurrentVersion } from '@troupe/operations/workflow-runs/with-current-version'
import { visitorOf } from '@troupe/rate-limits'
import { CONTROL } from '@troupe/server-html/forms/field-markup'
import {
  type FormView,
  formPage,
  memberSignInPage,
  notMemberPage,
  type PageForm,
  passwordPage,
  submittedPage,
} from '@troupe/server-html/forms/form-states'
import { initialValues, submittedValues, valuesAfterRefusal } from '@troupe/server-html/forms/posted-values'
import { type FormBody, fieldText } from '@troupe/server-html/rendering/form-body'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Forms } from '../../wiring/create-forms.ts'
import { registerPages } from '../rendering/register-pages.ts'
import { sendPage } from '../rendering/send-page.ts'
import { startedStamp, tookItsTime } from './bot-guard.ts'

/**
 * Set by the form's script: the response then has the target URL instead of a redirect, which the script
 * could not see.
 */
const SCRIPT_HEADER = 'x-form-script'
/** Query parameter of the confirmation page; no field can have this name. */
const DONE = 'form.done'

interface Visit<F extends OpenForm> extends PageForm {
  open: F
}

/** A submission with the request that brought it, and the status that its visitor gets when it is accepted. */
export interface PostedSubmission extends GivenSubmission {
  request: FastifyRequest
  status: number
}

/** The forms behind the addresses of a kind: published ones, or drafts with a listener. */
export interface FormSource<F extends OpenForm> {
  /** Before the token in the paths of the pages. */
  prefix: '/forms' | '/forms/preview'
  /** Where the script of the page at a path sends files, below `/upload`. */
  apiOf(path: string): string
  isTest: boolean
  /** null for every token without a form. */
  find(token: string): Promise<F | null>
  /** @throws DomainError with `issues`, or others that the page shows */
  submit(form: F, posted: PostedSubmission): Promise<void>
  /** A submission was refused before its answers were read. */
  refused(form: F, posted: PostedSubmission, reason: string): Promise<void>
  /** A visitor gave a wrong user name or password. `username` is null for credentials in a header. */
  signInRefused(form: F, username: string | null, request: FastifyRequest): Promise<void>
}

/** Registers the hosted pages of forms: `/forms/{formToken}`, or the same of drafts. */
export function registerFormPages<F extends OpenForm>(app: App, forms: Forms, source: FormSource<F>): void {
  const { guard, people, clock, access, passwords, sessions, secret, maxFileBytes } = forms
  const { prefix, isTest } = source
  const visits = new WeakMap<FastifyRequest, Visit<F>>()
  const visitOf = (request: FastifyRequest): Visit<F> => {
    const found = visits.get(request)
    if (!found) throw formNotFound()
    return found
  }

  const visitTo = async (token: string): Promise<Visit<F>> => {
    const found = await source.find(token)
    if (!found) throw formNotFound()
    const path = `${prefix}/${encodeURIComponent(token)}`
    return { open: found, form: found.form, path, api: source.apiOf(path), isTest }
  }

  const viewOf = (form: OpenForm, states: FormView['states']): FormView => ({
    states,
    issues: [],
    notice: null,
    started: form.form.botGuard ? startedStamp(secret, form, clock.now()) : null,
    suspicion: null,
    maxFileBytes,
  })

  /** The admitted visit; null when a refusal page was sent. */
  const admitted = async (
    request: FastifyRequest,
    reply: FastifyReply,
    visit: Visit<F>,
  ): Promise<{ userId: UserId | null } | null> => {
    const admission = await access.admit(visit.open, request)
    switch (admission.kind) {
      case 'admitted':
        return admission
      case 'password_required':
        if (request.headers.authorization !== undefined) await source.signInRefused(visit.open, null, request)
        sendPage(reply, passwordPage(visit, null), 401)
        return null
      case 'sign_in_required':
        sendPage(reply, memberSignInPage(visit, people.signInPath(visit.path)), 401)
        return null
      case 'not_a_member':
        sendPage(reply, notMemberPage(visit), 403)
        return null
      default:
        return admission satisfies never
    }
  }

  const signIn = async (request: FastifyRequest, reply: FastifyReply, visit: Visit<F>, body: FormBody) => {
    people.requireSameOrigin(request)
    const username = fieldText(body, CONTROL.username)
    const given = { username, password: fieldText(body, CONTROL.password) }
    const isRight = visit.form.auth.mode === 'basic' && (await passwords.areRight(visit.open, given, request))
    if (!isRight) {
      if (visit.form.auth.mode === 'basic') await source.signInRefused(visit.open, username, request)
      const message = 'The user name or the password is wrong.'
      return sendPage(reply, passwordPage(visit, { username, message }), 401)
    }
    return reply.header('set-cookie', sessions.open(visit.open)).redirect(visit.path, 303)
  }

  /** The redirect target after a submission. */
  const thank = (request: FastifyRequest, reply: FastifyReply, { form, path }: Visit<F>) => {
    const location = form.redirectUrl ?? `${path}?${DONE}=1`
    if (request.headers[SCRIPT_HEADER] === undefined) return reply.redirect(location, 303)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify({ location }))
  }

  const submit = async (
    request: FastifyRequest,
    reply: FastifyReply,
    visit: Visit<F>,
    body: FormBody,
    userId: UserId | null,
  ) => {
    const { open: form } = visit
    const now = clock.now()
    const isPerson = fieldText(body, CONTROL.person) !== ''
    const isSuspected = fieldText(body, CONTROL.trap) !== '' || isPerson
    const suspicion = visit.form.botGuard && isSuspected ? { isAnswered: isPerson } : null
    const again = (failure: { status: number; notice: string | null; issues: readonly FieldIssue[] }) => {
      const view = viewOf(
        form,
        visit.form.fields.map((field) => valuesAfterRefusal(field, body)),
      )
      return sendPage(reply, formPage(visit, { ...view, suspicion, ...failure }), failure.status)
    }
    const isByScript = request.headers[SCRIPT_HEADER] !== undefined
    const posted = { values: submittedValues(body), userId, submittedAt: now, request }
    const refuseBot = async (notice: string) => {
      await source.refused(form, { ...posted, status: 400 }, notice)
      return again({ status: 400, notice, issues: [] })
    }
    if (visit.form.botGuard) {
      // Autofill fills in honeypots too, so the submission is not discarded: the page asks for confirmation.
      if (suspicion?.isAnswered === false) {
        const notice =
          'Something has filled in a hidden field. Tick “I am a person”, and send the form again.'
        return refuseBot(notice)
      }
      if (!tookItsTime(secret, form, fieldText(body, CONTROL.started), now)) {
        const notice = 'That was very fast. Please wait for two seconds, and send the form again.'
        return refuseBot(notice)
      }
    }
    try {
      await source.submit(form, { ...posted, status: isByScript ? 200 : 303 })
    } catch (error) {
      if (!(error instanceof DomainError) || statusOf(error.code) >= 500) throw error
      if (error.code === 'form_not_found') throw error
      const issues = error.issues ?? []
      const notice = issues.length > 0 ? null : error.message
      return again({ status: statusOf(error.code), notice, issues })
    }
    return thank(request, reply, visit)
  }

  registerPages(app, (scope) => {
    scope.addHook('onRequest', async (request) => {
      const token = pathParameter(request, 'formToken')
      await guard.admit(request.method === 'POST' ? 'formWrite' : 'formRead', visitorOf(request, token))
      visits.set(request, await visitTo(token))
    })

    scope.get<{ Querystring: JsonObject }>(`${prefix}/:formToken`, async (request, reply) => {
      const visit = visitOf(request)
      if (!(await admitted(request, reply, visit))) return reply
      const { query } = request
      if (query[DONE] !== undefined) return sendPage(reply, submittedPage(visit))
      const states = visit.form.fields.map((field) => ({ values: initialValues(field, query), uploads: [] }))
      return sendPage(reply, formPage(visit, viewOf(visit.open, states)))
    })

    scope.post<{ Body: FormBody | undefined }>(`${prefix}/:formToken`, async (request, reply) => {
      const first = visitOf(request)
      const body: FormBody = request.body ?? new Map()
      if (fieldText(body, CONTROL.action) === 'sign-in') return signIn(request, reply, first, body)
      const again = () => visitTo(pathParameter(request, 'formToken'))
      return withCurrentVersion(first, again, async (visit) => {
        const inside = await admitted(request, reply, visit)
        return inside ? submit(request, reply, visit, body, inside.userId) : reply
      })
    })
  })
}
