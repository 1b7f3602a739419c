import { expect, test } from 'vitest'
import { extendedFilename, plainFilename } from './sent-filename.ts'

const header = (rest: string) => `Content-Disposition: form-data; name="file"; ${rest}`

// The examples of RFC 8187, section 3.2.3, and the format of .NET's MultipartFormDataContent.
test.for([
  [`filename="EURO rates"; filename*=utf-8''%e2%82%ac%20rates`, '€ rates'],
  [`filename*=iso-8859-1'en'%A3%20rates`, '£ rates'],
  [`filename="=?utf-8?B?w6QudHh0?="; filename*=utf-8''%C3%A4.txt`, 'ä.txt'],
  ['filename="a.txt"', null],
  // No UTF-8, and an encoding that the standard does not allow.
  [`filename="a.txt"; filename*=UTF-8''%ff`, null],
  [`filename="a.txt"; filename*=koi8-r''%ff`, null],
] as const)('of %s, the full name is %s', ([rest, name]) => {
  expect(extendedFilename(header(rest))).toBe(name)
})

test.for([
  ['Pru\u0308fung.docx', 'Pr\u00fcfung.docx'],
  ['\u1112\u1161\u11ab.pdf', '한.pdf'],
  ['=?utf-8?B?w6QudHh0?=', 'ä.txt'],
  ['=?ISO-8859-1?Q?r=E9sum=E9_2.pdf?=', 'résumé 2.pdf'],
  ['=?utf-8?B?w6Q=?= =?utf-8?B?LnR4dA==?=', 'ä.txt'],
  ['=?utf-8?B?/w==?=', '=?utf-8?B?/w==?='],
  ['plain = ?.txt', 'plain = ?.txt'],
] as const)('%s is %s', ([sent, name]) => {
  expect(plainFilename(sent)).toBe(name)
})
