import { expect, test } from 'vitest'
import { type EditedFiles, mergedFiles } from '../../core/skills/edited-files.ts'
import { afterLook, isUnwritten, type MergeEdits } from './after-look.ts'
import type { RemoteEdit } from './agreed-edit.ts'
import type { BasedEdit } from './based-edit.ts'

interface FilesEdit {
  mine: EditedFiles
  from: object
}

const files = (...paths: string[]): BasedEdit<FilesEdit> => ({
  edit: { mine: Object.fromEntries(paths.map((path) => [path, { text: path, version: '1' }])), from: {} },
  base: '',
})
const agreedOn = (changeId: string, edit: BasedEdit<FilesEdit> | null): RemoteEdit<FilesEdit> => ({
  ...{ changeId, edit },
  builtOn: [],
})
const merge: MergeEdits<FilesEdit> = ({ local, former, remote }) => ({
  edit: { mine: mergedFiles(local.edit.mine, former?.edit.mine ?? {}, remote.edit.mine), from: {} },
  base: '',
})
const look = (local: BasedEdit<FilesEdit> | null, remote: BasedEdit<FilesEdit> | null) =>
  afterLook({ local, agreed: agreedOn('first', files('a')) }, agreedOn('second', remote), {
    merge,
    none: files(),
  }).local

test('a file that was saved or discarded here stays so when another file was typed elsewhere', () => {
  expect(look(null, files('a', 'b'))).toEqual(files('b'))
})

test('a file that was saved or discarded elsewhere stays so when another file was typed here', () => {
  expect(look(files('a', 'b'), null)).toEqual(files('b'))
  expect(look(files('a', 'b'), files('c'))).toEqual(files('b', 'c'))
})

test('no edit is left if all files were saved or discarded, some here and some elsewhere', () => {
  expect(
    afterLook(
      { local: files('b'), agreed: agreedOn('first', files('a', 'b')) },
      agreedOn('second', files('a')),
      {
        merge,
        none: files(),
      },
    ).local,
  ).toBeNull()
})

interface NameEdit {
  mine: Record<string, string>
  from: Record<string, string>
}

const names = (mine: Record<string, string>, from: Record<string, string>): BasedEdit<NameEdit> => ({
  edit: { mine, from },
  base: '',
})

test('the server gets rid of input that a save here has ended, also if the rest was typed on both devices', () => {
  const ended = names({ a: 'mine' }, {})
  const rest = names({ b: 'both' }, { a: 'mine' })
  const after = afterLook(
    {
      local: rest,
      agreed: { changeId: 'first', edit: ended, ended: { edit: ended, left: null, savedAs: 'saved' } },
    },
    { changeId: 'theirs', edit: names({ a: 'mine', b: 'both' }, {}), builtOn: ['first'] },
    { merge: ({ local }) => local, since: (edit) => (edit === ended ? null : rest) },
  )
  expect(after.local).toEqual(rest)
  expect(after.agreed).toMatchObject({ changeId: 'theirs', edit: names({ a: 'mine', b: 'both' }, {}) })
  expect(isUnwritten(after)).toBe(true)
})
