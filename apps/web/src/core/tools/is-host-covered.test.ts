import { expect, test } from 'vitest'
import { isHostCovered } from './is-host-covered.ts'

test('a host is covered by its name in any case, and by a wildcard for one label', () => {
  const hosts = ['crm.example', '*.shop.example']
  const covered = ['CRM.example', 'a.shop.example'].map((host) => isHostCovered(hosts, host))
  const others = ['shop.example', 'a.b.shop.example', 'crm.example.evil', ''].map((host) =>
    isHostCovered(hosts, host),
  )
  expect(covered).toEqual([true, true])
  expect(others).toEqual([false, false, false, false])
})
