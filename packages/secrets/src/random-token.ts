import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Length of a random token: 62^43 > 2^256. */
const RANDOM_TOKEN_LENGTH = 43

/** The last `length` digits of a number in base62. */
export function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text
  return text
}

/** 256 random bits as 43 letters and digits: safe in paths, and selectable by double click. */
export function randomToken(): string {
  return base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_TOKEN_LENGTH)
}
