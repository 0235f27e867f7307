import { describeSeeds } from './seeds/runSeeds'
import { NODE_SEEDS } from './seeds/nodes'

describeSeeds(NODE_SEEDS)
