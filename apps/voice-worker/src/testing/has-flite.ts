import { spawnSync } from 'node:child_process'

/** Whether the offline speech program is installed; tests that need a voice are skipped without it. */
export const HAS_FLITE = spawnSync('which', ['flite']).status === 0
