import { createServer } from 'node:net'
import { testPostgres } from '@troupe/test-kit/postgres'
import { expect, test } from 'vitest'
import { openDatabase } from '../src/open-database.ts'

const open = (url: string) => openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })

test('a server that does not answer is named with its port, the database and the reason', async () => {
  const closed = createServer()
  const port = await new Promise<number>((resolve) => {
    closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port))
  })
  await new Promise((resolve) => closed.close(resolve))
  await expect(open(`postgres://ann:pass-word@127.0.0.1:${port}/troupe`)).rejects.toMatchObject({
    name: 'DatabaseUnreachableError',
    message: `PostgreSQL at 127.0.0.1:${port}, database "troupe", cannot be reached (ECONNREFUSED). Start it, or check DATABASE_URL.`,
  })
})

test('a database that does not exist is a sentence', async ({ skip }) => {
  await using postgres = await testPostgres(async (url) => (await open(url))[Symbol.asyncDispose]())
  if (!postgres) return skip()
  const url = new URL(postgres.url)
  url.pathname = '/nobody_made_this'
  await expect(open(url.href)).rejects.toMatchObject({
    name: 'DatabaseUnreachableError',
    message: expect.stringMatching(
      /^PostgreSQL at .* has no database "nobody_made_this" \(3D000\)\. Create it/,
    ),
  })
})
