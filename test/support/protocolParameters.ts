/** What every provider reads from the parameters that its test server gives, but for the answer itself (`raw`). */
export const READ_PARAMETERS = {
  minFeeA: 44,
  minFeeB: 155381,
  maxTxSize: 16384,
  maxValueSize: 5000,
  coinsPerUtxoByte: 4310n,
  keyDeposit: 2000000n,
  poolDeposit: 500000000n,
  minFeeRefScriptCostPerByte: 15,
  costModels: { PlutusV1: [100788, 420, 1], PlutusV2: [100788, 420, 1, 1], PlutusV3: [100788, 420, 1, 1, 1000] },
  protocolVersion: { major: 10, minor: 0 }
}
