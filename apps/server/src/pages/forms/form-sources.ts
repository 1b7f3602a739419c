import { distinctHeaders } from '@troupe/http/distinct-headers'
import type { PublishedForm } from '@troupe/operations/forms/published-forms'
import { submitForm } from '@troupe/operations/forms/submit-form'
import {
  findListenedForm,
  type ListenedForm,
  refuseTestForm,
  refuseTestSignIn,
  submitTestForm,
} from '@troupe/operations/listeners/form-listener'
import type { Forms } from '../../wiring/create-forms.ts'
import type { FormSource, PostedSubmission } from './register-form-pages.ts'

/** The published forms: a submission starts a run. */
export function publishedForms(forms: Forms): FormSource<PublishedForm> {
  return {
    prefix: '/forms',
    apiOf: (path) => `/api/v1${path}`,
    isTest: false,
    find: (token) => forms.published.find(token),
    submit: (form, posted) => submitForm(forms, form, posted),
    refused: async () => undefined,
    signInRefused: async () => undefined,
  }
}

/** The forms of drafts with a listener: a submission is shown in the editor. */
export function listenedForms(forms: Forms): FormSource<ListenedForm> {
  const callOf = ({ values, status, request }: PostedSubmission) => {
    const distinct = distinctHeaders(request.raw.rawHeaders)
    return { values, status, ip: request.ip, distinct }
  }
  return {
    prefix: '/forms/preview',
    apiOf: (path) => path,
    isTest: true,
    find: (token) => findListenedForm(forms, token),
    submit: (form, posted) => submitTestForm(forms, form, callOf(posted)),
    refused: (form, posted, reason) => refuseTestForm(forms, form, callOf(posted), reason),
    signInRefused: (form, username, request) => {
      const distinct = distinctHeaders(request.raw.rawHeaders)
      return refuseTestSignIn(forms, form, { username, status: 401, ip: request.ip, distinct })
    },
  }
}
