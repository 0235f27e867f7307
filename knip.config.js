import { cliEntries, DASHBOARD, libraryEntries } from './scripts/entries.mjs'

/**
 * `npm run check:dead`: files and exports of src that nothing the package offers reaches. Tests do not count as users.
 */
const config = {
  entry: [...Object.values(libraryEntries), ...Object.values(cliEntries), DASHBOARD].map((path) => `${path}!`),
  project: ['src/**/*.ts!', 'src/**/*.tsx!'],
  // Loaded by import() and handed on whole: what of them is used does not show.
  ignore: [
    'src/accumulator/setup/**',
    'src/providers/shared/scripts.ts',
    'src/verify/inSteps.ts',
    'src/verify/provenTxs.ts'
  ],
  ignoreExportsUsedInFile: true
}
export { config as default }
