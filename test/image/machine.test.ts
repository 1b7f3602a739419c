import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'

const MAIN = join(import.meta.dirname, 'main.ts')

/**
 * Scripts that replace the programs of a machine. Exit codes are those of podman-run(1): 125 for podman itself, 126 and 127 for
 * runc.
 */
const WORKING = {
  podman: 'exit 0',
  buildah: 'exit 0',
  runc: 'exit 0',
  mmdebstrap: 'exit 0',
  mount: 'exit 0',
  umount: 'exit 0',
}

test.runIf(process.getuid?.() === 0).concurrent.for<[string, Partial<typeof WORKING>, RegExp]>([
  [
    'no storage driver',
    { podman: 'echo "kernel does not support overlay" >&2; exit 125' },
    /no storage driver here.\noverlay: kernel does not support overlay\nvfs: /,
  ],
  [
    'no mirror of Debian',
    { podman: 'case "$*" in *exists*) exit 1;; esac', mmdebstrap: 'echo "E: Unable to fetch" >&2; exit 25' },
    /mmdebstrap ended with 25:\nE: Unable to fetch/,
  ],
  [
    'no namespaces',
    { podman: 'case "$*" in *" run "*) echo "unshare: not permitted" >&2; exit 126;; esac' },
    /podman runs no container here:\nunshare: not permitted/,
  ],
  [
    'no mount',
    { mount: 'echo "permission denied" >&2; exit 32' },
    /nothing can be mounted here: [\s\S]*permission denied/,
  ],
])('a machine with %s: exit code 2 and the reason', async ([, programs, reason]) => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-machine-'))
  try {
    for (const [name, script] of Object.entries({ ...WORKING, ...programs })) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
      chmodSync(join(folder, name), 0o755)
    }
    mkdirSync(join(folder, 'home'))
    const env = { ...process.env, HOME: join(folder, 'home'), PATH: folder + delimiter + process.env.PATH }
    const { code, err } = await new Promise<{ code: unknown; err: string }>((resolve) => {
      execFile(process.execPath, [MAIN], { env }, (error, _out, err) =>
        resolve({ code: error?.code ?? 0, err }),
      )
    })
    expect(err).toMatch(/^The container image was not tested: /)
    expect(err).toMatch(reason)
    expect(code).toBe(2)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
