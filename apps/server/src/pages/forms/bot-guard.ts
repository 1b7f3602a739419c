import type { OpenForm } from '@troupe/operations/forms/published-forms'
import type { FormSecret } from '../../access/form-secret.ts'

/** The minimum time in which a human can complete a form. */
const LEAST_MS = 2_000

/** The signed time at which a page was rendered; it cannot be forged. */
export function startedStamp(secret: FormSecret, { tokenHash }: OpenForm, now: number): string {
  return `${now}.${secret.sign('page', `${tokenHash} ${now}`)}`
}

/** Whether a stamp is authentic and old enough. */
export function tookItsTime(
  secret: FormSecret,
  { tokenHash }: OpenForm,
  stamp: string,
  now: number,
): boolean {
  const [, started, signature] = /^(\d{1,16})\.([\w-]{43})$/.exec(stamp) ?? []
  if (started === undefined || signature === undefined) return false
  return secret.isSigned('page', `${tokenHash} ${started}`, signature) && now - Number(started) >= LEAST_MS
}
