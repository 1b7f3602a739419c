import { describeAccess } from '@troupe/test-kit/access'
import { startTestServer } from '@troupe/test-kit/server'

describeAccess(() => startTestServer())
