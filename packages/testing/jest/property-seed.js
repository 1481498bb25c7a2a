// With PROPERTY_SEED (32 bits), property tests use the same values in each run. Without it, each run uses other values,
// and fast-check prints the seed of a failure.
import fc from 'fast-check';

const { PROPERTY_SEED } = process.env;
if (PROPERTY_SEED) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(PROPERTY_SEED) });
