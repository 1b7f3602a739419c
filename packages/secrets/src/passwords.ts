import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** Characters of a password; the longest keeps the work of one guess small. */
export const SHORTEST_PASSWORD = 8
export const LONGEST_PASSWORD = 128

/** 16 MB and some 50 ms for each guess. Hashes carry their parameters, so that these may grow. */
const COST = { N: 16_384, r: 8, p: 5 }
const KEY_BYTES = 32
const SALT_BYTES = 16
const FORM = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/

/** Whether a text may be a password. Lengths count as people see characters. */
export function mayBePassword(text: string): boolean {
  const length = [...text].length
  return length >= SHORTEST_PASSWORD && length <= LONGEST_PASSWORD
}

/** `scrypt$N$r$p$salt$key`. Computed on the thread pool, so that at most four guesses hold memory at once. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(password, salt, COST)
  const { N, r, p } = COST
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Whether the password is the one of the hash; compares in constant time. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = FORM.exec(hash) ?? []
  if (N === undefined) throw new Error('this is no hash of a password')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  return timingSafeEqual(
    await derive(password, Buffer.from(salt, 'base64url'), cost),
    Buffer.from(key, 'base64url'),
  )
}

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same characters may be typed as different code points.
    const text = password.normalize('NFKC')
    const maxmem = 256 * cost.N * cost.r
    scrypt(text, salt, KEY_BYTES, { ...cost, maxmem }, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
