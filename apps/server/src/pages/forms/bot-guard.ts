import type { PublishedForm } from '@troupe/operations/forms/published-forms'
import type { FormSecret } from '../../access/form-secret.ts'

/** Nobody reads and fills in a form faster. */
const LEAST_MS = 2_000

/** The time at which a page was made, so that its form knows it and nobody can make one up. */
export function startedStamp(secret: FormSecret, { tokenHash }: PublishedForm, now: number): string {
  return `${now}.${secret.sign('page', `${tokenHash} ${now}`)}`
}

/** Whether a stamp is ours and old enough. */
export function tookItsTime(
  secret: FormSecret,
  { tokenHash }: PublishedForm,
  stamp: string,
  now: number,
): boolean {
  const [, started, signature] = /^(\d{1,16})\.([\w-]{43})$/.exec(stamp) ?? []
  if (started === undefined || signature === undefined) return false
  return secret.isSigned('page', `${tokenHash} ${started}`, signature) && now - Number(started) >= LEAST_MS
}
