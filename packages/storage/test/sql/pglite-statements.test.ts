import type { PGlite } from '@electric-sql/pglite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SqlDriver, Statement } from '../../src/sql/client/sql-client.ts'
import { pgliteDriver } from '../../src/sql/pglite/pglite-driver.ts'
import { startSmall } from './small-schema.ts'

let pglite: PGlite
let driver: SqlDriver
beforeAll(async () => {
  pglite = await startSmall()
  driver = pgliteDriver(pglite)
})
afterAll(() => driver[Symbol.asyncDispose]())
beforeEach(() =>
  driver.script('drop table if exists t; create table t (id int primary key, n int not null, note text)'),
)
afterEach(() => vi.restoreAllMocks())

const PUT = { name: 'put', text: 'insert into t (id, n, note) values ($1::int, $2::int, $3) returning id, n' }
const READ = { name: 'read', text: 'select n, note from t where id = $1::int' }
const ALL = { name: 'all', text: 'select * from t order by id' }
const NOTIFY = { name: 'tell', text: "select pg_notify('heard', $1)" }

const ids = async () => (await driver.execute('select id from t order by id', [])).flat()
const plansOf = async ({ name }: Statement) => {
  const plans = 'generic_plans, custom_plans'
  return driver.execute(`select ${plans} from pg_prepared_statements where name = $1`, [name])
}

describe('a named statement on PGlite', () => {
  it('is parsed once and planned a few times', async () => {
    for (let id = 1; id <= 20; id += 1) await driver.query(PUT, [id, id * 2, null])
    expect(await plansOf(PUT)).toEqual([[15, 5]])
    expect(await driver.query(READ, [20])).toEqual([{ n: 40, note: null }])
  })

  it('is planned again after a minute, for the current contents of the tables', async () => {
    for (let use = 1; use <= 10; use += 1) await driver.query(READ, [use])
    const now = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => now + 61_000)
    await driver.query(READ, [1])
    expect(await plansOf(READ)).toEqual([[0, 1]])
  })

  it('fails alone: the next statement, and its own next use, work', async () => {
    const put = (id: number | string, n: number | null = 1) => driver.query(PUT, [id, n, null])
    await put(1)
    await expect(put(1)).rejects.toMatchObject({ name: 'SqlError', code: '23505', constraint: 't_pkey' })
    await put(2)
    await expect(put('x')).rejects.toMatchObject({ code: '22P02' })
    await expect(put(3, null)).rejects.toMatchObject({ code: '23502' })
    await expect(driver.query({ name: 'wrong', text: 'selec' }, [])).rejects.toMatchObject({ code: '42601' })
    await expect(driver.execute('select 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' })
    await expect(driver.query(READ, [])).rejects.toMatchObject({ code: '08P01' })
    await Promise.all([
      put(4),
      put(2).catch(() => {}),
      put(5),
      driver.execute('selec', []).catch(() => {}),
      put(6),
    ])
    expect(await ids()).toEqual([1, 2, 4, 5, 6])
  })

  it('that fails inside a transaction aborts it, and nothing else', async () => {
    const aborted = driver.transaction(async (client) => {
      await client.query(PUT, [1, 1, null])
      await client.query(PUT, [1, 1, null]).catch(() => {})
      await client.query(READ, [1])
    })
    await expect(aborted).rejects.toMatchObject({ code: '25P02' })
    await driver.transaction((client) => client.query(PUT, [2, 1, null]))
    await driver.query(PUT, [3, 1, null])
    expect(await ids()).toEqual([2, 3])
  })

  it('waits for a transaction that is open, and neither sees nor joins it', async () => {
    await driver.query(PUT, [1, 1, null])
    const order: string[] = []
    let beside: Promise<void> = Promise.resolve()
    const rolledBack = driver.transaction(async (client) => {
      await client.query(PUT, [2, 1, null])
      beside = Promise.all([
        driver.query(PUT, [3, 1, null]),
        driver.query(READ, [2]).then((rows) => expect(rows).toEqual([])),
      ]).then(() => void order.push('beside'))
      await client.query(PUT, [4, 1, null])
      expect(await client.query(READ, [3])).toEqual([])
      order.push('inside')
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    await beside
    expect(order).toEqual(['inside', 'beside'])
    expect(await ids()).toEqual([1, 3])
  })

  it('cannot reach the connection through a transaction that has ended', async () => {
    const client = await driver.transaction(async (own) => own)
    await expect(client.query(PUT, [1, 1, null])).rejects.toThrow('The transaction has ended.')
    expect(await ids()).toEqual([])
  })

  it('survives changes of the schema', async () => {
    await driver.query(PUT, [1, 1, 'a'])
    for (let use = 0; use < 10; use += 1) await driver.query(READ, [1])
    expect(await driver.query(ALL, [])).toEqual([{ id: 1, n: 1, note: 'a' }])
    await driver.script(
      'alter table t add column more int; create index t_n on t (n); alter table t alter n type text',
    )
    expect(await driver.query(ALL, [])).toEqual([{ id: 1, n: '1', note: 'a', more: null }])
    expect(await driver.query(READ, [1])).toEqual([{ n: '1', note: 'a' }])
    // Outside a script it is detected by the first use, which fails.
    await driver.execute('alter table t drop column more', [])
    await expect(driver.query(ALL, [])).rejects.toMatchObject({ code: '0A000' })
    expect(await driver.query(ALL, [])).toEqual([{ id: 1, n: '1', note: 'a' }])
    await driver.execute('deallocate all', [])
    await expect(driver.query(READ, [1])).rejects.toMatchObject({ code: '26000' })
    expect(await driver.query(READ, [1])).toHaveLength(1)
  })

  it('notifies listeners of this process: at once, with the commit, and not after a rollback', async () => {
    const heard: string[] = []
    await pglite.listen('heard', (payload) => heard.push(payload))
    for (const payload of ['first', 'again']) await driver.query(NOTIFY, [payload])
    await expect.poll(() => heard).toEqual(['first', 'again'])
    await driver.transaction(async (client) => {
      await client.query(NOTIFY, ['committed'])
      expect(heard).toHaveLength(2)
    })
    await driver
      .transaction(async (client) => {
        await client.query(NOTIFY, ['rolled back'])
        throw new Error('no')
      })
      .catch(() => {})
    await driver.query(PUT, [1, 1, null])
    await expect.poll(() => heard).toEqual(['first', 'again', 'committed'])
  })

  it('accepts and returns texts longer than any buffer', async () => {
    const note = 'é€😀x'.repeat(300_000)
    for (const id of [1, 2]) {
      await driver.query(PUT, [id, 1, note])
      expect(await driver.query(READ, [id])).toEqual([{ n: 1, note }])
    }
  })
})
