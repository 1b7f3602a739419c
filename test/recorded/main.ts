import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startBodyServer } from '@troupe/test-kit/provider-streams'
import { startTestServer } from '@troupe/test-kit/server'
import { type Recording, readRecordings } from './recordings.ts'
import { agentFor, replay, type Stage, WAYS } from './replay.ts'

/**
 * `npm run test:recorded`: recorded responses of real providers, replayed in their framing to a real server: as a run, as a stream,
 * as a job and before a second message; in one write, and in writes of 1 and of 61 bytes. Every request of the server is checked
 * against the rules of its protocol, and the ledger against the recorded tokens.
 *
 * `-- --folder F` replaces the folder, `--only TEXT` replays recordings with the text in their name. Skipped recordings are listed
 * with the reason. Exit code 0 if the folder is absent: the recordings belong to others and are not part of this project.
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const folder = resolve(values.folder ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'recorded'))

/** Bytes per write; infinity: all in one. */
const SIZES = [Number.POSITIVE_INFINITY, 1, 61]
/** Concurrent stages, each with its own server of models. */
const LANES = 4

async function replayAll(stage: Stage, queue: Recording[], failures: string[]): Promise<void> {
  for (let recording = queue.shift(); recording; recording = queue.shift()) {
    const agentId = await agentFor(stage, recording)
    for (const size of SIZES) {
      for (const way of WAYS) {
        const wrong = await replay(stage, { recording, agentId }, { way, size }).catch((error: Error) => [
          error.stack ?? error.message,
        ])
        const how = `${way}, ${Number.isFinite(size) ? `writes of ${size}` : 'one write'}`
        for (const fault of new Set(wrong)) failures.push(`${recording.name} (${how}): ${fault}`)
      }
    }
  }
}

async function main(): Promise<number> {
  if (!existsSync(folder)) {
    process.stderr.write(
      `\n!!! Recorded answers of providers were NOT replayed: there is no folder ${folder}\n\n`,
    )
    return 0
  }
  const { recordings, skipped } = readRecordings(folder)
  const chosen = recordings.filter(({ name }) => name.includes(values.only))
  for (const { name, reason } of skipped) process.stdout.write(`not replayed  ${name}: ${reason}\n`)
  if (chosen.length === 0) {
    process.stderr.write(`\n!!! There is no recorded answer in ${folder}\n\n`)
    return 1
  }
  await using resources = new AsyncDisposableStack()
  const server = resources.use(await startTestServer({ env: { TROUPE_ALLOWED_NETWORKS: 'loopback' } }))
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const stages: Stage[] = []
  for (let lane = 0; lane < LANES; lane += 1) {
    stages.push({ server, models: resources.use(await startBodyServer()) })
  }
  const failures: string[] = []
  const startedAt = performance.now()
  const queue = [...chosen]
  await Promise.all(stages.map((stage) => replayAll(stage, queue, failures)))
  for (const failure of failures.toSorted()) process.stdout.write(`FAILED  ${failure}\n`)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  process.stdout.write(
    `${chosen.length} recordings, each in ${SIZES.length * WAYS.length} ways: ${failures.length} failures in ${seconds} s; ${skipped.length} files are not replayed\n`,
  )
  return failures.length === 0 ? 0 : 1
}

process.exitCode = await main()
