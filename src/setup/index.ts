/**
 * Prepares a head before its nodes start: the head file that the parties compare, the options of each hydra-node with
 * all reasons for which the node would refuse them, and protocol parameters. It handles public data only and starts no
 * process.
 *
 * @see docs/guides/setting-up.md
 * @packageDocumentation
 */
export { headFile, formatHeadFile, hashHeadFile } from './headFile.js'
export type { HeadFile, HeadParty } from './headFile.js'
export type { HeadNetwork } from './network.js'
export { compareHeadFiles, mergeHeadFiles } from './compareHeadFiles.js'
export type { HeadDifference } from './compareHeadFiles.js'
export { headParameters, hashParameters } from './headParameters.js'
export type { CliParameters, HeadParametersResult, HeadParametersArgs } from './headParameters.js'
export { nodeArguments } from './nodeArguments.js'
export type { NodeArguments, NodeArgumentsArgs } from './nodeArguments.js'
export { checkNodeArguments } from './checkNodeArguments.js'
export type { CheckNodeArgumentsArgs } from './checkNodeArguments.js'
export type { ReadKey } from './check/checkParties.js'
export type { SetupFinding, SetupFindingCode } from './check/SetupFinding.js'
export { checkCompose } from './composeFile.js'
export type { ServiceFinding } from './composeFile.js'
