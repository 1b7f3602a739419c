import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type RestateServer, startRestateServer } from '@troupe/engine/testing'
import { startBalancer } from '@troupe/engine/testing/balancer'
import { startRedis } from '@troupe/rate-limits/testing/redis-process'
import { freePort } from '@troupe/test-kit/free-port'
import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { serverBinaries, startTestPostgres } from '@troupe/test-kit/postgres'
import { type Program, startProgram } from '../crash/program.ts'
import { type CrewCustomer, type CrewItems, writeCrewCustomer } from './crew-customer.ts'
import { JobCaller } from './job-caller.ts'
import { ScriptedCrew } from './scripted-crew.ts'

const run = promisify(execFile)

export type DeploymentKind = 'pglite' | 'postgres' | 'restate'

/** Whether this machine has the dependencies of the kind. */
export function isPossible(kind: DeploymentKind): boolean {
  return kind === 'pglite' || serverBinaries() !== null
}

/** Real processes with all dependencies: one, or two workers behind Restate. */
export class Deployment implements AsyncDisposable {
  readonly kind: DeploymentKind
  readonly crew: ScriptedCrew
  readonly customer: CrewCustomer
  readonly caller: JobCaller
  readonly programs: Program[] = []
  readonly restate: RestateServer | null
  readonly #environments: Record<string, string>[]
  readonly #folder: string
  readonly #databaseUrl: string | null
  readonly #resources: AsyncDisposableStack

  private constructor(parts: {
    kind: DeploymentKind
    model: ModelServer
    customer: CrewCustomer
    environments: Record<string, string>[]
    folder: string
    databaseUrl: string | null
    restate: RestateServer | null
    resources: AsyncDisposableStack
  }) {
    this.kind = parts.kind
    this.crew = new ScriptedCrew(parts.model)
    this.customer = parts.customer
    this.caller = new JobCaller('', parts.customer)
    this.restate = parts.restate
    this.#environments = parts.environments
    this.#folder = parts.folder
    this.#databaseUrl = parts.databaseUrl
    this.#resources = parts.resources
  }

  /** Starts it; null, with a warning, if this machine lacks something. `items` are added to its bundle, `env` is for every process. */
  static async start(
    kind: DeploymentKind,
    items: CrewItems = {},
    env: Readonly<Record<string, string>> = {},
  ): Promise<Deployment | null> {
    await using resources = new AsyncDisposableStack()
    const model = resources.use(await startModelServer())
    const folder = await mkdtemp(join(tmpdir(), 'troupe-jobs-'))
    resources.defer(() => rm(folder, { recursive: true, force: true }))
    const customer = await writeCrewCustomer(folder, model.url, items)
    const environments: Record<string, string>[] = [{ ...customer.env, ...env }]
    let databaseUrl: string | null = null
    let restate: RestateServer | null = null
    if (kind !== 'pglite') {
      const postgres = await startTestPostgres(async () => {})
      if (!postgres) return null
      resources.use(postgres)
      databaseUrl = (await postgres.createEmptyDatabase()).url
      // Acknowledged means durable, which the test server is not by default.
      environments[0] = {
        ...environments[0],
        DATABASE_URL: `${databaseUrl}?options=-c%20synchronous_commit%3Don`,
      }
    }
    if (kind === 'restate') {
      const redis = await startRedis()
      restate = await startRestateServer()
      if (!redis || !restate) return null
      resources.use(redis)
      resources.use(restate)
      const ports = [await freePort(), await freePort()]
      const balancer = resources.use(await startBalancer(ports))
      const shared = {
        ...environments[0],
        REDIS_URL: redis.url,
        RESTATE_INGRESS_URL: restate.ingressUrl,
        RESTATE_ADMIN_URL: restate.adminUrl,
        RESTATE_WORKER_URL: balancer.url,
        TROUPE_SECRET_KEY: `k1:${randomBytes(32).toString('base64url')}`,
        TROUPE_ADMIN_TOKEN: randomBytes(16).toString('hex'),
      }
      environments.splice(0, 1, ...ports.map((port) => ({ ...shared, RESTATE_WORKER_PORT: String(port) })))
    }
    const parts = { kind, model, customer, environments, folder, databaseUrl, restate }
    const deployment = new Deployment({ ...parts, resources: resources.move() })
    try {
      for (const index of environments.keys()) await deployment.boot(index)
    } catch (error) {
      await deployment[Symbol.asyncDispose]()
      throw error
    }
    return deployment
  }

  /** Starts a process, also again after its end. */
  async boot(index: number): Promise<Program> {
    const folder = this.kind === 'restate' ? join(this.#folder, String(index)) : this.#folder
    await mkdir(folder, { recursive: true })
    const program = await startProgram(folder, this.#environments[index] ?? {})
    this.programs[index] = program
    this.caller.origin = program.origin
    return program
  }

  /** The results of a query, one text for each row; PostgreSQL only. */
  async sql(text: string): Promise<string[]> {
    const psql = join(serverBinaries() ?? '', 'psql')
    const { stdout } = await run(psql, [
      '-X',
      '-A',
      '-t',
      '-v',
      'ON_ERROR_STOP=1',
      '-d',
      this.#databaseUrl ?? '',
      '-c',
      text,
    ])
    return stdout.split('\n').filter((line) => line !== '')
  }

  get hasSql(): boolean {
    return this.#databaseUrl !== null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const program of this.programs) await program?.[Symbol.asyncDispose]()
    await this.#resources.disposeAsync()
  }
}
