// The door of this room for other rooms; index.ts is the public one.

export { ada, formatAda } from './ada.js'
export { chainCliKeygen, layerCliKeygen } from './keygen.js'
