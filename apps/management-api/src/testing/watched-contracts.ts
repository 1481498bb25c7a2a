import type { Contract } from './contract.ts';

/** The contracts of the applications that the test file has started */
const watched = new Set<Contract>();

export const watchContract = (contract: Contract): void => void watched.add(contract);

/** Returns the differences from the OpenAPI document since the last call. */
export const takeContractFaults = (): string[] => [
  ...new Set([...watched].flatMap((contract) => contract.takeFaults())),
];

export const forgetContracts = (): void => watched.clear();
