import { expect, test } from 'vitest'
import { explainFailure } from './explain-failure.ts'

const FOLDER = '/srv/troupe'

const failed = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: of the system`), { code, syscall: 'open', ...(path ? { path } : {}) })

test.each([
  ['ENOTDIR', `${FOLDER}/secret.key`, `The data folder ${FOLDER} is a file, or lies below one.`],
  ['EEXIST', FOLDER, `The data folder ${FOLDER} is a file, or lies below one.`],
  ['EACCES', '/srv', `This user may not write to the data folder ${FOLDER} (/srv).`],
  ['EROFS', `${FOLDER}/lock`, `The data folder ${FOLDER} is on a read-only file system.`],
  [
    'ENOENT',
    FOLDER,
    `The data folder ${FOLDER} cannot be used: ${FOLDER} does not exist and cannot be created.`,
  ],
  ['ENOSPC', undefined, `The disk of the data folder ${FOLDER} is full.`],
  ['EDQUOT', `${FOLDER}/lock`, `The disk of the data folder ${FOLDER} is full.`],
])('%s at %s is reported without a stack', (code, path, sentence) => {
  const text = explainFailure(failed(code, path), FOLDER)
  expect(text.startsWith(sentence)).toBe(true)
  expect(text).not.toContain('    at ')
})

test.each([
  ['a file elsewhere', failed('ENOENT', '/opt/module.ts')],
  ['a folder with the same beginning', failed('EACCES', `${FOLDER}-other/x`)],
  ['an unknown code', failed('EMFILE', `${FOLDER}/x`)],
  ['no system error', new TypeError('x is not a function')],
])('%s is a defect and is reported with its stack', (_, error) => {
  expect(explainFailure(error, FOLDER)).toBe(error.stack)
})
