// The door of this room for other rooms.

export type { ConformanceReport, LifeDifference } from './compareLives.js'
export { publicLife } from './publicLife.js'
export { runConformance } from './runConformance.js'
export type { ConformanceOptions, ConformanceRun, LocalTwin, TwinRequest } from './runConformance.js'
export type { LifeStep, LifeTrace, TracedAnswer, TracedMessage } from './trace.js'
