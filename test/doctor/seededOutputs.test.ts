import { describeSeeds } from './seeds/runSeeds'
import { OUTPUT_SEEDS } from './seeds/outputs'

describeSeeds(OUTPUT_SEEDS)
