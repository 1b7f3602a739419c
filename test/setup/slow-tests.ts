/**
 * Test files that `npm test` skips and `npm run test:slow` runs, each with the reason: seconds of work, and only changes of one
 * subject can break it. Run them after such a change; `.ci/run` runs those in `.ci/gate-tests`, `.ci/run --full` all.
 */
export const SLOW_TESTS: Readonly<Record<string, string>> = {
  // Growth and memory, measured over large inputs.
  'test/text-growth.test.ts': 'measures every function that takes text with 190 families of texts',
  'packages/operations/test/workflow-runs/loop-memory.test.ts':
    'measures the heap over loops with up to 90 MB of outputs',
  'apps/server/test/canaries/canaries.test.ts':
    'plants a secret in every place that keeps one, runs everything, and reads everything',
  'packages/telemetry/src/end-process.test.ts': 'starts twenty programs that end in every way',
  'test/killed-server.test.ts': 'three servers are killed while a process of each parses',
  'apps/server/test/heavy-work/busy.test.ts': 'two servers whose queues are full',
  'test/hostile-documents/hostile-documents.test.ts':
    'sends thousands of hostile bodies of 1 MB to every operation',
  'packages/graph/src/validation/validate-speed.test.ts': 'measures graphs of 10,000 nodes',
  'packages/bundles/src/read/read-bounded.test.ts': 'reads bundles of up to 8 MB until they are given up',
  'test/image/machine.test.ts': 'starts four processes, on machines where containers do not work',
  'apps/web/test/build-memory.test.ts': 'builds the pages once more',
  'packages/models/src/wire/cut-every-byte.test.ts':
    'reads answers of every provider, cut at each of 30,000 bytes',
  'test/odd-requests/odd-requests.test.ts': 'sends odd values and ids to every operation as every caller',
  'test/hostile-documents/sampled-documents.test.ts': 'sends a hostile body of 1 MB to every operation',
  'packages/documents/test/hostile.test.ts': 'reads documents that use up all their memory or their time',

  // Races and crashes, repeated until every order has occurred.
  'apps/server/test/jobs/cancel-races.test.ts': '120 races of a cancel against the end of a job',
  'apps/server/test/jobs/takeover.test.ts': 'jobs of every mode are taken over by another process',
  'apps/server/test/workflows/cancelling.test.ts': 'a cancel against the end of a run, 120 times',
  'apps/server/test/reviews/races.test.ts': 'up to 40 races of every pair of decisions, on both databases',
  'packages/operations/test/workflow-runs/interrupted.test.ts':
    'random graphs whose process dies at each commit',
  'packages/operations/src/schedules/several-schedulers.test.ts':
    'three schedulers fire for minutes of a clock',
  'packages/bundles/src/concurrent-apply.test.ts': 'bundles applied concurrently by several processes',
  'packages/storage/test/workflow-ceiling.test.ts': 'two times 1,000 starts over 80 connections',
  'packages/operations/src/publishing/publish-races.test.ts':
    'two processes publish and archive concurrently',
  'packages/storage/src/sql/pglite/folder-lock.test.ts':
    'processes that hold a folder, are killed and are zombies',
  'packages/storage/test/two-namespaces.test.ts': 'two containers start on one data folder',
  'packages/storage/test/two-namespaces-rounds.test.ts': 'two containers start on one data folder, 20 times',
  'packages/storage/test/sql/first-start.test.ts': 'first starts that are killed at random moments',

  // Voice: slow, silent or unavailable media servers, and ringing calls, in real time.
  'apps/server/test/voice/compensation.test.ts': 'media servers that are silent or slow, in real time',
  'apps/server/test/voice/upkeep.test.ts': 'a server for each loss of a worker, room or hour',
  'apps/server/test/calls/outcomes.test.ts': 'calls that ring in real time, one for each outcome',
  'apps/server/test/calls/waiting.test.ts': 'calls that ring while callers leave and others wait',
  'packages/livekit/src/create-livekit.test.ts': 'a media server that does not answer, in real time',
  'apps/voice-worker/src/runtime/runtime-llm.test.ts': 'turns of a voice worker that wait in real time',
  'apps/voice-worker/src/job/conversation.test.ts': 'conversations of a voice worker, spoken in real time',
  'apps/voice-worker/src/job/conversation-ends.test.ts':
    'silences and limits of a voice worker, in real time',
  'apps/voice-worker/src/job/voicemail.test.ts':
    'calls that meet a voicemail or a person, spoken in real time',
  'apps/voice-worker/src/testing/isolation.test.ts': 'a conversation in a network of its own, in real time',
  'apps/voice-worker/src/job/speech-failures.test.ts': 'speech providers that fail or go deaf, in real time',

  // Real time, other programs and two processes.
  'apps/server/test/documented-proxies.test.ts': 'nginx and Caddy, as the guide configures them',
  'apps/server/test/teams/control.test.ts': 'runs that reach limits of seconds in every mode, in real time',
  'apps/web/test/templates/template-round-trips.test.ts': 'two servers run every template and its test case',
  'apps/web/test/snippets.test.ts': 'programs as the builder shows them, started in TypeScript and Python',
  'packages/operations/src/agents/save-agent.test.ts':
    'two processes save and delete the same agent on PostgreSQL',
  'packages/storage/test/sql/pglite-statements.test.ts':
    'plans of statements before and after minutes of a clock',
  'packages/storage/src/sql/pglite/vacuum.test.ts': 'tables of megabytes are vacuumed',

  // Servers started for one subject, or a run for each of many tests.
  'apps/server/test/teams/texts-and-capabilities.test.ts':
    'teams of every mode with texts of every kind, a run for each',
  'apps/server/test/workflows/restarts-and-publishing.test.ts':
    'a server is started anew while workflows run and are published',
  'apps/server/test/voice/voice-agents.test.ts': 'four servers, and lists of many voice agents',
  'apps/server/test/workflows/restate-lane.test.ts': 'two servers, with Restate and PostgreSQL between them',

  // The same tests on other storage, and plans over many rows.
  'packages/storage/test/pglite.test.ts': 'the contract of the database, on PGlite: 600 tests',
  'packages/storage/test/postgres.test.ts': 'the contract of the database again, on PostgreSQL',
  'packages/storage/test/reference-plans.test.ts':
    'plans of PostgreSQL over 15,000 agents, workflows and credentials',
  'packages/storage/test/query-plans.test.ts': 'plans of PostgreSQL over hundreds of thousands of rows',
  'apps/server/test/builder/pins.test.ts': 'tests of drafts run on a server to their end',
  'apps/server/test/builder/test-cases.test.ts': 'tests of drafts run on a server to their end',
  'apps/server/test/builder/test-runs.test.ts': 'dozens of tests of drafts run on a server to their end',
  'apps/server/test/builder/test-run-sources.test.ts': 'a source of 43 MB is made, planned and tested',
  'apps/server/test/builder/test-runs-killed.test.ts':
    'tests of drafts whose process dies at some of their writes, on PGlite, PostgreSQL and Restate',
  'apps/server/test/builder/ten-thousand.test.ts': 'lists of 10,000 agents, teams and workflows',
  'packages/storage/test/workflow-plans.test.ts': 'plans of PostgreSQL over 100,000 ended runs',
  'packages/storage/test/postgres-processes.test.ts': 'processes that share one PostgreSQL database',
  'packages/engine/test/restate.test.ts': 'Restate servers and workers that are killed',

  // Random runs, replayed and resumed.
  'apps/server/test/teams/streams.test.ts': 'random teams of every mode, each as a stream, a run and a job',
  'packages/agents/src/team/plan/plan-property.test.ts': 'hundreds of random plans, failures and reviews',
  'packages/client/test/stream-cuts.test.ts': 'streams that are cut at every place',

  // Whole processes, disks, real time and browsers.
  'apps/web/test/journeys/reference.test.ts': 'the API reference in a browser, in every look',
  'apps/web/test/journeys/other-languages.test.ts': 'a browser',
  'apps/web/test/journeys/page-states.test.ts': 'a browser',
  'apps/web/test/journeys/project-moves.test.ts': 'a browser',
  'apps/web/test/journeys/tools.test.ts':
    'journeys through MCP servers and credentials in a browser, in every look',
  'apps/web/test/journeys/resources.test.ts':
    'journeys through knowledge, skills and memories in a browser, in every look',
  'apps/voice-worker/src/worker/npm-start.test.ts': 'starts of a voice worker by npm',
  'apps/server/test/signals/npm-start.test.ts': 'starts of `npm start`, as process 1 and supervised too',
  'apps/server/test/signals/every-signal.test.ts': 'a start of `npm start` for each signal and process',
  'apps/server/src/server-process.test.ts': 'a dozen starts of the program, with signals and ports',
  'apps/server/src/cli/run-cli.test.ts': 'the command line as a process of its own, against a running server',
  'apps/server/src/pages/people/first-sign-in.test.ts': 'a start of the program for each first sign-in',
  'apps/server/test/tools/approval-links.test.ts': 'jobs that are parked, killed and resumed by e-mail links',
  'packages/documents/test/processes.test.ts': 'parser processes that are killed, and queues of them',
  'packages/file-stores/src/file-store.test.ts': 'files of hundreds of megabytes, on disks and in S3',
  'apps/web/test/journeys/keys-and-runs.test.ts': 'pages in a browser, in every width and color scheme',
  'apps/web/test/journeys/tabs.test.ts': 'a browser signs in and out in several tabs',
  'apps/web/test/journeys/account.test.ts': 'a browser changes an account, in every look',
  'apps/web/test/journeys/shell.test.ts': 'pages in a browser, in every width and color scheme',
  'apps/web/test/journeys/network.test.ts': 'pages in a browser whose network goes away and comes back',
  'apps/server/test/forms/slow-uploads.test.ts': 'uploads that are slow in real time',
  'apps/server/test/jobs/watchdogs.test.ts': 'jobs that reach limits in real time',
  'apps/server/test/knowledge/search-quality.test.ts': 'reads 126 documents and asks 304 questions',
  'apps/server/src/loading/bundled-entries.test.ts': 'bundles the program',
  'apps/server/test/forms/documents.test.ts': 'forms whose documents are read by parser processes',
  'packages/documents/test/reading.test.ts': 'documents of every format, each read in a process of its own',
  'packages/documents/test/kinds.test.ts': 'a process for each document',
  'packages/telemetry/src/deadman.test.ts': 'processes that are watched for seconds of real time',
  'apps/server/test/reviews/restarts.test.ts': 'a server is started anew in each test',
  'packages/storage/test/statement-timeouts.test.ts': 'waits for timeouts of PostgreSQL in real time',
  'packages/storage/test/sql/database-image.test.ts':
    'makes images of the database in processes of their own',
  'apps/server/test/endless-statement.test.ts': 'a process that is blocked until its watchdog ends it',
  'apps/server/test/full-disk/full-disk.test.ts': 'a process on a disk of its own that fills up',
  'apps/server/test/tools/workflow-approvals-killed.test.ts':
    'a server that is killed three times while approvals wait',
  'apps/server/test/tools/workflow-approvals-at-each-write.test.ts':
    'a workflow that waits for an approval, with a server that dies at each of its writes',
  'apps/server/test/tools/approvals-killed.test.ts': 'four starts of the program, two of them killed',
  'packages/storage/test/pglite-folder.test.ts': 'processes that are killed while they write',
  'packages/nodes/test/node-type-how-to.test.ts':
    'makes the node of a guide and checks the types of the repository',
  'apps/server/test/forms/pages-in-chromium.test.ts': 'pages in a browser, in every width and color scheme',
  'apps/server/test/people/pages-in-chromium.test.ts': 'pages in a browser, in every width and color scheme',
  'apps/server/test/reviews/pages-in-chromium.test.ts': 'pages in a browser, in every width and color scheme',
  'apps/web/test/journeys/unsaved-changes.test.ts': 'journeys in a browser: devices and colleagues',
  'apps/web/test/journeys/unsaved-forms.test.ts': 'journeys in a browser: devices',
  'apps/web/test/journeys/agents.test.ts':
    'agents edited by two people in browsers, in every width and color scheme',
  'apps/web/test/journeys/agent-json.test.ts': 'the JSON of an agent in a browser',
  'apps/web/test/journeys/agent-tools.test.ts': 'the tools and guardrails of an agent in a browser',
  'apps/web/test/journeys/agent-places.test.ts': 'the pages of an agent in a browser',
  'apps/web/test/journeys/agent-versions.test.ts':
    'an agent goes through its versions in the browsers of two people',
  'apps/web/test/journeys/budget.test.ts': 'a journey in a browser through a budget that is used up',
  'apps/web/test/journeys/failed-run.test.ts':
    'a failed run is followed to its cause and repaired in a browser',
  'apps/web/test/journeys/first-workflow.test.ts': 'a start of the program and a browser',
  'apps/web/test/journeys/first-minute.test.ts': 'a start of the program and a browser',
  'apps/web/test/journeys/playground.test.ts': 'conversations in a browser, in every width and color scheme',
  'apps/web/test/journeys/playground-places.test.ts':
    'conversations in a browser beside the settings, over links and steps back',
  'apps/web/test/journeys/teams.test.ts': 'teams of every mode in a browser, in every width and color scheme',
  'apps/web/test/journeys/phone.test.ts':
    'trunks, numbers and the do-not-call list in a browser, in every width',
  'apps/web/test/journeys/models.test.ts':
    'a browser goes through configurations of models, in every width and color scheme',
  'apps/web/test/journeys/voice.test.ts': 'a browser makes, hears, changes and deletes a voice',
  'apps/web/test/journeys/own-provider.test.ts':
    'a provider is connected, asked by an agent in a browser, and by its curl in a shell',
  'apps/web/test/journeys/bundles.test.ts': 'a browser exports and applies bundles',
  'apps/web/test/journeys/settings.test.ts': 'a browser goes through every page of settings',
  'apps/web/test/journeys/faults.test.ts':
    'every form of the builder in a browser, with one fault after the other',
  'apps/web/test/journeys/many-things.test.ts':
    'pickers, searches and the inbox over many rows, in a browser',
  'apps/web/test/journeys/last-known.test.ts': 'lists that load slowly, in a browser',
  'apps/web/test/journeys/workflows.test.ts': 'journeys in a browser, in every width and color scheme',
  'apps/web/test/journeys/workflow-triggers.test.ts':
    'a webhook and forms in a browser, and the webhook by its curl in a shell',
  'apps/web/test/journeys/short-forms.test.ts': 'dialogs in a browser, with calls that are held back',
  'apps/web/test/journeys/workflow-test-cases.test.ts': 'journeys in a browser',
  'apps/web/test/journeys/workflow-tests.test.ts': 'journeys in a browser',
  'apps/web/test/journeys/workflow-canvas.test.ts': 'journeys in a browser: steps are dragged and connected',
  'apps/web/test/journeys/workflow-triage.test.ts':
    'journeys in a browser: a triage is built by keys and by mouse',
  'apps/web/test/journeys/workflow-map.test.ts': 'journeys in a browser, and frames of large maps',
  'apps/web/test/journeys/workflow-history.test.ts':
    'journeys in a browser: the difference of a publish, the timeline, restores',
  'apps/web/test/journeys/workflow-last-test.test.ts':
    'journeys in a browser: values of a test on the canvas',
  'apps/web/test/journeys/workflow-listeners.test.ts': 'journeys in a browser: test addresses of triggers',
  'apps/web/test/journeys/workflow-samples.test.ts':
    'journeys in a browser: sample values and the page of a form',
  'apps/web/test/journeys/workflow-presence.test.ts': 'journeys in a browser: several people at one workflow',
  'apps/server/test/builder/listeners-of-replicas.test.ts': 'two servers on PostgreSQL',
  'apps/server/test/builder/listeners.test.ts': 'a server, many calls and bodies of 1 MB',
  'apps/server/test/builder/presence.test.ts': 'a server and many members',
  'apps/server/test/builder/unsaved-changes.test.ts': 'a server, members and edits of 2 MB',
  'apps/web/test/journeys/workflow-keys.test.ts': 'each key of the editor in a browser, in both views',
  'apps/web/test/journeys/workflow-keyboard.test.ts':
    'a workflow by the keyboard, and two of 5,000 nodes in a browser',
  'apps/web/test/journeys/workflow-autosave.test.ts':
    'journeys in a browser: a lost network, a lost answer, two tabs, two people, a crash',
  'apps/web/test/journeys/workflow-drafts.test.ts':
    'edits of steps in a browser, with a save that is held back and a colleague',
  'apps/web/test/journeys/workflow-undo.test.ts': 'journeys in a browser: undo after a reload and a save',
  'apps/web/test/journeys/workflow-imports.test.ts': 'a browser imports exports of other products',
  'apps/web/test/journeys/large-runs.test.ts': 'a browser opens runs of 10,000 steps and of 4 MB',
  'apps/web/test/journeys/workflow-json.test.ts':
    'the JSON of a workflow in a browser, with a save that is held back',
  'apps/web/test/journeys/step-forms.test.ts': 'forms of steps in a browser',
  'apps/web/test/journeys/workflow-fields.test.ts': 'fields of steps in a browser, in two widths',
  'apps/web/test/journeys/workflow-repairs.test.ts': 'tokens of steps repaired by buttons in a browser',
  'apps/web/test/journeys/workflow-schedule.test.ts':
    'a schedule across a change of the clocks, in a browser',
  'apps/web/test/journeys/template-cards.test.ts': 'new agents and teams from cards, in a browser',
  'apps/web/test/journeys/workflow-tokens.test.ts': 'tokens of steps in a browser, in two widths',
  'apps/web/test/journeys/reviews.test.ts': 'journeys in a browser, several runs each',
  'apps/web/test/journeys/review-changes.test.ts':
    'reviews that two people change and approve, in the browsers of both',
  'apps/web/test/journeys/review-on-a-phone.test.ts':
    'a phone opens every page of the builder, and decides with an account and by link',
  'apps/web/test/journeys/observing.test.ts':
    'a browser looks into runs and conversations, in every width and color scheme',
  'apps/web/test/journeys/run-list.test.ts': 'the list of runs in a browser, by mouse and by keyboard',
  'apps/web/test/journeys/usage.test.ts': 'a browser goes through usage and a budget that is used up',
  'packages/http/src/access.test.ts':
    'every route is asked by every kind of caller without access: 7,000 requests',
  'apps/server/test/behind-a-proxy.test.ts': 'ten servers, and a hundred wrong passwords at each of six',
  'apps/voice-worker/src/speech/guarded-speech.test.ts':
    'the SDKs of the providers of speech are loaded, and a child',
}
