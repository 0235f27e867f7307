import { describeSeeds } from './seeds/runSeeds'
import { STEP_SEEDS } from './seeds/steps'

describeSeeds(STEP_SEEDS)
