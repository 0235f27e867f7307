import type { Config } from 'jest'
import { project, UNIT } from './jest.config'

/** `npm run test:unit -- PATH`: the inner loop alone, so that a path after it is a path. */
const config: Config = { ...project, testRegex: UNIT, testTimeout: 30_000 }

export default config
