import type { FormBody } from '@troupe/server-html/rendering/form-body'
import type { FastifyRequest } from 'fastify'

/** Size limit of a submitted form, in bytes: names and passwords. */
export const FORM_BYTES = 16 * 1024

/** An empty body counts as a form without fields. */
export function formOf(request: FastifyRequest): FormBody {
  return request.body instanceof Map ? request.body : new Map()
}
