import { readFileSync } from 'node:fs'

// Runs before checks and tests, on any Node.js: an installation of another package-lock.json, as after a pull, ends in hundreds of
// errors about modules that cannot be found. npm keeps what it has installed in `node_modules/.package-lock.json`.
const ROOT = new URL('../../', import.meta.url)
const packagesOf = (file) => JSON.parse(readFileSync(new URL(file, ROOT), 'utf8')).packages

function installed() {
  try {
    return packagesOf('node_modules/.package-lock.json')
  } catch {
    return {}
  }
}

const there = installed()
const stale = Object.entries(packagesOf('package-lock.json')).filter(
  ([place, { version, resolved, link, optional }]) => {
    // A place without `node_modules` is a workspace, and npm leaves out packages of other systems.
    if (!place.includes('node_modules/') || optional) return false
    return link ? there[place]?.resolved !== resolved : there[place]?.version !== version
  },
)

if (stale.length > 0) {
  const names = stale.slice(0, 3).map(([place]) => place.replace(/^.*node_modules\//, ''))
  console.error(
    `The installed packages are not those of package-lock.json (${stale.length} differ, such as ${names.join(', ')}). Run \`npm ci\`.`,
  )
  process.exitCode = 1
}
