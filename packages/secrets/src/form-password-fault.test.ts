import { expect, test } from 'vitest'
import { formPasswordFault } from './form-password-fault.ts'

test.each([
  ['', 'must not be empty'],
  ['a\0b', 'must not contain NUL characters'],
  ['x'.repeat(73), 'must have at most 72 bytes in UTF-8'],
  ['ü'.repeat(37), 'must have at most 72 bytes in UTF-8'],
  ['x'.repeat(72), null],
])('%j as the password of a form: %s', (password, fault) => expect(formPasswordFault(password)).toBe(fault))
