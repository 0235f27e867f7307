// Compiled by run.mjs: what the adapters return is what the packages want.
import type { IEvaluator, IFetcher, IListener, ISubmitter, SlotConfig as MeshSlotConfig } from '@meshsdk/core'
import type { Provider as LucidProvider } from '@lucid-evolution/lucid'
import type { Provider as NewestLucidProvider } from 'lucid-newest'
import * as blaze from '@blaze-cardano/sdk'
import type { HeadClient } from '../../dist/client.js'
import { createBlazeProvider } from '../../dist/blaze.js'
import { createLucidProvider } from '../../dist/lucid.js'
import { createMeshProvider } from '../../dist/mesh.js'

declare const head: HeadClient
export const mesh: IFetcher & ISubmitter & IEvaluator & IListener = createMeshProvider(head)
export const meshSlots: Omit<MeshSlotConfig, 'startEpoch' | 'epochLength'> = createMeshProvider(head).getSlotConfig()
export const lucid: LucidProvider = createLucidProvider(head)
export const newestLucid: NewestLucidProvider = createLucidProvider(head)
export const ofBlaze: blaze.Provider = createBlazeProvider(head, blaze)
