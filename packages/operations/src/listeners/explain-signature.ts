import { timingSafeEqual } from 'node:crypto'
import { parseJson } from '@troupe/contract'
import type { CallVerdict } from '@troupe/contract/builder'
import { sign } from '../webhooks/authenticate-delivery.ts'

/** Maximum bytes of a body to sign again in other forms. */
const MAX_TRIED = 256 * 1024

/** A signature that does not match, with its request and the secrets to try. */
export interface WrongSignature {
  /** 64 lowercase hex digits. */
  signature: string
  timestamp: string
  raw: Buffer
  /** The secret to sign with. */
  secret: string
  /** Other secrets that the sender may know, each with its name in a sentence. */
  others: readonly { name: string; secret: string }[]
}

/** Which part of the signature is wrong. */
export interface SignatureExplanation {
  verdict: Extract<CallVerdict, 'wrong_secret' | 'body_changed' | 'wrong_signature'>
  reason: string
}

function withoutLastBreak(text: string): string {
  if (text.endsWith('\r\n')) return text.slice(0, -2)
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

/** The usual ways in which a body changes between signing and arrival. */
function otherBodies(raw: Buffer): [how: string, text: string][] {
  const text = raw.toString('utf8')
  const trimmed = withoutLastBreak(text)
  const parsed = parseJson(text, undefined, 'text')
  const spaced = text.replaceAll(/([,:])(?=["\d[{tfn-])/g, '$1 ')
  const forms: [string, string][] = [
    ['without the line break at its end', trimmed],
    ['with a line break at its end, which curl -d and echo treat differently', `${trimmed}\n`],
    ['with a line break at its end', `${trimmed}\r\n`],
    ['with other line breaks', text.replaceAll('\r\n', '\n')],
    ['with other line breaks', text.replaceAll(/\r?\n/g, '\r\n')],
    ['without its line breaks, which curl -d removes from files', text.replaceAll(/[\r\n]/g, '')],
    ['with spaces after commas and colons, as Python writes JSON', spaced],
    ['without any body', ''],
  ]
  if (!parsed.ok) return forms
  const compact: [string, string] = ['as JSON without spaces', JSON.stringify(parsed.value)]
  return [...forms, compact, ['as indented JSON', JSON.stringify(parsed.value, null, 2)]]
}

/** The usual mistakes in using a secret. */
function otherKeys(secret: string): [how: string, key: string | Buffer][] {
  const digits = secret.replace(/^whs_/, '')
  const isHex = /^[0-9a-f]{64}$/.test(digits)
  return [
    ['with a line break after the secret', `${secret}\n`],
    ['with quotes around the secret', `"${secret}"`],
    ['with the secret without "whs_"', digits],
    ...(isHex
      ? [['with the bytes of the hex digits of the secret', Buffer.from(digits, 'hex')] as [string, Buffer]]
      : []),
  ]
}

/**
 * Explains a wrong signature: signs again with the usual mistakes of senders until the result matches. Only people who
 * may see the secret read the explanation; the sender gets the same response in every case.
 */
export function explainSignature(wrong: WrongSignature): SignatureExplanation {
  const { signature, timestamp, raw, secret, others } = wrong
  const given = Buffer.from(signature, 'hex')
  const fits = (key: string | Buffer, body: Buffer | string) =>
    timingSafeEqual(given, sign(key, timestamp, body))
  const other = others.find((one) => fits(one.secret, raw))
  if (other) {
    return { verdict: 'wrong_secret', reason: `X-Service-Signature was made with ${other.name}.` }
  }
  const key = otherKeys(secret).find(([, one]) => fits(one, raw))
  if (key) return { verdict: 'wrong_secret', reason: `X-Service-Signature was made ${key[0]}.` }
  if (raw.length <= MAX_TRIED) {
    const body = otherBodies(raw).find(([, one]) => fits(secret, one))
    if (body) {
      const reason = `The body was changed after it was signed: X-Service-Signature fits the body ${body[0]}.`
      return { verdict: 'body_changed', reason }
    }
  }
  const reason =
    'X-Service-Signature does not match: another secret was used, the body was changed after it was signed, or the signed text is not <timestamp>.<body>.'
  return { verdict: 'wrong_signature', reason }
}
