import { spawnSync } from 'node:child_process'

/** Whether the program that speaks offline is installed; without it, the tests that need a voice are skipped. */
export const HAS_FLITE = spawnSync('which', ['flite']).status === 0
