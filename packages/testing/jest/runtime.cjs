// Jest loads its runtime with require(), and this one is an ES module that the environment has loaded.
module.exports = class {
  constructor(config, environment) {
    // biome-ignore lint/correctness/noConstructorReturn: Jest calls it with `new`
    return environment.createRuntime(config);
  }
};
