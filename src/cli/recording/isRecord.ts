export { isRecord as isJsonRecord } from '../../codec/record.js'
