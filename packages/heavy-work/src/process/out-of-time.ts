/** The watchdog ends a process with this signal at the limit of its CPU time; a thread cannot set an exit code. */
export const OUT_OF_TIME_SIGNAL = 'SIGALRM'
