/** An environment variable as printed by `npm run config`. */
export interface Variable {
  name: string
  /** Description of the default. */
  fallback: string
  meaning: string
  /** Secret values are never printed. */
  secret: boolean
}

const variable = <const N extends string>(name: N, fallback: string, meaning: string) => ({
  name,
  fallback,
  meaning,
  secret: false,
})
const secret = <const N extends string>(name: N, fallback: string, meaning: string) => ({
  ...variable(name, fallback, meaning),
  secret: true,
})

/** Every variable that the server reads, most commonly needed first. */
export const VARIABLES = [
  variable('PORT', '3000', 'Port of the API, the builder and the other pages.'),
  variable('HOST', '127.0.0.1', 'Address it listens on; containers set 0.0.0.0.'),
  variable(
    'TROUPE_DATA_DIR',
    '.troupe',
    'Folder of the embedded database, the key file and the admin token.',
  ),
  variable('TROUPE_BUNDLE', 'none', 'Bundle file applied at boot; an invalid one stops the boot.'),
  variable(
    'TROUPE_PLAYGROUND',
    'on for an empty database without a bundle while only this machine reaches the server, else off',
    'Whether to seed the Playground.',
  ),
  variable(
    'TROUPE_PUBLIC_URL',
    'http://localhost:PORT',
    'URL at which users reach this server; used in links.',
  ),
  variable(
    'TROUPE_EXPOSURE',
    'inferred from HOST, TROUPE_PUBLIC_URL and TROUPE_TRUSTED_PROXIES',
    '`local`: only this machine reaches the server, such as a container whose port is published on 127.0.0.1; `public`: others do.',
  ),
  variable(
    'TROUPE_PRINT_SECRETS',
    'on while only this machine reaches the server, else off',
    'Whether passwords, API keys and the first sign-in link are printed; otherwise they are in a file of the data folder.',
  ),
  secret('TROUPE_ADMIN_TOKEN', 'a generated file in the data folder', 'Bearer token of the operator.'),
  secret(
    'TROUPE_SETUP_TOKEN',
    'none: the admin token',
    'Token that the first owner enters at /setup; without effect once anybody has signed in.',
  ),
  variable('TROUPE_ADMIN_PORT', 'none: the same port', 'Separate port of /healthz, /readyz and /metrics.'),
  secret(
    'TROUPE_METRICS_TOKEN',
    'none: the admin token, or no token while only this machine reaches the server',
    'Bearer token that reads /metrics.',
  ),
  variable(
    'TROUPE_HSTS_SECONDS',
    '31536000 when TROUPE_PUBLIC_URL is https, else 0',
    'How long browsers use https only (Strict-Transport-Security); 0 for not at all.',
  ),
  variable(
    'TROUPE_ALLOWED_NETWORKS',
    'loopback while only this machine reaches the server, else none',
    'Private networks that model calls may reach: addresses, CIDR ranges, `loopback`, `private` or `none`.',
  ),
  variable(
    'TROUPE_TRUSTED_PROXIES',
    'none',
    'Networks of proxies whose X-Forwarded-For is trusted; otherwise limits by address count all clients as the proxy.',
  ),
  variable(
    'TROUPE_MAX_ORGANIZATION_RPM',
    'none: organizations set their own',
    'Maximum requests per minute of an organization, even if it has set more.',
  ),
  variable(
    'TROUPE_MAX_ORGANIZATION_RUNS',
    'none: organizations set their own',
    'Highest number of concurrent runs of an organization; a higher stored one is lowered at the start.',
  ),
  secret('TROUPE_SECRET_KEY', 'a generated file in the data folder', 'Keys that encrypt credentials.'),
  variable(
    'TROUPE_DRAIN_SECONDS',
    '1 while only this machine reaches the server, else 5',
    'How long requests are still served after SIGTERM while /readyz is 503, 0 to 300.',
  ),
  variable('TROUPE_RUN_MAX_SECONDS', '900', 'Longest working time of any run, in seconds.'),
  variable(
    'TROUPE_JOB_QUEUE_SECONDS',
    '3600',
    'How long an asynchronous run may wait for a worker, in seconds.',
  ),
  variable('TROUPE_WORKER_CONCURRENCY', '64', 'Asynchronous runs that this process executes concurrently.'),
  variable(
    'TROUPE_ROLES',
    'api,worker,scheduler',
    'What this process does; omitting a role requires other processes, PostgreSQL, Redis and Restate.',
  ),
  variable(
    'WORKFLOW_LOOP_ITERATION_CEILING',
    '100',
    'Iterations after which a Loop stops the run, 1 to 1000; anything but an integer counts as 100.',
  ),
  variable('TROUPE_FORM_UPLOAD_MAX_MB', '16', 'Largest file that a form accepts, in MB, 1 to 1024.'),
  variable('TROUPE_WORKFLOW_PARALLEL_NODES', '10', 'Nodes of one workflow run that execute concurrently.'),
  variable(
    'TROUPE_WORKFLOW_QUEUE_SECONDS',
    '900',
    'How long a workflow run may wait for a worker, in seconds.',
  ),
  secret(
    'DATABASE_URL',
    'embedded PGlite in the data folder',
    'PostgreSQL instead of the embedded database.',
  ),
  secret(
    'REDIS_URL',
    'none: limits in memory',
    'Redis or Valkey that counts rate limits for several processes.',
  ),
  variable(
    'S3_ENDPOINT',
    'none: files in the data folder',
    'URL of an S3-compatible store for uploaded files.',
  ),
  variable('S3_BUCKET', 'none', 'Bucket of that store; required with S3_ENDPOINT.'),
  variable('S3_REGION', 'us-east-1', 'The region that requests are signed for.'),
  secret('S3_ACCESS_KEY_ID', 'none', 'Access key id; required with S3_ENDPOINT.'),
  secret('S3_SECRET_ACCESS_KEY', 'none', 'Secret access key; required with S3_ENDPOINT.'),
  secret(
    'SMTP_URL',
    'none: no e-mail',
    'Mail server that sends invitations: smtp://user:password@host:port, or smtps://.',
  ),
  variable(
    'TROUPE_MAIL_FROM',
    'none',
    'Sender of e-mail: an address, or `Name <address>`; required with SMTP_URL.',
  ),
  variable(
    'RESTATE_INGRESS_URL',
    'none: the worker of this process executes them',
    'Restate 1.7, which delivers asynchronous runs to the workers of several processes.',
  ),
  variable(
    'RESTATE_ADMIN_URL',
    'none',
    'Admin interface of Restate, where workers register and runs are withdrawn.',
  ),
  variable('RESTATE_WORKER_HOST', '127.0.0.1', 'Address where a worker listens for Restate (HTTP/2).'),
  variable('RESTATE_WORKER_PORT', '9080', 'Port where a worker listens for Restate.'),
  variable(
    'RESTATE_WORKER_URL',
    'http://RESTATE_WORKER_HOST:RESTATE_WORKER_PORT',
    'URL at which Restate reaches the workers; with several workers, their load balancer.',
  ),
  variable(
    'RESTATE_IDENTITY_KEYS',
    'none: any caller',
    'Public keys of Restate; a worker then accepts only signed calls.',
  ),
  variable('LIVEKIT_HTTP_URL', 'none: no voice', 'Server API of LiveKit; needs the other four of voice.'),
  secret('LIVEKIT_API_KEY', 'none', 'API key of LiveKit; required with LIVEKIT_HTTP_URL.'),
  secret(
    'LIVEKIT_API_SECRET',
    'none',
    'Its secret, of at least 32 characters; required with LIVEKIT_HTTP_URL.',
  ),
  variable(
    'VOICE_PUBLIC_WS_URL',
    'none',
    'wss:// URL at which callers reach LiveKit; required with LIVEKIT_HTTP_URL.',
  ),
  secret(
    'VOICE_INTERNAL_TOKEN',
    'none',
    'Bearer token of voice workers, of at least 24 characters; required with LIVEKIT_HTTP_URL.',
  ),
  variable(
    'VOICE_INTERNAL_LISTEN',
    '127.0.0.1:7081',
    'Address for voice workers and the webhooks of LiveKit; never public.',
  ),
  variable('VOICE_INTERNAL_URL', 'http://127.0.0.1:7081', 'URL at which voice workers reach that address.'),
  variable('LIVEKIT_SIP_HEALTH_URL', 'none', 'Health page of the SIP bridge, which calls need.'),
  variable(
    'VOICE_JOIN_TIMEOUT_S',
    '300',
    'How long a voice session waits for its caller, in seconds, 30 to 3600.',
  ),
  variable('VOICE_MAX_SESSION_SECONDS', '3600', 'Longest voice session, in seconds, 10 to 3600.'),
  variable('VOICE_MAX_RINGING_S', '45', 'Longest ringing of a call, in seconds, 10 to 60.'),
  variable('VOICE_BILLING_UNIT_S', '60', 'Seconds that a call is rounded up to, 1 to 60.'),
  variable('VOICE_NEW_TRUNK_CALLS', '20', 'Calls of a trunk in its first 24 hours; 0 for any number.'),
  variable('VOICE_MAX_JOBS', 'cores × 4', 'Sessions of one voice worker.'),
  variable('VOICE_IDLE_PROCESSES', 'cores, at most 4', 'Prewarmed processes of one voice worker, 1 or more.'),
  variable(
    'VOICE_DRAIN_TIMEOUT_S',
    '600',
    'How long a stopping voice worker lets its sessions finish, in seconds.',
  ),
  variable('LOG_LEVEL', 'info', 'trace, debug, info, warn, error, fatal or silent.'),
  variable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'none: no traces',
    'Collector of OpenTelemetry traces (OTLP over HTTP).',
  ),
  variable('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'none', 'The same, for traces only.'),
  variable('OTEL_SDK_DISABLED', 'false', '`true` turns traces off.'),
] as const satisfies readonly Variable[]

/**
 * Prefixes or names of features that this version lacks. Setting one that is not in the list above is an
 * error, never silently ignored.
 */
export const ABSENT_FEATURES = [
  { match: /^RESTATE_/, feature: 'a variable of that name' },
  { match: /^S3_/, feature: 'a variable of that name' },
  { match: /^LIVEKIT_/, feature: 'a variable of that name' },
  // Variables of media tests are read by the tests only.
  { match: /^VOICE_(?!MEDIA_)/, feature: 'a variable of that name' },
] as const

/** The name of a variable that the server reads. */
export type VariableName = (typeof VARIABLES)[number]['name']
