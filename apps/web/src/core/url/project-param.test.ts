import { expect, test } from 'vitest'
import { projectIn, withoutProject } from './project-param.ts'

const ID = '0b8f6f0e-6a55-4a8e-9c5e-0d5a5f3f7d01'

test('a project is an id; any other text means all projects', () => {
  expect(projectIn(`?q=x&project=${ID}`)).toBe(ID)
  for (const search of ['', '?q=x', '?project=', '?project=shop', `?project=${ID}x`]) {
    expect(projectIn(search)).toBeNull()
  }
})

test('a URL without its project keeps its other parameters', () => {
  expect(withoutProject('/o/acme/runs', `?status=failed&project=${ID}`)).toBe('/o/acme/runs?status=failed')
  expect(withoutProject('/o/acme', `?project=${ID}`)).toBe('/o/acme')
})
