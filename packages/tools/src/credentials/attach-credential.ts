import { coversHost } from './covers-host.ts'
import type { ToolCredential } from './credential-source.ts'

/**
 * Adds a credential to a request. Returns false, with nothing added, if the credential does not cover the host of the
 * URL.
 */
export function attachCredential(credential: ToolCredential, url: URL, headers: Headers): boolean {
  if (!coversHost(credential.hosts, url)) return false
  const { kind, secret, field } = credential
  if (kind === 'bearer') headers.set('authorization', `Bearer ${secret}`)
  else if (kind === 'basic') headers.set('authorization', `Basic ${basicPair(credential)}`)
  else if (kind === 'header') headers.set(field ?? '', secret)
  else setParameter(url, field ?? '', secret)
  return true
}

function setParameter(url: URL, name: string, value: string): void {
  url.searchParams.delete(name)
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`
  url.search = url.search === '' ? pair : `${url.search}&${pair}`
}

function basicPair({ username, secret }: ToolCredential): string {
  return Buffer.from(`${username ?? ''}:${secret}`, 'utf8').toString('base64')
}

/** Every form in which a server may return a credential. */
export function secretTexts(credential: ToolCredential): string[] {
  const { kind, secret } = credential
  const forms = [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    Buffer.from(secret).toString('base64'),
  ]
  return kind === 'basic' ? [...forms, basicPair(credential)] : forms
}
