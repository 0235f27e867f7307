// The door of this room for other rooms; index.ts is the public one.

export { checkNodeArguments } from './checkNodeArguments.js'
export { compareHeadFiles, mergeHeadFiles } from './compareHeadFiles.js'
export { checkCompose } from './composeFile.js'
export type { SetupFinding } from './check/SetupFinding.js'
export { formatHeadFile, hashHeadFile, headFile } from './headFile.js'
export type { HeadFile, HeadParty } from './headFile.js'
export { hashParameters, headParameters } from './headParameters.js'
export { parseNetwork } from './network.js'
export { nodeArguments } from './nodeArguments.js'
export { versionFamily } from './nodeOptions/nodeOptionsOf.js'
